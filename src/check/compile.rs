//! From a file as written for nvcc to a program on the embedded device.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::device_part::DevicePart;
use super::headers::PRELUDE;
use super::kernels::{base_name, kernels_in};
use super::plan_file::Request;
use crate::device::embedded::{Embedded, EmbeddedProgram, Sources};
use crate::nvrtc::{CompileError, CompileRequest, Compiled, Nvrtc};
use crate::ptx;
use crate::record::Diagnostic;

/// Rounds of leaving out what does not compile.
const MOST_ROUNDS: usize = 60;
/// What checked programs are compiled for: the least architecture with independent thread scheduling and scoped atomics.
const ARCH: &str = "compute_75";

/// A file's device part, compiled.
#[derive(Debug)]
pub struct CheckProgram {
    pub program: EmbeddedProgram,
    /// C++ name as asked for, to PTX name.
    pub kernels: BTreeMap<String, String>,
}

/// Why a file cannot be checked.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The request's own mistake.
    #[error("{0}")]
    Usage(String),
    #[error("the device part of {file} does not compile")]
    Source { file: String, diagnostics: Vec<Diagnostic> },
    /// Ours.
    #[error("{0}")]
    Fault(String),
}

/// Compiles the device part of `text` for the kernels that `request` launches.
pub fn compile(nvrtc: &Nvrtc, request: &Request, name: &str, text: &str) -> Result<CheckProgram, CheckError> {
    let mut folders = vec![request.file.parent().map(Into::into).unwrap_or_default()];
    folders.extend(request.include_dirs.iter().cloned());
    let mut part = DevicePart::of(text, name, &folders);
    let wanted: Vec<String> = {
        let mut names: Vec<String> = request.launches.iter().map(|launch| launch.kernel.clone()).collect();
        names.sort();
        names.dedup();
        names
    };
    let defined: Vec<String> =
        part.files().iter().flat_map(|(_, text)| kernels_in(text)).map(|kernel| kernel.name).collect();
    let compiled = without_what_fails(nvrtc, request, name, &mut part, &wanted)
        .or_else(|first| by_entry_name(nvrtc, request, name, &mut part, &wanted).ok_or(first))
        .or_else(|first| whole(nvrtc, request, name, text, &wanted).ok_or(first))
        .map_err(|error| match error {
            CompileError::Source { diagnostics } => {
                let missing =
                    wanted.iter().find(|kernel| !defined.iter().any(|name| name == base_name(kernel)));
                match missing {
                    Some(kernel) if !text.contains(base_name(kernel)) => {
                        CheckError::Usage(no_kernel(name, kernel, &defined))
                    }
                    _ => CheckError::Source { file: name.to_owned(), diagnostics },
                }
            }
            other => CheckError::Fault(other.to_string()),
        })?;
    let mut sources = Sources::default();
    for (file, text) in part.files() {
        sources.add_students(file, text);
    }
    let program = Embedded::new(Arc::new(sources)).program(&compiled);
    let program = program.map_err(|error| CheckError::Fault(error.to_string()))?;
    Ok(CheckProgram { program, kernels: compiled.lowered })
}

fn no_kernel(file: &str, kernel: &str, defined: &[String]) -> String {
    if defined.is_empty() {
        return format!("{file} defines no kernel");
    }
    format!("{file} defines no kernel `{kernel}`; it defines {}", defined.join(", "))
}

/// Compiles; what the compiler stumbles on is left out, host parts first, as long as the kernels are left.
fn without_what_fails(
    nvrtc: &Nvrtc,
    request: &Request,
    name: &str,
    part: &mut DevicePart,
    kernels: &[String],
) -> Result<Compiled, CompileError> {
    let mut first = None;
    for _ in 0..MOST_ROUNDS {
        let source = format!("{PRELUDE}{}", part.text());
        let diagnostics = match attempt(nvrtc, request, name, &source, kernels) {
            Err(CompileError::Source { diagnostics }) => diagnostics,
            done => return done,
        };
        let errors: Vec<(String, u32)> =
            diagnostics.iter().filter(|d| is_error(d)).map(|d| (d.file.clone(), d.line)).collect();
        first.get_or_insert(diagnostics);
        let mut dropped = false;
        for device_too in [false, true] {
            if !dropped {
                for (file, line) in &errors {
                    let names: Vec<&str> = kernels.iter().map(|kernel| base_name(kernel)).collect();
                    dropped |= part.drop_at(file, *line, &names, device_too);
                }
            }
        }
        if !dropped {
            break;
        }
    }
    Err(CompileError::Source { diagnostics: first.unwrap_or_default() })
}

/// Compiles without asking for the kernels by their C++ names, and looks for them among the entries: a kernel that is
/// named without its namespace is found so.
fn by_entry_name(
    nvrtc: &Nvrtc,
    request: &Request,
    name: &str,
    part: &mut DevicePart,
    kernels: &[String],
) -> Option<Compiled> {
    let mut compiled = without_what_fails(nvrtc, request, name, part, &[]).ok()?;
    let module = ptx::parse(&compiled.ptx).ok()?;
    let entries: Vec<(String, &str)> = module
        .functions
        .iter()
        .filter(|function| function.kind == ptx::FunctionKind::Entry && function.body.is_some())
        .map(|function| (ptx::plain_name(&function.name), function.name.as_str()))
        .collect();
    for kernel in kernels {
        let squeezed = |text: &str| text.replace(' ', "");
        let ends = |plain: &str| {
            let (plain, kernel) = (squeezed(plain), squeezed(kernel));
            plain == kernel || plain.ends_with(&format!("::{kernel}"))
        };
        let (_, lowered) = entries.iter().find(|(plain, _)| ends(plain))?;
        compiled.lowered.insert(kernel.clone(), (*lowered).to_owned());
    }
    Some(compiled)
}

/// The file as it is, for what the device part cannot be told from.
fn whole(nvrtc: &Nvrtc, request: &Request, name: &str, text: &str, kernels: &[String]) -> Option<Compiled> {
    let source = format!("{PRELUDE}#line 1 \"{name}\"\n{text}");
    attempt(nvrtc, request, name, &source, kernels).ok()
}

fn attempt(
    nvrtc: &Nvrtc,
    request: &Request,
    name: &str,
    source: &str,
    kernels: &[String],
) -> Result<Compiled, CompileError> {
    nvrtc.compile(&CompileRequest {
        source,
        name,
        arch: ARCH,
        defines: &request.defines,
        include_dirs: &request.include_dirs,
        kernels,
        default_device: true,
        ..CompileRequest::default()
    })
}

fn is_error(diagnostic: &Diagnostic) -> bool {
    !matches!(diagnostic.level.as_str(), "warning" | "note" | "remark")
}
