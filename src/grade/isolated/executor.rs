//! The parent's side of the worker that runs kernels: questions of a grading worker are answered from what is shared, or
//! by a worker of the grader's own.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::execute::{Errand, Reply, Worked};
use super::message::Setup;
use super::shared::SharedAnswers;
use crate::sandbox::{Bytes, Question, Worker, WorkerError, WorkerSpec, pack, unpack};

/// Questions that one submission may ask: a program in every configuration asks some dozens.
const MOST_QUESTIONS: usize = 2_000;
/// Bytes of a question: a kernel's PTX has some tens of thousands.
const LONGEST_QUESTION: usize = 16 << 20;

/// Answers the questions of one grader's submissions.
#[derive(Debug)]
pub(super) struct Executor {
    spec: WorkerSpec,
    setup: Setup,
    shared: Arc<SharedAnswers>,
    worker: Option<Worker>,
}

/// What one submission may still use.
#[derive(Debug)]
pub(super) struct Allowance {
    questions: usize,
    until: Instant,
}

impl Allowance {
    pub fn new(limit: Duration) -> Allowance {
        Allowance { questions: MOST_QUESTIONS, until: Instant::now() + limit }
    }
}

impl Executor {
    pub fn new(spec: WorkerSpec, setup: Setup, shared: Arc<SharedAnswers>) -> Executor {
        Executor { spec, setup, shared, worker: None }
    }

    /// Starts the worker now, so that the first question does not wait for it.
    pub fn start(&mut self) -> Result<(), WorkerError> {
        self.worker().map(drop)
    }

    /// Answers a grading worker, which may have become anybody's: nothing of the question is believed.
    pub fn answer(&mut self, question: &Question, allowance: &mut Allowance) -> std::io::Result<Bytes> {
        let errand: Errand = unpack(&question.body)?;
        let left = allowance.until.saturating_duration_since(Instant::now());
        if allowance.questions == 0 || left.is_zero() || errand.asked.0.len() > LONGEST_QUESTION {
            return refused("this submission asks for more than one may");
        }
        allowance.questions -= 1;
        let limit = left.min(Duration::from_millis(errand.limit));
        let shared = Arc::clone(&self.shared);
        let answer = shared.answer(&errand.asked.0, || {
            self.work(&Errand { asked: errand.asked.clone(), limit: limit.as_millis() as u64 }, limit)
                .map(|worked| (worked.reply.0, worked.lasts))
        });
        match answer {
            Ok(reply) => Ok(Bytes(reply)),
            Err(error) => refused(&format!("the worker that runs kernels was stopped: {error}")),
        }
    }

    fn work(&mut self, errand: &Errand, limit: Duration) -> Result<Worked, WorkerError> {
        let worked: Result<Worked, String> =
            self.worker()?.run(errand, limit + Duration::from_secs(super::grader::GRACE), |()| {})?;
        worked.map_err(WorkerError::Garbled)
    }

    fn worker(&mut self) -> Result<&mut Worker, WorkerError> {
        if self.worker.as_ref().is_some_and(|worker| !worker.is_alive()) {
            self.worker = None;
        }
        match &mut self.worker {
            Some(worker) => Ok(worker),
            none => Ok(none.insert(Worker::start(&self.spec, &self.setup)?)),
        }
    }
}

fn refused(why: &str) -> std::io::Result<Bytes> {
    pack(&Reply::Err(why.to_owned()))
}
