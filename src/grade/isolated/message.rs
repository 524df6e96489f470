//! What a grader and its worker say to each other.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::watchdog::COMPILE_LIMIT;
use crate::device::cuda::Card;
use crate::nvrtc::Installation;
use crate::submission::Submission;

/// What a worker is told before it is confined: all of it the staff's.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Setup {
    /// A folder of exercises; `None` for the built-in ones.
    pub exercises: Option<PathBuf>,
    /// The rubric's name for messages, and its text.
    pub rubric: (String, String),
    /// The compiler, found and with its headers.
    pub installation: Installation,
    pub choices: Choices,
}

/// The [`Options`](crate::grade::Options) of a grading that a person can choose.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Choices {
    /// Whether rows run on the embedded device.
    pub embedded: bool,
    pub seed: u64,
    pub seeds: Option<u32>,
    pub runs: Option<u32>,
    pub instance_seed: Option<u64>,
    pub strict: bool,
    pub budget: Option<u64>,
    /// Seconds for everything together.
    pub time_limit: u64,
    /// Seconds for one compile.
    pub compile_limit: u64,
    /// Threads; `None` for one a core.
    pub jobs: Option<u32>,
}

impl Default for Choices {
    /// What the command line chooses when nothing is said.
    fn default() -> Self {
        Choices {
            embedded: true,
            seed: 0,
            seeds: None,
            runs: None,
            instance_seed: None,
            strict: false,
            budget: None,
            time_limit: 600,
            compile_limit: COMPILE_LIMIT,
            jobs: None,
        }
    }
}

/// One submission.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Task {
    pub exercise: String,
    pub submission: Submission,
    /// The parent has a card to answer for.
    pub card: Option<Card>,
    /// Programs, by the compiler's key, that are not to be compiled again, with the reason in a student's words.
    pub blamed: BTreeMap<String, String>,
    /// One compile at a time, so that a crash has one culprit.
    pub one_by_one: bool,
    /// Seconds for one compile.
    pub compile_limit: u64,
    /// The parent answers what kernels give.
    pub shared: bool,
}

impl Task {
    /// These programs are not to be compiled again, for `reason`.
    pub fn blame(&mut self, programs: &[String], reason: &str) {
        self.blamed.extend(programs.iter().map(|program| (program.clone(), reason.to_owned())));
    }
}

/// What a worker's question is about: a card.
pub(super) const ABOUT_CARD: u8 = 0;
/// A verdict or a row of the embedded device.
pub(super) const ABOUT_KERNEL: u8 = 1;

/// What a worker tells on the way.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Stage {
    /// A compile begins, of the program with this key.
    Compiling(String),
    Compiled(String),
    /// These have taken too long; the worker ends itself.
    Endless(Vec<String>),
}
