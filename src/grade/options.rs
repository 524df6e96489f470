//! What a grading can be told.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::device::Device;
use crate::device::embedded::LAUNCH_BUDGET;
use crate::exercise::Exercise;
use crate::harness::{Elsewhere, PlanTerms, Plans, Terms, secret_seed};
use crate::model::{self, VolatileRule};
use crate::nvrtc::Nvrtc;
use crate::rubric::Rubric;

/// Which devices rows run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DeviceChoice {
    #[default]
    Embedded,
    /// A GPU; the verdict is the embedded device's all the same.
    Cuda,
    /// A GPU where there is one, else the embedded device.
    Auto,
    All,
}

/// Everything that a grading needs beside the exercise and the submission.
pub struct Options {
    pub nvrtc: Nvrtc,
    pub rubric: Rubric,
    /// Devices besides the embedded one, ready to use.
    pub gpus: Vec<Arc<dyn Device>>,
    /// Whether rows run on the embedded device (too).
    pub embedded: bool,
    /// Whether kernels are checked. Without a verdict rows run on the plain device, and nothing is said of the model.
    pub verdicts: bool,
    /// Schedule of run 0.
    pub seed: u64,
    /// Schedules of a verdict; `None` chooses by the kernel's size.
    pub seeds: Option<u32>,
    /// Launches per row instead of the exercise's own number.
    pub runs: Option<u32>,
    /// What hidden instances' data come from; `None` draws a secret one.
    pub instance_seed: Option<u64>,
    /// Notes of the strict clock count as errors.
    pub strict: bool,
    pub volatile: VolatileRule,
    /// Warp instructions of one launch; `None` leaves it to the exercise.
    pub budget: Option<u64>,
    /// For everything together.
    pub time_limit: Duration,
    /// Plans of earlier gradings, where there are some.
    pub plans: Arc<Plans>,
    /// Who works out verdicts and the embedded device's rows; `None`: this process.
    pub elsewhere: Option<Arc<dyn Elsewhere>>,
}

impl Options {
    /// The defaults, with a compiler and a rubric.
    pub fn new(nvrtc: Nvrtc, rubric: Rubric) -> Options {
        Options {
            nvrtc,
            rubric,
            gpus: Vec::new(),
            embedded: true,
            verdicts: true,
            seed: 0,
            seeds: None,
            runs: None,
            instance_seed: None,
            strict: false,
            volatile: VolatileRule::default(),
            budget: None,
            time_limit: Duration::from_secs(600),
            plans: Arc::default(),
            elsewhere: None,
        }
    }

    /// What verdicts and rows are worked out on.
    pub fn terms(&self, exercise: &Exercise, deadline: Instant) -> Terms {
        Terms {
            seed: self.seed,
            seeds: self.seeds,
            model: model::Options {
                strict: self.strict,
                volatile: self.volatile,
                ..model::Options::default()
            },
            budget: self.budget.or(exercise.launch_budget).unwrap_or(LAUNCH_BUDGET),
            deadline: Some(deadline),
        }
    }

    /// What plans are made from; a secret is drawn where no seed was given.
    pub fn plan_terms(&self) -> PlanTerms {
        PlanTerms { runs: self.runs, instance_seed: self.instance_seed.unwrap_or_else(secret_seed) }
    }
}
