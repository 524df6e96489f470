//! One compile of a file's device part: for which architecture, with which headers, with how much optimisation.

use super::annotations::annotations;
use super::headers::{PRELUDE, STANDARD};
use super::plan_file::Request;
use crate::nvrtc::{CompileError, CompileRequest, Compiled, Nvrtc};
use crate::record::Diagnostic;

/// What a file is compiled for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way {
    arch: &'static str,
    /// With the standard library's device part.
    standard: bool,
}

/// The least architecture with independent thread scheduling and scoped atomics.
pub(super) const FIRST_WAY: Way = Way { arch: "compute_75", standard: false };
/// For what needs more: `__reduce_add_sync`, clusters.
const LATER: &str = "compute_90";

/// What else to try for a file that did not compile in the first way.
pub(super) fn other_ways(diagnostics: &[Diagnostic]) -> Vec<Way> {
    if diagnostics.iter().any(|d| d.message.contains("namespace \"std\" has no member")) {
        vec![Way { standard: true, ..FIRST_WAY }, Way { arch: LATER, standard: true }]
    } else {
        vec![Way { arch: LATER, ..FIRST_WAY }]
    }
}

/// Who compiles, for what request, and how.
pub(super) struct Target<'a> {
    pub nvrtc: &'a Nvrtc,
    pub request: &'a Request,
    /// What messages call the file.
    pub name: &'a str,
    pub way: Way,
}

/// What was compiled.
#[derive(Debug)]
pub struct Built {
    source: String,
    arch: &'static str,
    kernels: Vec<String>,
}

impl Target<'_> {
    /// Compiles a program's text, with what stands before it.
    pub fn attempt(&self, text: &str, kernels: &[String]) -> Result<(Built, Compiled), CompileError> {
        let standard = if self.way.standard { STANDARD } else { "" };
        let built = Built {
            source: format!("{PRELUDE}{standard}{}{text}", annotations(text)),
            arch: self.way.arch,
            kernels: kernels.to_vec(),
        };
        let compiled = built.compile(self.nvrtc, self.request, self.name, false)?;
        Ok((built, compiled))
    }
}

impl Built {
    /// Compiles it again; `as_written` is without optimisation.
    pub fn compile(
        &self,
        nvrtc: &Nvrtc,
        request: &Request,
        name: &str,
        as_written: bool,
    ) -> Result<Compiled, CompileError> {
        nvrtc.compile(&CompileRequest {
            source: &self.source,
            name,
            arch: self.arch,
            defines: &request.defines,
            include_dirs: &request.include_dirs,
            kernels: &self.kernels,
            default_device: true,
            as_written,
            ..CompileRequest::default()
        })
    }
}
