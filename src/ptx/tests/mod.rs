//! Tests of the PTX room.

mod generated;
mod grammar;
mod names;
mod sources;
