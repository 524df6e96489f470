//! Checks a request: compile, run under the checker, say what was found.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::compile::{CheckError, compile};
use super::fit::arguments_fit;
use super::kernels::parameters;
use super::plan_file::Request;
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
    request.name_buffers(|kernel, count| parameters(&built.defined, kernel, count));
    let plan = plan(request, |kernel| built.kernels.get(kernel).cloned())?;
    for (launch, spec) in plan.launches.iter().zip(&request.launches) {
        let sizes = built.program.parameter_sizes(&launch.kernel);
        let names = parameters(&built.defined, &spec.kernel, sizes.len());
        arguments_fit(&spec.kernel, &launch.arguments, &sizes, &names).map_err(CheckError::Usage)?;
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
        let contents =
            spec.contents().map_err(|problem| CheckError::Usage(format!("buffer `{name}`: {problem}")))?;
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
        plan.launches.push(CheckLaunch {
            kernel: lowered(&launch.kernel).ok_or_else(missing)?,
            title: launch.kernel.clone(),
            grid: launch.grid,
            block: launch.block,
            dynamic_shared: launch.shared,
            arguments: launch.arguments.clone(),
        });
    }
    Ok(plan)
}
