//! Expected results: a serial kernel of ours, run on one thread of the embedded device (contract: the oracle).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::plan::PlannedWant;
use crate::device::embedded::{Call, Embedded, EmbeddedProgram, Loaded};
use crate::exercise::{Exercise, TextFile, Want};
use crate::nvrtc::{CompileRequest, Nvrtc};
use crate::simt::Unobserved;

/// Warp instructions that an oracle may take: it runs on one thread, a hundred instructions an element at most.
const BUDGET: u64 = 2_000_000_000;

/// The oracles of one exercise, with what they have computed so far.
#[derive(Debug)]
pub struct Oracle {
    program: EmbeddedProgram,
    /// C++ name to PTX name.
    kernels: BTreeMap<String, String>,
    known: Mutex<BTreeMap<String, Arc<Vec<u8>>>>,
}

/// The oracle does not work: the exercise's author must act.
#[derive(Debug, Clone, thiserror::Error)]
pub enum OracleError {
    #[error("the oracle {file} does not compile: {problem}")]
    Compile { file: String, problem: String },
    #[error("the oracle kernel `{kernel}` {problem}")]
    Run { kernel: String, problem: String },
}

impl Oracle {
    /// An exercise's oracle; `None` when it has none.
    pub fn of(exercise: &Exercise, nvrtc: &Nvrtc) -> Result<Option<Oracle>, OracleError> {
        let Some(file) = &exercise.oracle else { return Ok(None) };
        let mut kernels: Vec<String> = Vec::new();
        for expect in exercise.rows.iter().flat_map(|row| &row.expect) {
            if let Want::Oracle { kernel, .. } = &expect.want
                && !kernels.contains(kernel)
            {
                kernels.push(kernel.clone());
            }
        }
        Oracle::compile(nvrtc, &exercise.compile.arch, file, &kernels).map(Some)
    }

    /// Compiles the oracle program. `kernels` are the C++ names that rows ask for.
    pub fn compile(
        nvrtc: &Nvrtc,
        arch: &str,
        file: &TextFile,
        kernels: &[String],
    ) -> Result<Oracle, OracleError> {
        let fail = |problem: String| OracleError::Compile { file: file.name.clone(), problem };
        let request = CompileRequest {
            source: &file.text,
            name: &file.name,
            arch,
            kernels,
            ..CompileRequest::default()
        };
        let compiled = nvrtc.compile(&request).map_err(|error| match error {
            crate::nvrtc::CompileError::Source { diagnostics } => {
                let first = diagnostics.into_iter().find(|d| d.level == "error");
                fail(first.map_or_else(String::new, |d| format!("line {}: {}", d.line, d.message)))
            }
            other => fail(other.to_string()),
        })?;
        let program = Embedded::default().program(&compiled).map_err(|error| fail(error.to_string()))?;
        Ok(Oracle { program, kernels: compiled.lowered, known: Mutex::default() })
    }

    /// What a buffer must hold, computed once for each set of arguments.
    pub fn want(&self, want: &PlannedWant) -> Result<Arc<Vec<u8>>, OracleError> {
        let (kernel, buffers, arguments, result) = match want {
            PlannedWant::Bytes(bytes) => return Ok(bytes.clone()),
            PlannedWant::Oracle { kernel, buffers, arguments, want } => (kernel, buffers, arguments, *want),
        };
        let held: Vec<&str> = buffers.iter().map(|b| b.identity.as_str()).collect();
        let key = format!("{kernel} {arguments:?} {held:?}");
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = known.get(&key) {
            return Ok(bytes.clone());
        }
        let fail = |problem: String| OracleError::Run { kernel: kernel.clone(), problem };
        let lowered = self.kernels.get(kernel).ok_or_else(|| fail("is not in the oracle file".to_owned()))?;
        let sizes = buffers.iter().map(|b| (b.name.as_str(), b.contents.len() as u64, b.ty.bytes()));
        let mut loaded = Loaded::new(&self.program.program, sizes);
        for (index, buffer) in buffers.iter().enumerate() {
            loaded.fill(index, &buffer.contents);
        }
        let call = Call {
            kernel: lowered,
            grid: [1; 3],
            block: [1; 3],
            dynamic_shared: 0,
            arguments,
            seed: 0,
            budget: BUDGET,
            checkpoints: None,
        };
        let report = loaded.launch(&call, &mut Unobserved);
        if let Some(fault) = report.fault {
            return Err(fail(format!("was stopped: {:?}", fault.kind)));
        }
        let bytes = Arc::new(loaded.read(result, buffers[result].contents.len()).to_vec());
        known.insert(key, bytes.clone());
        Ok(bytes)
    }
}
