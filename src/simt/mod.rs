//! The embedded device: executes a PTX module on the CPU, one warp instruction at a time.

mod event;
mod launch;
mod memory;

pub use event::*;
pub use launch::*;
pub use memory::*;
