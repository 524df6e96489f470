//! What is asked of the compiler, and what it answers.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::record::Diagnostic;

/// What to compile, and for what. Built with `..CompileRequest::default()` for the fields that do not matter.
#[derive(Debug, Clone, Copy, Default)]
pub struct CompileRequest<'a> {
    pub source: &'a str,
    /// Name for lines outside any `#line`: `template`, or the student's file.
    pub name: &'a str,
    /// `compute_75` for PTX, `sm_90` for CUBIN.
    pub arch: &'a str,
    /// `-D` defines: name and value.
    pub defines: &'a [(String, String)],
    /// Further include folders, before the headers that came with NVRTC. None of a student's.
    pub include_dirs: &'a [PathBuf],
    /// C++ names of kernels whose PTX names are wanted (`ns::scan<256>`).
    pub kernels: &'a [String],
    /// Headers that the program may include (`cuda/atomic`); anything else is refused before the compiler sees it.
    /// `None` only for programs that are entirely ours.
    pub allowed_headers: Option<&'a [String]>,
    /// Small headers that exist only in memory: name as included, and text.
    pub virtual_headers: &'a [(String, String)],
    /// Treat functions without an execution space as device functions, for programs with a host part.
    pub default_device: bool,
    /// Optimise as little as possible, so that the program's accesses to memory are those of its text. Needs NVRTC 12.9.
    pub as_written: bool,
}

/// The compiler's result.
#[derive(Debug, Clone, Default)]
pub struct Compiled {
    /// PTX text (`compute_XX`), empty for CUBIN.
    pub ptx: String,
    pub cubin: Vec<u8>,
    /// C++ name asked for, to PTX name.
    pub lowered: BTreeMap<String, String>,
    /// Warnings of a successful compile.
    pub diagnostics: Vec<Diagnostic>,
}

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// The source is wrong: the student's.
    #[error("the program does not compile")]
    Source { diagnostics: Vec<Diagnostic> },
    /// NVRTC is not there or does not work: ours.
    #[error("{0}")]
    Unavailable(String),
}
