//! The checker on any kernel, without an exercise: sources, arguments, launch plans.

mod argument;
mod device_part;
mod headers;
mod plan_file;

pub use argument::*;
pub use device_part::DevicePart;
pub use headers::PRELUDE;
pub use plan_file::*;
