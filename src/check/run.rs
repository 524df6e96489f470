//! Checks a request: compile, run under the checker, say what was found.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::compile::{CheckError, compile};
use super::fit::arguments_fit;
use super::kernels::parameters;
use super::plan_file::Request;
use crate::device::embedded::{CheckBuffer, CheckLaunch, CheckOptions, CheckPlan, EmbeddedProgram};
use crate::model::Violation;
use crate::nvrtc::Nvrtc;
use crate::record::{KernelVerdict, SourceText, Verdict};

/// Everything that a check gave.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
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
    let mut verdicts = built.program.verdicts(&plan, &checked);
    if verdicts.iter().any(|v| v.verdict == Verdict::Defined)
        && let Some(written) = built.as_written(nvrtc, request, name)
    {
        races_as_written(&written, &plan, options, &mut verdicts);
    }
    let sources = vec![SourceText { file: name.to_owned(), text: text.to_owned() }];
    Ok(CheckResult { verdicts, sources, compile, check: begun.elapsed() })
}

/// Looks for races that the compiler has optimised away: a store that nothing reads, a load whose value it could tell. The
/// program has them all the same, and another compiler, or this one after the next edit, may keep them.
fn races_as_written(
    written: &EmbeddedProgram,
    plan: &CheckPlan,
    options: &CheckOptions,
    verdicts: &mut [KernelVerdict],
) {
    let mut checked = written.check(plan, &CheckOptions { thorough: false, ..options.clone() });
    checked.report.findings.retain(|f| matches!(f.violation, Violation::Race(_)));
    for (verdict, written) in verdicts.iter_mut().zip(written.verdicts(plan, &checked)) {
        if verdict.verdict == Verdict::Defined && written.verdict == Verdict::Undefined {
            let reason = "in the program as it is written; the compiler optimises what races away".to_owned();
            *verdict = KernelVerdict { reason: Some(reason), ..written };
        }
    }
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
            read_only: false,
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
