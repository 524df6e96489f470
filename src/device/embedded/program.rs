//! A compiled program on the embedded device, with names for its sites and its shared memory.

use std::sync::Arc;

use super::sources::Sources;
use crate::device::DeviceError;
use crate::nvrtc::Compiled;
use crate::ptx::Module;
use crate::record::SourceLine;
use crate::rules::{Places, SharedVariable};
use crate::simt::{LoadError, Program, Site};

/// A program that is ready to be executed and spoken of.
#[derive(Debug, Clone)]
pub struct EmbeddedProgram {
    pub(crate) program: Arc<Program>,
    pub(super) sources: Arc<Sources>,
}

impl EmbeddedProgram {
    /// Decodes the PTX of a compile.
    pub fn load(compiled: &Compiled, sources: Arc<Sources>) -> Result<EmbeddedProgram, DeviceError> {
        let module = crate::ptx::parse(&compiled.ptx).map_err(|e| DeviceError::Load(e.to_string()))?;
        EmbeddedProgram::decode(&module, sources)
    }

    /// Decodes a module that has been parsed already.
    pub fn decode(module: &Module, sources: Arc<Sources>) -> Result<EmbeddedProgram, DeviceError> {
        let program = Program::load(module).map_err(|error| match error {
            LoadError::TooLarge { .. } => DeviceError::TooLarge(error.to_string()),
            LoadError::AddressSize(_) => DeviceError::Load(error.to_string()),
        })?;
        Ok(EmbeddedProgram { program: Arc::new(program), sources })
    }

    /// Names for one kernel's sites and shared variables.
    pub fn places<'a>(&'a self, kernel: &'a str) -> KernelPlaces<'a> {
        KernelPlaces { program: self, kernel }
    }

    /// Sizes of a kernel's parameters in bytes, in order; empty for an unknown kernel.
    pub fn parameter_sizes(&self, kernel: &str) -> Vec<u32> {
        let kernel = self.program.kernel(kernel);
        kernel.map(|kernel| kernel.parameters.iter().map(|p| p.bytes).collect()).unwrap_or_default()
    }

    /// Whether a kernel reaches an instruction that the device does not execute.
    pub fn is_beyond(&self, kernel: &str) -> bool {
        !self.program.unsupported(kernel).is_empty()
    }

    /// PTX name of the function that holds a site.
    pub fn function(&self, site: Site) -> Option<&str> {
        self.program.function(site)
    }
}

/// [`Places`] of one kernel of a program.
#[derive(Debug, Clone, Copy)]
pub struct KernelPlaces<'a> {
    program: &'a EmbeddedProgram,
    /// PTX name.
    kernel: &'a str,
}

impl Places for KernelPlaces<'_> {
    fn line(&self, site: Site) -> SourceLine {
        let frames = self.program.program.source(site).map(|position| position.frames).unwrap_or_default();
        self.program.sources.line(&frames)
    }

    fn shared_variable(&self, offset: u64) -> Option<SharedVariable> {
        let kernel = self.program.program.kernel(self.kernel)?;
        // Memory past the last declared variable is the dynamic array, which reaches to the end.
        let holds = |v: &&crate::simt::SharedVariable| {
            let start = u64::from(v.offset);
            offset >= start && (v.bytes == 0 || offset < start + u64::from(v.bytes))
        };
        let variable = kernel.shared.iter().filter(holds).max_by_key(|v| v.offset)?;
        Some(SharedVariable {
            name: variable.name.clone(),
            offset: variable.offset.into(),
            bytes: variable.bytes.into(),
            element: variable.element.max(1),
        })
    }

    fn instruction(&self, site: Site) -> String {
        self.program.program.text(site).to_owned()
    }
}
