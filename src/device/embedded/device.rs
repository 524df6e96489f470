//! The embedded device as a [`Device`].

use std::sync::Arc;

use super::program::EmbeddedProgram;
use super::sources::Sources;
use crate::device::{Device, DeviceError, LoadedProgram};
use crate::nvrtc::Compiled;
use crate::ptx::Module;

/// Warp instructions that one launch may take: some seconds of work, a hundred times what the exercises need.
pub const LAUNCH_BUDGET: u64 = 200_000_000;

/// What rows and transcripts call the embedded device.
pub const NAME: &str = "embedded";

/// The CPU playing the strictest GPU that the memory model allows.
#[derive(Debug, Clone, Default)]
pub struct Embedded {
    sources: Arc<Sources>,
}

impl Embedded {
    /// `sources` are what messages quote lines from.
    pub fn new(sources: Arc<Sources>) -> Embedded {
        Embedded { sources }
    }

    /// [`Device::load`] with its own type, which verdicts need.
    pub fn program(&self, compiled: &Compiled) -> Result<EmbeddedProgram, DeviceError> {
        EmbeddedProgram::load(compiled, self.sources.clone())
    }

    /// The same for a module that has been parsed already.
    pub fn decoded(&self, module: &Module) -> Result<EmbeddedProgram, DeviceError> {
        EmbeddedProgram::decode(module, self.sources.clone())
    }
}

impl Device for Embedded {
    fn name(&self) -> String {
        NAME.to_owned()
    }

    fn architecture(&self, floor: &str) -> String {
        floor.to_owned()
    }

    fn load(&self, compiled: &Compiled) -> Result<Box<dyn LoadedProgram>, DeviceError> {
        Ok(Box::new(self.program(compiled)?))
    }
}
