//! Files as handed in, read into a [`Submission`]: encodings, notebooks, archives, diffs, answers.
//!
//! Everything here treats its input as an attacker's: nothing is extracted to disk, links are never followed, only
//! regular files are opened, sizes and counts are bounded by [`Limits`], and every name is made safe to print before
//! it is kept. What cannot be read is said, per file, as a notice; nothing here fails as a whole.

mod answers;
mod archive;
mod classify;
mod decode;
mod folder;
mod intake;
mod leftovers;
mod limits;
mod model;
mod name;
mod notebook;
pub mod transcript;

pub use folder::{read, read_in_memory, read_many, read_named};
pub use limits::Limits;
pub use model::{SourceFile, Submission};
pub use name::safe_name;
pub use transcript::TranscriptRow;
