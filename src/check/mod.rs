//! The checker on any kernel, without an exercise: sources, arguments, launch plans.

mod annotations;
mod argument;
mod compile;
mod conditionals;
mod device_part;
mod fill;
mod fit;
mod headers;
mod isolated;
mod kernels;
mod layout;
mod plan_file;
mod run;
mod scalar;
mod target;

pub use argument::{ArgumentSpec, BufferSpec, SpecError, parse_extent};
pub use compile::CheckError;
pub use device_part::DevicePart;
pub use fill::BufferFill;
pub use isolated::{Checker, Choices, serve};
pub use kernels::{KernelSource, kernels_in};
pub use plan_file::*;
pub use run::{CheckResult, check};
pub use scalar::Scalar;
