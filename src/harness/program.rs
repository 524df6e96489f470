//! A program of a configuration, compiled and loaded wherever it will run.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::constants::{Constants, probe};
use super::fingerprint::{KernelProgram, kernel_program};
use crate::device::embedded::{Embedded, EmbeddedProgram, NAME};
use crate::device::{Device, DeviceError, LoadedProgram};
use crate::exercise::Exercise;
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
        BuildError::Fault(error.to_string())
    }
}

/// Compiles programs of one exercise for the devices of a session.
pub struct Builder<'a> {
    pub nvrtc: &'a Nvrtc,
    pub exercise: &'a Exercise,
    pub embedded: &'a Embedded,
    pub devices: &'a [Arc<dyn Device>],
}

impl Builder<'_> {
    /// Compiles and loads a program. Constants that PTX does not show (macros, enumerators) are asked for in a second
    /// compile.
    pub fn build(&self, program: &Program, defines: &[(String, String)]) -> Result<BuiltProgram, BuildError> {
        let kernels = self.kernels();
        let request = CompileRequest {
            source: &program.text,
            name: &program.name,
            arch: &self.exercise.compile.arch,
            defines,
            kernels: &kernels,
            allowed_headers: Some(&self.exercise.compile.headers),
            ..CompileRequest::default()
        };
        let mut compiled = self.nvrtc.compile(&request)?;
        let mut module = parse(&compiled.ptx)?;
        let mut constants = Constants::read(&module);
        let names = self.exercise.constants.keys();
        let missing: Vec<String> =
            names.filter(|name| constants.whole.get(name).is_none()).cloned().collect();
        if !missing.is_empty() {
            let source = format!("{}{}", program.text, probe(&missing));
            compiled = self.nvrtc.compile(&CompileRequest { source: &source, ..request })?;
            module = parse(&compiled.ptx)?;
            constants = Constants::read(&module);
        }
        constants.shown.retain(|name, _| self.exercise.constants.contains_key(name));
        let kernels = kernels
            .iter()
            .filter_map(|name| {
                let lowered = compiled.lowered.get(name)?;
                Some((name.clone(), kernel_program(&module, lowered)?))
            })
            .collect();
        let embedded = self.embedded.decoded(&module)?;
        let loaded =
            self.devices.iter().map(|d| self.load(d.as_ref(), &embedded, &compiled, &request)).collect();
        Ok(BuiltProgram { compiled, embedded, loaded, constants, kernels })
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

fn parse(text: &str) -> Result<ptx::Module, BuildError> {
    ptx::parse(text).map_err(|error| BuildError::Fault(format!("NVRTC's output could not be read: {error}")))
}
