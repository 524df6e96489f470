//! CUDA source to regions to edits to a patched program.
//!
//! The student's file is searched for the exercise's regions; their texts are spliced into the pristine template under
//! `#line`, so that whatever the compiler or the checker says names the student's own file and line. Nothing here judges
//! CUDA: what a region does is for NVRTC and the checker to say.

mod absent;
mod bare;
mod carry;
mod compare;
mod conditional;
mod describe;
mod diffs;
mod expression;
mod find;
mod items;
mod letters;
mod lex;
mod marks;
mod model;
mod outside;
mod program;
mod read;
mod recognise;
mod reserved;
mod signature;
mod snippet;
mod splice;
mod template;
mod text;
mod value;
mod wording;

pub use model::{Part, Patched, Program, RegionEdit, TEMPLATE_NAME};
pub use read::{made_edits, read_edits, read_edits_among, with_made_edits};
pub use splice::splice;
