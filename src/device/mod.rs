//! Devices that run a contract's rows: the embedded one on the CPU, and a GPU through cudarc.
//!
//! A device knows kernels, buffers and launches; it knows nothing of exercises, regions or scores.

mod comparison;
pub mod cuda;
pub mod embedded;
mod job;

pub use comparison::*;
pub use job::*;
