//! The embedded device: rows and verdicts on the CPU, with the memory model watching.

mod device;
mod execute;
mod fault_words;
mod moved;
mod program;
mod rows;
mod scout;
mod sources;
mod verdict;

pub use device::{Embedded, LAUNCH_BUDGET, NAME};
pub use execute::{Call, Loaded};
pub use fault_words::{fault_words, line_words};
pub use moved::Layout;
pub use program::{EmbeddedProgram, KernelPlaces};
pub use rows::{Halt, SiteOutcome};
pub use sources::Sources;
pub use verdict::*;
