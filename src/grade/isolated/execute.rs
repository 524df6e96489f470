//! The worker that runs kernels for graders who share results: it sees PTX and never a source, so what it answers is a
//! function of the question alone.
//!
//! NVRTC, which reads a student's text with all of a C++ compiler's faults, runs in another process. Nothing but our own
//! parser and the embedded device, neither of which has any `unsafe`, touches what comes here. So an answer can be given to
//! all who ask the same, whatever the process became that asked first.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::message::Setup;
use super::serve::Ready;
use crate::harness::{Answering, Asked, Told};
use crate::sandbox::{self, Bytes, Outside, pack, unpack};

/// A question as it travels.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Errand {
    /// An [`Asked`], packed: what the answer is kept by.
    pub asked: Bytes,
    /// Time that may be spent on it, in milliseconds.
    pub limit: u64,
}

/// What a grader's worker is told: the reason is ours.
pub(super) type Reply = Result<Told, String>;

/// What the parent is told.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Worked {
    /// A [`Reply`], packed: the parent hands it on unread.
    pub reply: Bytes,
    /// Whether it may be given to others who ask the same.
    pub lasts: bool,
}

/// The worker kind `execute`.
pub fn serve() -> Result<(), String> {
    let prepare =
        |setup: Setup| Ready::new(setup).map(|ready| Executing { ready, exercises: BTreeMap::new() });
    sandbox::serve(prepare, |executing: &mut Executing, errand: Errand, _: &Outside| executing.run(&errand))
}

struct Executing {
    ready: Ready,
    /// Those asked for so far, by id.
    exercises: BTreeMap<String, Answering>,
}

impl Executing {
    fn run(&mut self, errand: &Errand) -> Result<Worked, String> {
        self.ready.set_threads();
        let reply: Reply = unpack(&errand.asked)
            .map_err(|error| format!("a question could not be read: {error}"))
            .and_then(|asked| self.answer(&asked, Duration::from_millis(errand.limit)));
        let lasts = reply.as_ref().is_ok_and(Told::lasts);
        Ok(Worked { reply: pack(&reply).map_err(|error| error.to_string())?, lasts })
    }

    fn answer(&mut self, asked: &Asked, limit: Duration) -> Reply {
        let options = self.ready.options();
        if !self.exercises.contains_key(&asked.exercise) {
            let exercise = self.ready.exercise(&asked.exercise)?.clone();
            let answering = Answering::new(exercise, &options.nvrtc, options.plan_terms());
            let answering = answering.map_err(|error| error.to_string())?;
            self.exercises.insert(asked.exercise.clone(), answering);
        }
        let terms = options.terms(self.ready.exercise(&asked.exercise)?, Instant::now() + limit);
        let answering = self.exercises.get_mut(&asked.exercise).expect("it was just put there");
        answering.answer(asked, &terms).map_err(|error| error.to_string())
    }
}
