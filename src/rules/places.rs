//! What rules need to know of a program, so that they speak of lines and names and not of sites and addresses.

use crate::record::SourceLine;
use crate::simt::Site;

/// Names for a program's sites and shared memory. Implemented over `simt::Program` by whoever knows which file
/// a student handed in; tests implement it over a table.
pub trait Places {
    /// The student's line of a site.
    fn line(&self, site: Site) -> SourceLine;

    /// The variable that holds this byte of the block's shared memory.
    fn shared_variable(&self, _offset: u64) -> Option<SharedVariable> {
        None
    }

    /// The instruction as PTX writes it, for `unknown` verdicts; empty when not known.
    fn instruction(&self, _site: Site) -> String {
        String::new()
    }
}

/// A `__shared__` variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedVariable {
    pub name: String,
    /// Byte offset of its start in the block's shared memory.
    pub offset: u64,
    /// Size in bytes; 0 for `extern __shared__`.
    pub bytes: u64,
    /// Element size in bytes, at least 1.
    pub element: u32,
}
