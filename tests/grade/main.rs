//! `warpgrade grade` on programs as students hand them in: edited in every way that the exercises ask for, and broken
//! in every way that happens.

mod bad_input;
mod edits;
mod runs;
