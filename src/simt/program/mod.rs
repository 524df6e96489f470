//! A loaded program: code, tables, kernels, what its instructions are called in the source.

mod constants;
mod image;
mod loaded;
mod pool;
mod tables;

pub use constants::Constant;
pub use image::Image;
pub use loaded::{Kernel, Parameter, Program, SharedVariable, SourcePos};
pub(super) use tables::{ModuleVariable, Note, Tables};
