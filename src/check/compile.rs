//! From a file as written for nvcc to a program on the embedded device.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::device_part::DevicePart;
use super::kernels::{KernelSource, base_name, kernels_in};
use super::plan_file::Request;
use super::target::{Built, FIRST_WAY, Target, other_ways};
use crate::device::embedded::{Embedded, EmbeddedProgram, Sources};
use crate::nvrtc::{CompileError, Compiled, Nvrtc};
use crate::ptx;
use crate::record::Diagnostic;

/// Rounds of leaving out what does not compile.
const MOST_ROUNDS: usize = 60;

/// A file's device part, compiled.
#[derive(Debug)]
pub struct CheckProgram {
    pub program: EmbeddedProgram,
    /// C++ name as asked for, to PTX name.
    pub kernels: BTreeMap<String, String>,
    /// The kernels that the file and its local headers define.
    pub defined: Vec<KernelSource>,
    pub built: Built,
    sources: Arc<Sources>,
}

impl CheckProgram {
    /// The same program with next to no optimisation: stores that nobody reads and loads whose value can be told are still
    /// there. `None` where this NVRTC cannot do that.
    pub fn as_written(&self, nvrtc: &Nvrtc, request: &Request, name: &str) -> Option<EmbeddedProgram> {
        let compiled = self.built.compile(nvrtc, request, name, true).ok()?;
        Embedded::new(self.sources.clone()).program(&compiled).ok()
    }
}

/// Why a file cannot be checked.
#[derive(Debug, thiserror::Error, Serialize, Deserialize)]
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
    let whole_part = DevicePart::of(text, name, &folders, &request.defines);
    let mut part = whole_part.clone();
    let wanted: Vec<String> = {
        let mut names: Vec<String> = request.launches.iter().map(|launch| launch.kernel.clone()).collect();
        names.sort();
        names.dedup();
        names
    };
    let defined: Vec<KernelSource> = part.files().iter().flat_map(|(_, text)| kernels_in(text)).collect();
    let mut outcome = None;
    let mut ways = VecDeque::from([FIRST_WAY]);
    while let Some(way) = ways.pop_front() {
        let to = Target { nvrtc, request, name, way };
        part.clone_from(&whole_part);
        let compiled = without_what_fails(&to, &mut part, &wanted)
            .or_else(|first| by_entry_name(&to, &mut part, &wanted, &first).ok_or(first))
            .or_else(|first| whole(&to, text, &wanted).ok_or(first));
        match compiled {
            Ok(compiled) => {
                outcome = Some(Ok(compiled));
                break;
            }
            // The first way's messages are those of the file as it stands.
            Err(error) if outcome.is_none() => {
                if let CompileError::Source { diagnostics } = &error
                    && wrong_name(name, &wanted, &defined, diagnostics).is_none()
                {
                    ways.extend(other_ways(diagnostics));
                }
                outcome = Some(Err(error));
            }
            Err(_) => {}
        }
    }
    let (built, mut compiled) = outcome.expect("there is a way to compile").map_err(|error| match error {
        CompileError::Source { diagnostics } => match wrong_name(name, &wanted, &defined, &diagnostics) {
            Some(message) => CheckError::Usage(message),
            None => CheckError::Source { file: name.to_owned(), diagnostics },
        },
        other => CheckError::Fault(other.to_string()),
    })?;
    let mut sources = Sources::default();
    for (file, text) in part.files() {
        sources.add_students(file, text);
    }
    let sources = Arc::new(sources);
    let program = Embedded::new(sources.clone()).program(&compiled);
    let program = program.map_err(|error| CheckError::Fault(error.to_string()))?;
    let kernels = std::mem::take(&mut compiled.lowered);
    Ok(CheckProgram { program, kernels, defined, built, sources })
}

/// What NVRTC calls the place of the kernels' names.
const NAME_MAP: &str = "<__nv_name_map>";

/// Why a kernel that was asked for is none, when that is all that went wrong.
fn wrong_name(
    file: &str,
    wanted: &[String],
    defined: &[KernelSource],
    diagnostics: &[Diagnostic],
) -> Option<String> {
    let mut errors = diagnostics.iter().filter(|d| is_error(d));
    if !errors.all(|d| d.file == NAME_MAP) {
        return None;
    }
    for kernel in wanted {
        let mut named = defined.iter().filter(|known| known.name == base_name(kernel)).peekable();
        if named.peek().is_none() {
            let mut names: Vec<&str> = defined.iter().map(|known| known.name.as_str()).collect();
            names.dedup();
            return Some(if names.is_empty() {
                format!("{file} defines no kernel")
            } else {
                format!("{file} defines no kernel `{kernel}`; it defines {}", names.join(", "))
            });
        }
        if named.all(|known| known.template) && !kernel.contains('<') {
            return Some(format!(
                "`{kernel}` is a template: say which of its instances is meant, as in --kernel '{kernel}<float>'"
            ));
        }
    }
    None
}

/// Compiles; what the compiler stumbles on is left out, host parts first, as long as the kernels are left.
fn without_what_fails(
    to: &Target,
    part: &mut DevicePart,
    kernels: &[String],
) -> Result<(Built, Compiled), CompileError> {
    let mut first = None;
    for _ in 0..MOST_ROUNDS {
        let diagnostics = match to.attempt(part.text(), kernels) {
            Err(CompileError::Source { diagnostics }) => diagnostics,
            done => return done,
        };
        let errors: Vec<(String, u32)> =
            diagnostics.iter().filter(|d| is_error(d)).map(|d| (d.file.clone(), d.line)).collect();
        if errors.iter().all(|(file, _)| file == NAME_MAP) {
            // All that is left is that a kernel is not there.
            first = Some(diagnostics);
            break;
        }
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
    to: &Target,
    part: &mut DevicePart,
    kernels: &[String],
    failed: &CompileError,
) -> Option<(Built, Compiled)> {
    let CompileError::Source { diagnostics } = failed else { return None };
    if !diagnostics.iter().any(|d| d.file == NAME_MAP) {
        return None;
    }
    let (built, mut compiled) = without_what_fails(to, part, &[]).ok()?;
    let module = ptx::parse(&compiled.ptx).ok()?;
    let entries: Vec<&str> = module
        .functions
        .iter()
        .filter(|function| function.kind == ptx::FunctionKind::Entry && function.body.is_some())
        .map(|function| function.name.as_str())
        .collect();
    for kernel in kernels {
        let wanted = squeezed(kernel);
        let ends = |entry: &&&str| {
            // With its parameters' types, one of several of a name is meant.
            let known = if kernel.contains('(') { ptx::signature(entry) } else { ptx::plain_name(entry) };
            let known = squeezed(&known);
            known == wanted || known.ends_with(&format!("::{wanted}"))
        };
        let lowered = entries.iter().find(ends)?;
        compiled.lowered.insert(kernel.clone(), (*lowered).to_owned());
    }
    Some((built, compiled))
}

/// A name without blanks and with `const` where the demangler writes it: `const float *` as `floatconst*`.
fn squeezed(name: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for part in name.split_inclusive(['(', ',', '<']) {
        let mut part = part.trim().to_owned();
        if let Some(rest) = part.strip_prefix("const ") {
            let end = rest.find(['*', '&', ',', ')', '>']).unwrap_or(rest.len());
            part = format!("{}const{}", rest[..end].trim(), &rest[end..]);
        }
        words.push(part.replace(' ', ""));
    }
    words.concat()
}

/// The file as it is, for what the device part cannot be told from.
fn whole(to: &Target, text: &str, kernels: &[String]) -> Option<(Built, Compiled)> {
    to.attempt(&format!("#line 1 \"{}\"\n{text}", to.name), kernels).ok()
}

pub(super) fn is_error(diagnostic: &Diagnostic) -> bool {
    !matches!(diagnostic.level.as_str(), "warning" | "note" | "remark")
}
