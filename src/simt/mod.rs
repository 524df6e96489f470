//! The embedded device: executes a PTX module on the CPU, one warp instruction at a time.
//!
//! ```text
//! ptx::Module --decode--> Program --instantiate--> Image --launch--> LaunchReport
//! ```
//!
//! `program` and `decode` make a compact typed instruction array once; `lanes` is the loop over it, 32 lanes at a
//! time; `scalar` is one lane's arithmetic where it is not vectorised; `grid` decides who runs when, and carries out
//! what concerns more than one group of lanes. An [`Observer`] sees what happens to memory.

mod code;
mod decode;
mod env;
mod event;
mod faults;
mod grid;
mod lanes;
mod launch;
mod memory;
mod printf;
mod program;
mod progress;
mod rows;
mod scalar;
mod space;
#[cfg(test)]
mod tests;
mod warp;

pub use decode::LoadError;
pub use event::*;
pub use grid::{Checkpoints, Part, launch, scout};
pub use launch::*;
pub use memory::*;
pub use program::{Constant, Image, Kernel, Parameter, Program, SharedVariable, SourcePos};
