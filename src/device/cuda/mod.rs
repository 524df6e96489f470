//! NVIDIA GPUs through cudarc's driver interface.

mod driver;
mod probe;
pub mod sanitizer;

pub use probe::{Card, Found, probe};
