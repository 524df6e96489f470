//! The checker on any kernel, without an exercise: sources, arguments, launch plans.

mod argument;
mod compile;
mod device_part;
mod headers;
mod kernels;
mod plan_file;
mod run;

pub use argument::*;
pub use compile::CheckError;
pub use device_part::DevicePart;
pub use kernels::{KernelSource, kernels_in};
pub use plan_file::*;
pub use run::{CheckResult, check};
