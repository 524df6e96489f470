//! CUDA source to regions to edits to a patched program.
//!
//! The student's file is searched for the exercise's regions; their texts are spliced into the pristine template under
//! `#line`, so that whatever the compiler or the checker says names the student's own file and line. Nothing here judges
//! CUDA: what a region does is for NVRTC and the checker to say.

mod carry;
mod conditional;
mod expression;
mod find;
mod items;
mod lex;
mod model;
mod read;
mod recognise;
mod reserved;
mod signature;
mod snippet;
mod splice;
mod template;
mod text;
mod value;

pub use model::{Part, Patched, Program, RegionEdit, TEMPLATE_NAME};
pub use read::{read_edits, read_edits_among};
pub use splice::splice;
