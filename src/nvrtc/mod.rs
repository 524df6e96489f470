//! Finds, fetches and calls NVRTC through cudarc, and maps its log to the student's lines.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::record::Diagnostic;

/// What to compile, and for what.
#[derive(Debug, Clone)]
pub struct CompileRequest<'a> {
    pub source: &'a str,
    /// Name for lines outside any `#line`.
    pub name: &'a str,
    /// `compute_75` for PTX, `sm_90` for CUBIN.
    pub arch: &'a str,
    pub defines: &'a [(String, String)],
    pub include_dirs: &'a [PathBuf],
    /// C++ names of kernels whose PTX names are wanted (`ns::scan<256>`).
    pub kernels: &'a [String],
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
