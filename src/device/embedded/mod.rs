//! The embedded device: rows and verdicts on the CPU, with the memory model watching.

mod fault_words;

pub use fault_words::{fault_words, line_words};
