//! The compiler: one request in, PTX or CUBIN out, or the student's errors.

use std::ffi::CString;
use std::path::PathBuf;
use std::sync::Arc;

use super::call::{self, Failure, Program};
use super::fetch::{FetchError, fetch};
use super::file_table;
use super::find::{FindOptions, Installation, NotFound, Origin};
use super::include_policy::refused_includes;
use super::known::{BareRequest, Known, Outcome};
use super::log::{self, Names};
use super::request::{CompileError, CompileRequest, Compiled};
use super::wheels::WHEELS;
use crate::record::Diagnostic;

/// An NVRTC that answers. Cheap to clone; may be used from several threads, which NVRTC serialises in part.
///
/// A process has one NVRTC: the first that is opened. Finding another later gives that first one.
#[derive(Debug, Clone)]
pub struct Nvrtc {
    installation: Installation,
    version: (i32, i32),
    watch: Option<Arc<dyn CompileWatch>>,
    known: Known,
}

/// Told of every compile, by whoever must know what NVRTC is busy with: it can neither be interrupted nor be kept from
/// crashing on a program made for that.
pub trait CompileWatch: std::fmt::Debug + Send + Sync {
    /// A compile is about to begin; `key` is the same for the same program, options and architecture. An error is its
    /// result, and NVRTC is not called.
    fn begin(&self, key: &str) -> Result<(), CompileError>;
    /// It has ended, one way or another.
    fn end(&self, key: &str);
}

impl Nvrtc {
    /// The first library of `options` that opens and is new enough. Opens nothing from the network.
    pub fn find(options: &FindOptions) -> Result<Nvrtc, NotFound> {
        let mut tried = Vec::new();
        for mut installation in options.candidates() {
            match call::open(&installation.library) {
                Ok(version) => {
                    if installation.include_dirs.is_empty() {
                        installation.include_dirs = options.cached_headers();
                    }
                    return Ok(Nvrtc { installation, version, watch: None, known: Known::default() });
                }
                // That the loader knows no such name is the usual case, and no news.
                Err(_) if installation.origin == Origin::Loader => {}
                Err(reason) => tried.push(format!("{}: {reason}", installation.library.display())),
            }
        }
        Err(NotFound { tried })
    }

    /// Like [`Nvrtc::find`] over the environment; what is missing is fetched into the user's cache. `progress` is
    /// given lines for a person.
    ///
    /// An NVRTC without headers is completed by the fetched ones, and used without when they cannot be had.
    pub fn find_or_fetch(progress: &mut dyn FnMut(&str)) -> Result<Nvrtc, FetchError> {
        let options = FindOptions::from_env();
        let found = Nvrtc::find(&options);
        if let Ok(nvrtc) = &found
            && nvrtc.has_headers()
        {
            return Ok(nvrtc.clone());
        }
        let cache = options.cache.clone().ok_or(FetchError::NoHome);
        match (cache.and_then(|cache| fetch(&cache, progress)), found) {
            (Ok(()), _) => Nvrtc::find(&options).map_err(|error| FetchError::Wheel {
                package: WHEELS[0].package,
                reason: error.tried.join("; "),
            }),
            (Err(_), Ok(nvrtc)) => Ok(nvrtc),
            (Err(error), Err(_)) => Err(error),
        }
    }

    /// Opens exactly this installation: what another process has found.
    pub fn open(installation: Installation) -> Result<Nvrtc, NotFound> {
        match call::open(&installation.library) {
            Ok(version) => Ok(Nvrtc { installation, version, watch: None, known: Known::default() }),
            Err(reason) => {
                Err(NotFound { tried: vec![format!("{}: {reason}", installation.library.display())] })
            }
        }
    }

    /// The same compiler, with `watch` told of every compile.
    pub fn watched(self, watch: Arc<dyn CompileWatch>) -> Nvrtc {
        Nvrtc { watch: Some(watch), ..self }
    }

    /// `(12, 9)`.
    pub fn version(&self) -> (i32, i32) {
        self.version
    }

    pub fn installation(&self) -> &Installation {
        &self.installation
    }

    /// Whether `<cuda/atomic>` can be included.
    pub fn has_headers(&self) -> bool {
        self.installation.include_dirs.iter().any(|dir| dir.join("cuda/atomic").is_file())
    }

    /// Compiles. Options are the house's: the architecture asked for, line information, C++17, no fast math.
    ///
    /// Messages name only the request's own files; a refused include is an error like any other.
    pub fn compile(&self, request: &CompileRequest) -> Result<Compiled, CompileError> {
        if let Some(allowed) = request.allowed_headers {
            let mut allowed = allowed.to_vec();
            allowed.extend(request.virtual_headers.iter().map(|(name, _)| name.clone()));
            let refused = refused_includes(request.source, request.name, &allowed);
            if !refused.is_empty() {
                return Err(CompileError::Source {
                    diagnostics: refused.into_iter().map(Diagnostic::from).collect(),
                });
            }
        }
        let bare = BareRequest::of(request);
        let known = bare.as_ref().and_then(|bare| self.known.get(bare));
        if let (Some(bare), Some(outcome)) = (&bare, &known)
            && let Some(compiled) = bare.compiled(outcome)
        {
            return Ok(compiled);
        }
        // Known to need a look at the program as it is.
        let bare = bare.filter(|_| known.is_none());
        let Some(watch) = &self.watch else { return self.compile_anew(request, bare) };
        let key = key(request);
        watch.begin(&key)?;
        let result = self.compile_anew(request, bare);
        watch.end(&key);
        result
    }

    /// Compiles the bare program, if there is one, and the program itself if there is anything to be said about it.
    fn compile_anew(
        &self,
        request: &CompileRequest,
        bare: Option<BareRequest>,
    ) -> Result<Compiled, CompileError> {
        if let Some(bare) = bare {
            let outcome = match self.compile_as_it_is(&bare.request(request)) {
                Ok(compiled) if compiled.diagnostics.is_empty() => {
                    Outcome::Silent { ptx: compiled.ptx.into(), lowered: compiled.lowered }
                }
                Ok(_) | Err(CompileError::Source { .. }) => Outcome::Speaks,
                Err(error) => return Err(error),
            };
            self.known.keep(&bare, &outcome);
            if let Some(compiled) = bare.compiled(&outcome) {
                return Ok(compiled);
            }
        }
        self.compile_as_it_is(request)
    }

    fn compile_as_it_is(&self, request: &CompileRequest) -> Result<Compiled, CompileError> {
        let mut files = log::line_names(request.source);
        files.push(request.name.to_owned());
        let include_dirs = self.include_dirs(request);
        let names = Names { files: &files, include_dirs: &include_dirs };
        let program = self.program(request)?;
        let done = match program.compile(&options(request, &include_dirs)) {
            Ok(done) => done,
            Err(Failure::Memory) => return Err(too_much("the compiler ran out of memory on this program")),
            Err(Failure::Other(reason)) if self.is_well() => {
                return Err(too_much(&format!("the compiler gave up on this program ({reason})")));
            }
            Err(Failure::Other(reason)) => return Err(unavailable(reason)),
        };
        let diagnostics = log::diagnostics(&program.log(), &names);
        if !done {
            let diagnostics = self.explain_ptxas(request, diagnostics);
            return Err(CompileError::Source { diagnostics });
        }
        let mut compiled = Compiled { diagnostics, ..Compiled::default() };
        if request.arch.starts_with("sm_") {
            compiled.cubin = program.cubin().map_err(unavailable)?;
        } else {
            compiled.ptx = file_table::with_own_names(&program.ptx().map_err(unavailable)?, &names);
        }
        for (index, name) in request.kernels.iter().enumerate() {
            if let Some(lowered) = program.lowered(index) {
                compiled.lowered.insert(name.clone(), lowered);
            }
        }
        Ok(compiled)
    }

    /// Whether the smallest program compiles: if it does, a failure is the other program's.
    fn is_well(&self) -> bool {
        let request =
            CompileRequest { source: "int x();", name: "template", arch: "compute_75", ..Default::default() };
        let program = self.program(&request).ok();
        program.is_some_and(|program| program.compile(&options(&request, &[])).is_ok_and(|done| done))
    }

    /// The request's own folders, then NVRTC's headers; none at all for a program that includes nothing.
    fn include_dirs(&self, request: &CompileRequest) -> Vec<PathBuf> {
        if !request.source.contains("include") {
            return Vec::new();
        }
        let mut dirs: Vec<PathBuf> =
            request.include_dirs.iter().chain(&self.installation.include_dirs).cloned().collect();
        if request.source.contains("cooperative_groups") {
            // Its parts include each other by names relative to themselves (`info.h`, `../cooperative_groups.h`), which
            // are looked for beside the including file; that is off with everything else that stands beside a source.
            let inside = ["cooperative_groups/details", "cooperative_groups"];
            let parts =
                self.installation.include_dirs.iter().flat_map(|dir| inside.map(|part| dir.join(part)));
            dirs.extend(parts.filter(|dir| dir.is_dir()));
        }
        dirs
    }

    fn program(&self, request: &CompileRequest) -> Result<Program, CompileError> {
        let nul = |_| CompileError::Source {
            diagnostics: vec![log::plain(
                "error",
                "the file holds a zero byte: it is not a text file".to_owned(),
            )],
        };
        let text = |text: &str| CString::new(text).map_err(nul);
        let headers = request.virtual_headers.iter();
        let headers: Result<_, _> = headers.map(|(name, body)| Ok((text(name)?, text(body)?))).collect();
        let names: Result<_, _> = request.kernels.iter().map(|name| text(name)).collect();
        Program::new(text(request.source)?, text(request.name)?, headers?, names?).map_err(unavailable)
    }

    /// Gives messages of `ptxas`, which name lines of the PTX, the student's lines: those of a compile to PTX.
    fn explain_ptxas(&self, request: &CompileRequest, mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
        if !diagnostics.iter().any(|d| d.file == "ptx") {
            return diagnostics;
        }
        let arch = request.arch.replace("sm_", "compute_");
        let again = CompileRequest { arch: &arch, ..*request };
        let ptx = self.compile_as_it_is(&again).unwrap_or_default().ptx;
        for diagnostic in diagnostics.iter_mut().filter(|d| d.file == "ptx") {
            let (file, line) = file_table::source_line(&ptx, diagnostic.line).unwrap_or_default();
            diagnostic.message = format!("in the assembly for {}: {}", request.arch, diagnostic.message);
            (diagnostic.file, diagnostic.line) = (file, line);
        }
        diagnostics
    }
}

/// Equal for equal programs.
fn key(request: &CompileRequest) -> String {
    let mut hasher = blake3::Hasher::new();
    let defines = request.defines.iter().flat_map(|(name, value)| [name.as_str(), value.as_str()]);
    let how = if request.as_written { "as written" } else { "" };
    for part in [request.arch, request.source, how].into_iter().chain(defines) {
        hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

fn too_much(message: &str) -> CompileError {
    CompileError::Source { diagnostics: vec![log::plain("error", message.to_owned())] }
}

fn unavailable(reason: String) -> CompileError {
    CompileError::Unavailable(format!("NVRTC failed: {reason}"))
}

fn options(request: &CompileRequest, include_dirs: &[PathBuf]) -> Vec<String> {
    let mut options = vec![
        format!("--gpu-architecture={}", request.arch),
        "--generate-line-info".to_owned(),
        "--std=c++17".to_owned(),
        // Nothing beside the source is ever included.
        "--no-source-include".to_owned(),
    ];
    if request.default_device {
        options.push("--device-as-default-execution-space".to_owned());
    }
    if request.as_written {
        options.push("--Ofast-compile=max".to_owned());
    }
    options.extend(include_dirs.iter().map(|dir| format!("--include-path={}", dir.display())));
    for (name, value) in request.defines {
        options.push(format!("--define-macro={name}={value}").replace('\0', ""));
    }
    options
}
