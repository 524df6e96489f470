//! Confined gradings from arguments: the GPU that is asked for, the worker, what protects it.

use std::sync::Arc;

use super::error::CliError;
use super::grading::{DeviceName, GradingArgs, rubric_text};
use super::progress::Progress;
use crate::device::cuda::sanitizer::{Sanitizer, find};
use crate::device::cuda::{self, GpuWorker};
use crate::exercise::Catalogue;
use crate::grade::{Choices, Grader, Setup, SharedAnswers};
use crate::nvrtc::Nvrtc;
use crate::sandbox::Confinement;

/// A grader with its worker started. Protections that are missing are told, or, with `--require-sandbox`, an error.
///
/// The exercise and rubric that the arguments name are assumed to be in order: the caller has loaded them. With `shared`,
/// what kernels give is shared with the other graders of a class.
pub fn grader(
    args: &GradingArgs,
    nvrtc: &Nvrtc,
    shared: Option<Arc<SharedAnswers>>,
    progress: Progress,
) -> Result<Grader, CliError> {
    let gpu = gpu(args)?;
    let sanitizer = sanitizer(args, gpu.as_ref())?;
    let catalogue = match &args.exercises {
        Some(dir) => Catalogue::from_dir(dir).map_err(|error| CliError::Exercise(error.to_string()))?,
        None => Catalogue::embedded(),
    };
    let exercises = args.exercises.as_ref().map(|dir| dir.canonicalize().unwrap_or_else(|_| dir.clone()));
    let setup = Setup {
        exercises,
        rubric: rubric_text(args, &catalogue)?,
        installation: nvrtc.installation().clone(),
        choices: Choices {
            embedded: args.device != DeviceName::Cuda,
            seed: args.seed,
            seeds: args.seeds,
            runs: args.runs,
            instance_seed: args.instance_seed,
            strict: args.strict,
            budget: args.budget,
            time_limit: args.time_limit,
            compile_limit: args.compile_limit,
            jobs: args.jobs,
        },
    };
    let mut grader = Grader::new(setup, gpu, args.require_sandbox, None);
    if let Some(answers) = shared {
        grader = grader.sharing(answers);
    }
    if let Some(tool) = sanitizer {
        grader = grader.beside(tool, nvrtc.clone());
    }
    let confinement = grader.start().map_err(|error| CliError::Fault(error.to_string()))?;
    tell_missing(confinement, progress);
    Ok(grader)
}

/// Says which protections are not in force.
pub fn tell_missing(confinement: &Confinement, progress: Progress) {
    if !confinement.missing.is_empty() {
        progress.line(&format!(
            "this machine lacks protections against hostile submissions ({}); see `warpgrade doctor`",
            confinement.missing.join("; ")
        ));
    }
}

/// The tool, where it is asked for: an error when it, or a card for it, is not there.
fn sanitizer(args: &GradingArgs, gpu: Option<&GpuWorker>) -> Result<Option<Sanitizer>, CliError> {
    if !args.sanitizer {
        return Ok(None);
    }
    if gpu.is_none() {
        return Err(CliError::Fault("compute-sanitizer needs a GPU, and none is used here".to_owned()));
    }
    let missing =
        || CliError::Fault("compute-sanitizer was not found; it comes with the CUDA toolkit".to_owned());
    find().map(Some).ok_or_else(missing)
}

/// The arguments of worker number `worker` of several: each takes its turn among this machine's cards, unless one is named.
pub fn of_worker(args: &GradingArgs, worker: usize, cards: usize) -> GradingArgs {
    GradingArgs { gpu: args.gpu.or((cards > 1).then(|| worker % cards)), ..args.clone() }
}

/// How many cards there are to share, when any are to be used and none is named.
pub fn cards(args: &GradingArgs) -> usize {
    if args.device == DeviceName::Embedded || args.gpu.is_some() {
        return 0;
    }
    cuda::probe().map_or(0, |found| found.cards.len())
}

/// The card to use: an error where one is asked for and there is none; none where any will do.
fn gpu(args: &GradingArgs) -> Result<Option<GpuWorker>, CliError> {
    if args.device == DeviceName::Embedded {
        return Ok(None);
    }
    let number = args.gpu.unwrap_or(0);
    let number = i32::try_from(number).map_err(|_| CliError::Usage(format!("there is no GPU {number}")))?;
    match GpuWorker::start(number, GpuWorker::spec()) {
        Ok(worker) => Ok(Some(worker)),
        Err(_) if args.device == DeviceName::Auto => Ok(None),
        Err(error) => Err(CliError::Fault(error.to_string())),
    }
}
