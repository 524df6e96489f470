//! Checks a request: compile, run under the checker, say what was found.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::compile::{CheckError, compile};
use super::kernels::{base_name, kernels_in};
use super::plan_file::{LaunchArgument, Request};
use crate::device::JobArgument;
use crate::device::embedded::{CheckBuffer, CheckLaunch, CheckOptions, CheckPlan};
use crate::nvrtc::Nvrtc;
use crate::record::{KernelVerdict, SourceText};

/// Everything that a check gave.
#[derive(Debug, Clone, Default)]
pub struct CheckResult {
    /// One for each kernel, in the order of their first launch.
    pub verdicts: Vec<KernelVerdict>,
    /// The file and its local headers, for views that show lines.
    pub sources: Vec<SourceText>,
    pub compile: Duration,
    pub check: Duration,
}

/// Checks the kernels of a request. `text` is the file's, `name` what messages call it.
pub fn check(
    nvrtc: &Nvrtc,
    request: &mut Request,
    (name, text): (&str, &str),
    options: &CheckOptions,
) -> Result<CheckResult, CheckError> {
    let begun = Instant::now();
    let built = compile(nvrtc, request, name, text)?;
    let kernels = kernels_in(text);
    request.name_buffers(|kernel| {
        let known = kernels.iter().find(|known| known.name == base_name(kernel));
        known.map(|known| known.parameters.clone()).unwrap_or_default()
    });
    let plan = plan(request, |kernel| built.kernels.get(kernel).cloned())?;
    for (launch, spec) in plan.launches.iter().zip(&request.launches) {
        arguments_fit(launch, &spec.kernel, built.program.parameter_sizes(&launch.kernel))?;
    }
    let compile = begun.elapsed();
    let begun = Instant::now();
    let checked = built.program.check(&plan, options);
    let verdicts = built.program.verdicts(&plan, &checked);
    let sources = vec![SourceText { file: name.to_owned(), text: text.to_owned() }];
    Ok(CheckResult { verdicts, sources, compile, check: begun.elapsed() })
}

fn plan(request: &Request, lowered: impl Fn(&str) -> Option<String>) -> Result<CheckPlan, CheckError> {
    let mut plan = CheckPlan::default();
    for (name, spec) in &request.buffers {
        let contents = spec.contents().map_err(CheckError::Usage)?.unwrap_or_default();
        plan.buffers.push(CheckBuffer {
            name: name.clone(),
            bytes: spec.bytes(),
            element: spec.ty.bytes() as u32,
            initialised: contents.len() as u64,
            contents: Arc::new(contents),
        });
    }
    for launch in &request.launches {
        let missing = || CheckError::Usage(format!("there is no kernel `{}`", launch.kernel));
        let arguments = launch.arguments.iter().map(|argument| match argument {
            LaunchArgument::Bytes(bytes) => JobArgument::Bytes(bytes.clone()),
            LaunchArgument::Buffer(index) => JobArgument::Buffer(*index),
        });
        plan.launches.push(CheckLaunch {
            kernel: lowered(&launch.kernel).ok_or_else(missing)?,
            title: launch.kernel.clone(),
            grid: launch.grid,
            block: launch.block,
            dynamic_shared: launch.shared,
            arguments: arguments.collect(),
        });
    }
    Ok(plan)
}

/// Whether a launch passes what its kernel takes: sizes in bytes, in order.
fn arguments_fit(launch: &CheckLaunch, kernel: &str, sizes: Vec<u32>) -> Result<(), CheckError> {
    let given = launch.arguments.len();
    if given != sizes.len() {
        return Err(CheckError::Usage(format!(
            "`{kernel}` takes {} arguments, and {given} were given",
            sizes.len()
        )));
    }
    for (position, (argument, size)) in launch.arguments.iter().zip(sizes).enumerate() {
        let bytes = match argument {
            JobArgument::Buffer(_) => 8,
            JobArgument::Bytes(bytes) => bytes.len(),
        };
        if bytes != size as usize {
            let number = position + 1;
            let what = if matches!(argument, JobArgument::Buffer(_)) {
                "a buffer's address has"
            } else {
                "the value has"
            };
            return Err(CheckError::Usage(format!(
                "argument {number} of `{kernel}`: {what} {bytes} bytes, and the parameter has {size}"
            )));
        }
    }
    Ok(())
}
