//! Checks in a confined worker, as gradings are: a file that is checked is compiled and executed like one that is graded.
//!
//! The worker reads the compiler, the file's own folder and the folders named for headers, and nothing else. Everything
//! else that a request names (a buffer's first contents) is read before, by whoever asks.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::compile::CheckError;
use super::plan_file::Request;
use super::run::{CheckResult, check};
use crate::device::embedded::CheckOptions;
use crate::grade::{COMPILE_LIMIT, Watchdog, blame};
use crate::model::{self, VolatileRule};
use crate::nvrtc::{Installation, Nvrtc};
use crate::record::Diagnostic;
use crate::sandbox::{self, Confinement, Outside, Policy, Worker, WorkerError, WorkerSpec};

/// What a person chooses of a check.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Choices {
    pub strict: bool,
    pub volatile: VolatileRule,
    pub first_seed: u64,
    pub seeds: Option<u32>,
    pub budget: u64,
    /// Seconds after which no further schedule is tried.
    pub time_limit: u64,
    /// Threads; `None` for one a core.
    pub jobs: Option<u32>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Setup {
    installation: Installation,
    jobs: Option<u32>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Task {
    request: Request,
    name: String,
    text: String,
    choices: Choices,
}

/// Seconds beyond the time limit until the worker is killed: the compiles, and the schedule under way.
const GRACE: u64 = 120;

/// Checks one request.
#[derive(Debug)]
pub struct Checker {
    worker: Worker,
    choices: Choices,
}

impl Checker {
    /// Starts the worker for `request`. `require_sandbox` makes a missing protection an error. `program` is this program
    /// when `None`.
    pub fn start(
        nvrtc: &Nvrtc,
        request: &Request,
        choices: Choices,
        require_sandbox: bool,
        program: Option<PathBuf>,
    ) -> Result<Checker, WorkerError> {
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
        let threads = choices.jobs.map_or(cores, u64::from);
        let buffers: u64 = request.buffers.iter().map(|(_, spec)| spec.bytes()).sum();
        let policy = Policy {
            cpu_seconds: (choices.time_limit + GRACE) * threads,
            // Each schedule under way has the buffers, and what the checker knows of each of their bytes.
            memory: Some((4 << 30) + threads * (128 << 20) + 32 * threads * buffers),
            require_all: require_sandbox,
            ..Policy::default().reading(nvrtc.installation().folders()).reading(header_folders(request))
        };
        let spec = WorkerSpec { program, ..WorkerSpec::new("check", policy) };
        let setup = Setup { installation: nvrtc.installation().clone(), jobs: choices.jobs };
        Ok(Checker { worker: Worker::start(&spec, &setup)?, choices })
    }

    /// Which protections are in force.
    pub fn confinement(&self) -> &Confinement {
        self.worker.confinement()
    }

    /// Checks the kernels of the request. `text` is the file's, `name` what messages call it.
    pub fn check(
        mut self,
        mut request: Request,
        (name, text): (&str, &str),
    ) -> Result<CheckResult, CheckError> {
        request.read_files().map_err(CheckError::Usage)?;
        absolute(&mut request);
        let limit = Duration::from_secs(self.choices.time_limit + GRACE);
        let task =
            Task { request, name: name.to_owned(), text: text.to_owned(), choices: self.choices.clone() };
        let answer: Result<Result<CheckResult, CheckError>, WorkerError> =
            self.worker.run(&task, limit, |_: serde::de::IgnoredAny| {});
        answer.unwrap_or_else(|error| Err(ended(name, &error)))
    }
}

/// The file's own folder, and those named for headers.
fn header_folders(request: &Request) -> Vec<PathBuf> {
    let own = request.file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folders = [own.to_path_buf()].into_iter().chain(request.include_dirs.iter().cloned());
    folders.filter_map(|folder| folder.canonicalize().ok()).collect()
}

/// Makes the request's paths absolute: the worker stands in a folder of its own.
fn absolute(request: &mut Request) {
    let paths = [&mut request.file].into_iter().chain(&mut request.include_dirs);
    for path in paths {
        if let Ok(whole) = std::path::absolute(&*path) {
            *path = whole;
        }
    }
}

/// What a worker's end says of the file.
fn ended(name: &str, error: &WorkerError) -> CheckError {
    match blame(error, COMPILE_LIMIT) {
        Some(message) => {
            let level = "error".to_owned();
            let diagnostic = Diagnostic { level, file: String::new(), line: 0, message, text: String::new() };
            CheckError::Source { file: name.to_owned(), diagnostics: vec![diagnostic] }
        }
        None => CheckError::Fault(error.to_string()),
    }
}

/// The worker kind `check`.
pub fn serve() -> Result<(), String> {
    let prepare = |setup: Setup| {
        let nvrtc = Nvrtc::open(setup.installation).map_err(|error| error.to_string())?;
        Ok((nvrtc, setup.jobs))
    };
    sandbox::serve(prepare, |(nvrtc, jobs), task: Task, outside: &Outside| {
        if let Some(jobs) = jobs {
            // Once a process; a pool that is there already keeps its size.
            let _ = rayon::ThreadPoolBuilder::new().num_threads(*jobs as usize).build_global();
        }
        let watchdog = Arc::new(Watchdog::new(outside.clone(), BTreeMap::new(), false, COMPILE_LIMIT));
        std::thread::spawn({
            let watchdog = Arc::clone(&watchdog);
            move || watchdog.look_after()
        });
        let Task { mut request, name, text, choices } = task;
        let options = CheckOptions {
            model: model::Options {
                strict: choices.strict,
                volatile: choices.volatile,
                ..model::Options::default()
            },
            thorough: true,
            first_seed: choices.first_seed,
            seeds: choices.seeds,
            budget: choices.budget,
            deadline: Some(Instant::now() + Duration::from_secs(choices.time_limit)),
        };
        check(&nvrtc.clone().watched(watchdog), &mut request, (&name, &text), &options)
    })
}
