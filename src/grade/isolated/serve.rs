//! The worker's side: everything trusted is read before it is confined, then submissions come one by one.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::message::{Setup, Task};
use super::watchdog::Watchdog;
use crate::device::Device;
use crate::device::cuda::CudaDevice;
use crate::exercise::{Catalogue, Exercise};
use crate::grade::{Options, grade};
use crate::nvrtc::Nvrtc;
use crate::record::Graded;
use crate::rubric::Rubric;
use crate::sandbox::{self, Outside};

/// The worker kind `grade`.
pub fn serve() -> Result<(), String> {
    sandbox::serve(Ready::new, |ready, task, outside| ready.grade(task, outside))
}

struct Ready {
    setup: Setup,
    exercises: BTreeMap<String, Exercise>,
    nvrtc: Nvrtc,
    rubric: Rubric,
}

impl Ready {
    fn new(setup: Setup) -> Result<Ready, String> {
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
        Ok(Ready { exercises: exercises.collect(), nvrtc, rubric, setup })
    }

    fn grade(&self, task: Task, outside: &Outside) -> Result<Graded, String> {
        let exercise = self.exercises.get(&task.exercise);
        let exercise =
            exercise.ok_or_else(|| format!("the worker does not know the exercise `{}`", task.exercise))?;
        let choices = &self.setup.choices;
        if let Some(jobs) = choices.jobs {
            // Once a process: for later tasks the pool is there already.
            let _ = rayon::ThreadPoolBuilder::new().num_threads(jobs as usize).build_global();
        }
        let watchdog = Arc::new(Watchdog::new(outside.clone(), task.blamed, task.one_by_one));
        std::thread::spawn({
            let watchdog = Arc::clone(&watchdog);
            move || watchdog.look_after()
        });
        let card = |card| Arc::new(CudaDevice::relayed(outside.clone(), card)) as Arc<dyn Device>;
        let options = Options {
            gpus: task.card.map(card).into_iter().collect(),
            embedded: choices.embedded,
            seed: choices.seed,
            seeds: choices.seeds,
            runs: choices.runs,
            instance_seed: choices.instance_seed,
            strict: choices.strict,
            budget: choices.budget,
            time_limit: Duration::from_secs(choices.time_limit),
            ..Options::new(self.nvrtc.clone().watched(watchdog), self.rubric.clone())
        };
        Ok(grade(exercise, &task.submission, &options))
    }
}
