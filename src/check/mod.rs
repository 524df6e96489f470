//! The checker on any kernel, without an exercise: sources, arguments, launch plans.

mod device_part;
mod headers;

pub use device_part::DevicePart;
pub use headers::PRELUDE;
