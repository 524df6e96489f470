//! PTX text to a typed module, and back.

mod ast;
mod body;
mod cursor;
mod debug;
mod declare;
mod error;
mod lexer;
mod lines;
mod literal;
mod names;
mod normal;
mod operand;
mod parse;
mod print;
#[cfg(test)]
mod tests;

pub use ast::*;
pub use error::ParseError;
pub use lines::{Frame, SourceLines};
pub use names::{plain_name, signature};
pub use parse::parse;
