//! A program of a configuration, compiled and loaded wherever it will run.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::constants::{Constants, Probe};
use super::fingerprint::{KernelProgram, kernel_program};
use crate::device::embedded::{Embedded, EmbeddedProgram, NAME};
use crate::device::{Device, DeviceError, LoadedProgram};
use crate::exercise::{Exercise, RegionKind};
use crate::nvrtc::{CompileError, CompileRequest, Compiled, Nvrtc};
use crate::patch::Program;
use crate::ptx;
use crate::record::Diagnostic;

/// One program under one set of defines.
pub struct BuiltProgram {
    pub compiled: Compiled,
    /// For verdicts, whatever the rows run on.
    pub embedded: EmbeddedProgram,
    /// For rows: one for each device of the session, in order. `Err` when that device cannot take it.
    pub loaded: Vec<Result<Box<dyn LoadedProgram>, DeviceError>>,
    pub constants: Constants,
    /// C++ name of a kernel to its program.
    kernels: BTreeMap<String, KernelProgram>,
}

/// Why there is no program.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The student's.
    #[error("the program does not compile")]
    Source(Vec<Diagnostic>),
    /// Ours.
    #[error("{0}")]
    Fault(String),
}

impl From<CompileError> for BuildError {
    fn from(error: CompileError) -> Self {
        match error {
            CompileError::Source { diagnostics } => BuildError::Source(diagnostics),
            other => BuildError::Fault(other.to_string()),
        }
    }
}

impl From<DeviceError> for BuildError {
    fn from(error: DeviceError) -> Self {
        match error {
            DeviceError::TooLarge(message) => source_error(message),
            other => BuildError::Fault(other.to_string()),
        }
    }
}

/// An error of the student's at no line.
fn source_error(message: String) -> BuildError {
    let level = "error".to_owned();
    BuildError::Source(vec![Diagnostic { level, file: String::new(), line: 0, message, text: String::new() }])
}

/// Compiles programs of one exercise for the devices of a session.
pub struct Builder<'a> {
    pub nvrtc: &'a Nvrtc,
    pub exercise: &'a Exercise,
    pub embedded: &'a Embedded,
    pub devices: &'a [Arc<dyn Device>],
}

impl Builder<'_> {
    /// Compiles and loads a program.
    pub fn build(&self, program: &Program, defines: &[(String, String)]) -> Result<BuiltProgram, BuildError> {
        let kernels = self.kernels();
        let probe = Probe::new(&program.text, self.exercise.constants.keys());
        let source = format!("{}{}", program.text, probe.text);
        let request = CompileRequest {
            source: &source,
            name: &program.name,
            arch: &self.exercise.compile.arch,
            defines,
            kernels: &kernels,
            allowed_headers: Some(&self.exercise.compile.headers),
            ..CompileRequest::default()
        };
        let compiled = self.nvrtc.compile(&request)?;
        let module = match ptx::parse(&compiled.ptx) {
            Ok(module) => module,
            Err(error) => {
                self.assemble(&request)?;
                return Err(BuildError::Fault(format!("NVRTC's output could not be read: {error}")));
            }
        };
        let constants = Constants::read(&module, &probe);
        self.within_range(&constants)?;
        let kernels: BTreeMap<String, KernelProgram> = kernels
            .iter()
            .filter_map(|name| {
                let lowered = compiled.lowered.get(name)?;
                Some((name.clone(), kernel_program(&module, lowered)?))
            })
            .collect();
        let embedded = self.embedded.decoded(&module)?;
        if compiled.lowered.values().any(|name| embedded.is_beyond(name)) {
            self.assemble(&request)?;
        }
        let loaded =
            self.devices.iter().map(|d| self.load(d.as_ref(), &embedded, &compiled, &request)).collect();
        Ok(BuiltProgram { compiled, embedded, loaded, constants, kernels })
    }

    /// A constant that a student may choose has a value that the exercise takes, however it is written.
    fn within_range(&self, constants: &Constants) -> Result<(), BuildError> {
        for region in &self.exercise.regions {
            if let RegionKind::Constant { name, min, max } = &region.kind
                && let Some(value) = constants.whole.get(name)
                && !(*min..=*max).contains(&value)
            {
                let message =
                    format!("`{name}` is {value} in this program; the exercise takes {min} to {max}");
                return Err(source_error(message));
            }
        }
        Ok(())
    }

    /// Whether NVIDIA's assembler takes the program. NVRTC copies inline assembly into PTX unread, so what the embedded
    /// device cannot read may be no PTX at all, which is the student's mistake and not a gap of ours.
    fn assemble(&self, request: &CompileRequest) -> Result<(), BuildError> {
        let arch = request.arch.replace("compute_", "sm_");
        match self.nvrtc.compile(&CompileRequest { arch: &arch, ..*request }) {
            Err(CompileError::Source { diagnostics }) => Err(BuildError::Source(diagnostics)),
            // An assembler that cannot be asked decides nothing.
            Ok(_) | Err(CompileError::Unavailable(_)) => Ok(()),
        }
    }

    /// Loads the program on a device, compiled again where the device wants another architecture.
    fn load(
        &self,
        device: &dyn Device,
        embedded: &EmbeddedProgram,
        compiled: &Compiled,
        request: &CompileRequest,
    ) -> Result<Box<dyn LoadedProgram>, DeviceError> {
        if device.name() == NAME {
            return Ok(Box::new(embedded.clone()));
        }
        let arch = device.architecture(request.arch);
        if arch == request.arch {
            return device.load(compiled);
        }
        let other = self.nvrtc.compile(&CompileRequest { arch: &arch, ..*request });
        device.load(&other.map_err(|error| match error {
            // It did compile to PTX: a limit of the card, such as the size of shared memory.
            CompileError::Source { diagnostics } => {
                let first = diagnostics.iter().find(|d| d.level == "error").or(diagnostics.first());
                DeviceError::Build(first.map(|d| d.message.clone()).unwrap_or_default())
            }
            error => DeviceError::Load(error.to_string()),
        })?)
    }

    /// The C++ names of all kernels that rows launch.
    fn kernels(&self) -> Vec<String> {
        let mut kernels: Vec<String> = self.exercise.rows.iter().map(|row| row.kernel.clone()).collect();
        kernels.sort();
        kernels.dedup();
        kernels
    }
}

impl BuiltProgram {
    /// The PTX name of a kernel.
    pub fn lowered(&self, kernel: &str) -> Option<&str> {
        self.compiled.lowered.get(kernel).map(String::as_str)
    }

    /// The hashes of all kernels' programs, by name.
    pub fn hashes(&self) -> impl Iterator<Item = &str> {
        self.kernels.values().map(|kernel| kernel.hash.as_str())
    }

    /// A kernel's program on its own, by C++ name; equal for kernels that are the same.
    pub fn kernel(&self, kernel: &str) -> Option<&KernelProgram> {
        self.kernels.get(kernel)
    }
}
