//! The worker's side: everything trusted is read before it is confined, then submissions come one by one.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::execute::{Errand, Reply};
use super::message::{ABOUT_CARD, ABOUT_KERNEL, Setup, Task};
use super::watchdog::Watchdog;
use crate::device::cuda::CudaDevice;
use crate::device::{Device, DeviceError};
use crate::exercise::{Catalogue, Exercise};
use crate::grade::{Options, grade};
use crate::harness::{Asked, Elsewhere, Plans, Told};
use crate::nvrtc::Nvrtc;
use crate::record::Graded;
use crate::rubric::Rubric;
use crate::sandbox::{self, Outside, pack};

/// The worker kind `grade`.
pub fn serve() -> Result<(), String> {
    sandbox::serve(Ready::new, |ready, task, outside| ready.grade(task, outside))
}

pub(super) struct Ready {
    setup: Setup,
    exercises: BTreeMap<String, Exercise>,
    nvrtc: Nvrtc,
    rubric: Rubric,
    plans: Arc<Plans>,
}

impl Ready {
    pub fn new(setup: Setup) -> Result<Ready, String> {
        let catalogue = match &setup.exercises {
            Some(dir) => Catalogue::from_dir(dir).map_err(|error| error.to_string())?,
            None => Catalogue::embedded(),
        };
        // A broken exercise is told by whoever asks for it.
        let ids = catalogue.ids();
        let exercises =
            ids.into_iter().filter_map(|id| catalogue.load(&id).ok().map(|exercise| (id, exercise)));
        let nvrtc = Nvrtc::open(setup.installation.clone()).map_err(|error| error.to_string())?;
        let (name, text) = &setup.rubric;
        let rubric = Rubric::parse(name, text).map_err(|error| error.to_string())?;
        Ok(Ready { exercises: exercises.collect(), nvrtc, rubric, plans: Arc::default(), setup })
    }

    fn grade(&self, task: Task, outside: &Outside) -> Result<Graded, String> {
        let begun = Instant::now();
        let exercise = self.exercise(&task.exercise)?;
        self.set_threads();
        let watchdog =
            Arc::new(Watchdog::new(outside.clone(), task.blamed, task.one_by_one, task.compile_limit));
        std::thread::spawn({
            let watchdog = Arc::clone(&watchdog);
            move || watchdog.look_after()
        });
        let card = |card| Arc::new(CudaDevice::relayed(outside.about(ABOUT_CARD), card)) as Arc<dyn Device>;
        let options = self.options();
        let limit = options.time_limit;
        let parent =
            || Arc::new(Parent { outside: outside.about(ABOUT_KERNEL), begun, limit }) as Arc<dyn Elsewhere>;
        let options = Options {
            gpus: task.card.map(card).into_iter().collect(),
            elsewhere: task.shared.then(parent),
            nvrtc: self.nvrtc.clone().watched(watchdog),
            ..options
        };
        Ok(grade(exercise, &task.submission, &options))
    }

    pub fn exercise(&self, id: &str) -> Result<&Exercise, String> {
        self.exercises.get(id).ok_or_else(|| format!("the worker does not know the exercise `{id}`"))
    }

    /// Makes the process's pool of threads as large as was chosen; only once, for later calls find it there.
    pub fn set_threads(&self) {
        if let Some(jobs) = self.setup.choices.jobs {
            let _ = rayon::ThreadPoolBuilder::new().num_threads(jobs as usize).build_global();
        }
    }

    /// What was chosen, with no card.
    pub fn options(&self) -> Options {
        let choices = &self.setup.choices;
        Options {
            embedded: choices.embedded,
            seed: choices.seed,
            seeds: choices.seeds,
            runs: choices.runs,
            instance_seed: choices.instance_seed,
            strict: choices.strict,
            budget: choices.budget,
            time_limit: Duration::from_secs(choices.time_limit),
            plans: Arc::clone(&self.plans),
            ..Options::new(self.nvrtc.clone(), self.rubric.clone())
        }
    }
}

/// The parent, who knows what kernels give or has it worked out.
struct Parent {
    outside: Outside,
    begun: Instant,
    limit: Duration,
}

impl Elsewhere for Parent {
    fn ask(&self, asked: &Asked) -> Result<Told, DeviceError> {
        let failed = |error: std::io::Error| DeviceError::Failed(error.to_string());
        let left = self.limit.saturating_sub(self.begun.elapsed());
        let errand = Errand { asked: pack(asked).map_err(failed)?, limit: left.as_millis() as u64 };
        let reply: Reply = self.outside.ask(&errand).map_err(failed)?;
        reply.map_err(DeviceError::Failed)
    }
}
