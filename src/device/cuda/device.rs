//! The parent's side: a card as a [`Device`], whose every touch is a worker's.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::line::{GpuWorker, Line, LineError, OTHER_LIMIT, Relayed};
use super::probe::Card;
use super::row::BATCH;
use super::wire::{Answer, ArgumentSpec, Batch, BufferSpec, Request, RowSpec};
use crate::device::{
    Device, DeviceError, Job, JobArgument, JobBuffer, JobOutcome, LoadedProgram, StopKind, Stopped,
};
use crate::nvrtc::Compiled;
use crate::sandbox::{Bytes, Outside};

/// How long one batch of launches may take: kernels of exercises take microseconds, so this is an endless loop.
pub const BATCH_LIMIT: Duration = Duration::from_secs(10);

/// A card of this machine. Rows run one after another, in one worker process that is renewed after a fault.
pub struct CudaDevice {
    card: Card,
    shared: Arc<Shared>,
}

struct Shared {
    gpu: i32,
    batch_limit: Duration,
    state: Mutex<State>,
}

/// The line to the present worker, and what that has been given.
struct State {
    line: Box<dyn Line>,
    opened: bool,
    given: HashSet<String>,
}

impl CudaDevice {
    /// The card of a worker of this process.
    pub fn new(worker: &GpuWorker, batch_limit: Duration) -> CudaDevice {
        CudaDevice::over(Box::new(worker.clone()), worker.card().clone(), batch_limit)
    }

    /// The card of the parent's worker, for a confined process: the parent answers with [`GpuWorker::answer`].
    pub fn relayed(outside: Outside, card: Card) -> CudaDevice {
        CudaDevice::over(Box::new(Relayed(outside)), card, BATCH_LIMIT)
    }

    fn over(line: Box<dyn Line>, card: Card, batch_limit: Duration) -> CudaDevice {
        let state = Mutex::new(State { line, opened: false, given: HashSet::new() });
        CudaDevice { shared: Arc::new(Shared { gpu: card.ordinal, batch_limit, state }), card }
    }

    pub fn card(&self) -> &Card {
        &self.card
    }
}

impl Device for CudaDevice {
    fn name(&self) -> String {
        self.card.name.clone()
    }

    fn architecture(&self, _floor: &str) -> String {
        self.card.architecture()
    }

    fn load(&self, compiled: &Compiled) -> Result<Box<dyn LoadedProgram>, DeviceError> {
        if compiled.cubin.is_empty() {
            return Err(DeviceError::Load("it was not built for a card".to_owned()));
        }
        let key = format!("program {}", blake3::hash(&compiled.cubin).to_hex());
        Ok(Box::new(CudaProgram { shared: Arc::clone(&self.shared), key, cubin: compiled.cubin.clone() }))
    }
}

struct CudaProgram {
    shared: Arc<Shared>,
    key: String,
    cubin: Vec<u8>,
}

impl LoadedProgram for CudaProgram {
    fn run(&self, job: &Job) -> Result<JobOutcome, DeviceError> {
        let shared = &*self.shared;
        let mut state = shared.lock();
        state.open(shared)?;
        state.give(&self.key, |key| Request::Module { key, cubin: Bytes(self.cubin.clone()) })?;
        let mut buffers = Vec::new();
        for buffer in job.buffers {
            let blob = state.give_buffer(buffer)?;
            buffers.push(BufferSpec {
                name: buffer.name.clone(),
                ty: buffer.ty.into(),
                blob,
                read_only: buffer.read_only,
                poisoned: buffer.poisoned,
            });
        }
        let mut wanted = Vec::new();
        for want in job.wanted {
            wanted.push((want.buffer, state.give_bytes(&want.want)?));
        }
        let arguments = job.arguments.iter().map(|argument| match argument {
            JobArgument::Buffer(index) => ArgumentSpec::Buffer(*index),
            JobArgument::Bytes(bytes) => ArgumentSpec::Bytes(Bytes(bytes.clone())),
            JobArgument::Struct { bytes, pointers } => {
                ArgumentSpec::Struct(Bytes(bytes.clone()), pointers.clone())
            }
        });
        let spec = RowSpec {
            module: self.key.clone(),
            kernel: job.kernel.to_owned(),
            grid: job.grid,
            block: job.block,
            dynamic_shared: job.dynamic_shared,
            buffers,
            arguments: arguments.collect(),
            wanted,
        };
        let mut outcome = JobOutcome::default();
        match state.ask(&Request::Row(spec))? {
            Answer::Done => state.launches(shared, job, &mut outcome)?,
            Answer::Impossible(words) => {
                outcome.stopped = Some(Stopped {
                    run: 0,
                    message: format!("the kernel `{}` {words}", job.title),
                    kind: StopKind::Kernel,
                });
            }
            answer => return Err(unexpected(answer)),
        }
        Ok(outcome)
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// All launches of a row that is ready. What was measured before a fault or a time-out is kept.
    fn launches(&mut self, shared: &Shared, job: &Job, outcome: &mut JobOutcome) -> Result<(), DeviceError> {
        let mut idle = 0;
        while (outcome.runs.len() as u32) < job.runs {
            let first = outcome.runs.len() as u32;
            // The first goes alone: what it prints is its own.
            let count = if first == 0 { 1 } else { BATCH.min(job.runs - first) };
            let left = job.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            let limit = left.map_or(shared.batch_limit, |left| left.min(shared.batch_limit));
            let stop = |run: u32, kind, what: String| Some(Stopped { run, message: what, kind });
            let batch = match self.ask_within(&Request::Launch { first, count }, limit) {
                Ok(Answer::Batch(batch)) => batch,
                Ok(answer) => return Err(unexpected(answer)),
                Err(LineError::TimedOut) if limit < shared.batch_limit => {
                    outcome.stopped =
                        stop(first, StopKind::Deadline, "the time for this grading ran out".to_owned());
                    return Ok(());
                }
                Err(LineError::TimedOut) => {
                    outcome.stopped = stop(first, StopKind::Kernel, endless(job, shared.batch_limit));
                    return Ok(());
                }
                Err(error) => return Err(error.into()),
            };
            let Batch { runs, fault, printed, printed_cut } = batch;
            idle = if runs.is_empty() { idle + 1 } else { 0 };
            outcome.runs.extend(runs);
            if first == 0 && !printed.is_empty() {
                (outcome.printed, outcome.printed_cut) = (printed, printed_cut);
            }
            if let Some(words) = fault {
                // The context is lost, and whatever was in it.
                self.end();
                let run = outcome.runs.len() as u32;
                outcome.stopped = stop(run, StopKind::Kernel, faulted(job, run, &words));
                return Ok(());
            }
            if idle > 1 {
                return Err(DeviceError::Failed(
                    "the GPU worker finished no launch and named no fault".to_owned(),
                ));
            }
        }
        Ok(())
    }

    fn open(&mut self, shared: &Shared) -> Result<(), DeviceError> {
        if !self.opened {
            match self.ask(&Request::Open { gpu: shared.gpu })? {
                Answer::Done => self.opened = true,
                answer => return Err(unexpected(answer)),
            }
        }
        Ok(())
    }

    /// Gives the worker something once, under a name.
    fn give(&mut self, key: &str, request: impl FnOnce(String) -> Request) -> Result<(), DeviceError> {
        if self.given.contains(key) {
            return Ok(());
        }
        match self.ask(&request(key.to_owned()))? {
            Answer::Done => {
                self.given.insert(key.to_owned());
                Ok(())
            }
            Answer::Failed(words) => Err(DeviceError::Load(words)),
            answer => Err(unexpected(answer)),
        }
    }

    /// Buffers that hold the same are known by their identity, and large ones need not be hashed each time.
    fn give_buffer(&mut self, buffer: &JobBuffer) -> Result<String, DeviceError> {
        if buffer.identity.is_empty() {
            return self.give_bytes(&buffer.contents);
        }
        let key = format!("buffer {} of {} bytes", buffer.identity, buffer.contents.len());
        self.give(&key, |key| Request::Blob { key, bytes: Bytes(buffer.contents.to_vec()) })?;
        Ok(key)
    }

    fn give_bytes(&mut self, bytes: &Arc<Vec<u8>>) -> Result<String, DeviceError> {
        let key = format!("bytes {}", blake3::hash(bytes).to_hex());
        self.give(&key, |key| Request::Blob { key, bytes: Bytes(bytes.to_vec()) })?;
        Ok(key)
    }

    fn ask(&mut self, request: &Request) -> Result<Answer, DeviceError> {
        Ok(self.ask_within(request, OTHER_LIMIT)?)
    }

    fn ask_within(&mut self, request: &Request, limit: Duration) -> Result<Answer, LineError> {
        let answer = self.line.ask(request, limit);
        if answer.is_err() {
            self.forget();
        }
        answer
    }

    /// Ends the worker; the next row gets a fresh one.
    fn end(&mut self) {
        self.line.end();
        self.forget();
    }

    fn forget(&mut self) {
        self.opened = false;
        self.given.clear();
    }
}

fn unexpected(answer: Answer) -> DeviceError {
    match answer {
        Answer::Failed(words) => DeviceError::Failed(words),
        Answer::Impossible(words) => DeviceError::Failed(words),
        _ => DeviceError::Failed("the GPU worker gave another answer than was asked for".to_owned()),
    }
}

/// `1024 blocks of 256 threads`.
fn shape(job: &Job) -> String {
    let whole = |of: [u32; 3]| match of {
        [x, 1, 1] => x.to_string(),
        [x, y, 1] => format!("{x} x {y}"),
        [x, y, z] => format!("{x} x {y} x {z}"),
    };
    format!("{} blocks of {} threads", whole(job.grid), whole(job.block))
}

fn faulted(job: &Job, run: u32, words: &str) -> String {
    format!("the kernel `{}` {words}, in launch {} of {} ({})", job.title, run + 1, job.runs, shape(job))
}

fn endless(job: &Job, limit: Duration) -> String {
    format!(
        "the kernel `{}` did not end within {} seconds on the card ({}): an endless loop, or threads that wait for each \
         other",
        job.title,
        limit.as_secs(),
        shape(job)
    )
}

impl std::fmt::Debug for CudaDevice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CudaDevice").field("card", &self.card).finish_non_exhaustive()
    }
}
