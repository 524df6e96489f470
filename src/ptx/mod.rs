//! PTX text to a typed module, and back.

mod ast;

pub use ast::*;
