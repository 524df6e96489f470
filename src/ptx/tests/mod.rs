//! Tests of the PTX room.

mod grammar;
