//! A parent's side: start a worker, give it jobs, keep what it sends, end it in time.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;
use tempfile::TempDir;

use super::channel::{Bytes, FromWorker, Question, ToWorker, pack, receive, send, unpack};
use super::confine::Confinement;
use super::error::WorkerError;
use super::policy::Policy;
use super::process::{self, End};

/// How to start a worker.
#[derive(Debug, Clone)]
pub struct WorkerSpec {
    /// Which of the hidden subcommand's kinds: `grade`, `cuda`, …
    pub kind: &'static str,
    pub policy: Policy,
    /// The program; `None` for this one.
    pub program: Option<PathBuf>,
    /// A tool and its options to run the worker under: compute-sanitizer.
    pub wrapper: Vec<OsString>,
}

impl WorkerSpec {
    pub fn new(kind: &'static str, policy: Policy) -> Self {
        WorkerSpec { kind, policy, program: None, wrapper: Vec::new() }
    }
}

/// Seconds that a worker may take until it is ready.
const STARTING: Duration = Duration::from_secs(60);
/// Bytes kept of the end of a worker's stderr.
const STDERR_KEPT: usize = 4096;

/// A process that takes jobs. Killed, with all that it started, when dropped.
pub struct Worker {
    child: Child,
    to: ChildStdin,
    from: Receiver<Result<FromWorker, String>>,
    said: Arc<Mutex<VecDeque<u8>>>,
    confinement: Confinement,
    peak: u64,
    jobs: u32,
    ended: bool,
    // Last, so that it is removed after the process has gone.
    _scratch: TempDir,
}

impl Worker {
    /// Starts one, hands it `setup`, and waits until it has confined itself.
    pub fn start<S: Serialize>(spec: &WorkerSpec, setup: &S) -> Result<Worker, WorkerError> {
        let start = |error: std::io::Error| WorkerError::Start(error.to_string());
        let scratch = tempfile::Builder::new().prefix("warpgrade-").tempdir().map_err(start)?;
        let mut command = command(spec)?;
        command.current_dir(scratch.path()).env("TMPDIR", scratch.path());
        command.stdin(Stdio::piped()).stderr(Stdio::piped());
        let (mut child, results) = process::spawn(&mut command).map_err(start)?;
        let to = child.stdin.take().expect("stdin is piped");
        let said = keep_end(child.stderr.take().expect("stderr is piped"));
        let mut worker = Worker {
            child,
            to,
            from: listen(results),
            said,
            confinement: Confinement::default(),
            peak: 0,
            jobs: 0,
            ended: false,
            _scratch: scratch,
        };
        let setup = pack(setup).map_err(start)?;
        worker.send(&ToWorker::Start { policy: spec.policy.clone(), setup })?;
        match worker.next(Instant::now() + STARTING, STARTING)? {
            FromWorker::Ready(confinement) => worker.confinement = confinement,
            FromWorker::Refused(reason) => return Err(WorkerError::Start(reason)),
            _ => return Err(WorkerError::Garbled("it did not say that it is ready".to_owned())),
        }
        Ok(worker)
    }

    /// Which protections are in force.
    pub fn confinement(&self) -> &Confinement {
        &self.confinement
    }

    /// The largest resident memory so far, in bytes: NVRTC's grows with each program, so that workers are renewed.
    pub fn peak_memory(&self) -> u64 {
        self.peak
    }

    /// Jobs finished.
    pub fn jobs(&self) -> u32 {
        self.jobs
    }

    /// Whether it can take another job.
    pub fn is_alive(&self) -> bool {
        !self.ended
    }

    /// Runs one job. `on_part` is given what the worker sends on the way, which stays valid when the job fails.
    /// After any error the worker is gone.
    pub fn run<J: Serialize, P: DeserializeOwned, R: DeserializeOwned>(
        &mut self,
        job: &J,
        limit: Duration,
        on_part: impl FnMut(P),
    ) -> Result<R, WorkerError> {
        let nobody = |_: &Question| Err(std::io::Error::other("it asked, and nobody answers"));
        self.run_asking(job, limit, on_part, nobody)
    }

    /// Like [`Worker::run`], for jobs that ask their parent something on the way ([`Outside::ask`]); `on_ask` packs the
    /// answer, and its error ends the worker. Time that the parent takes to answer is not counted.
    ///
    /// [`Outside::ask`]: super::Outside::ask
    pub fn run_asking<J: Serialize, P: DeserializeOwned, R: DeserializeOwned>(
        &mut self,
        job: &J,
        limit: Duration,
        mut on_part: impl FnMut(P),
        mut on_ask: impl FnMut(&Question) -> std::io::Result<Bytes>,
    ) -> Result<R, WorkerError> {
        let garbled = |error: std::io::Error| WorkerError::Garbled(error.to_string());
        let mut deadline = Instant::now() + limit;
        self.send(&ToWorker::Job(pack(job).map_err(garbled)?))?;
        let result = loop {
            match self.next(deadline, limit)? {
                FromWorker::Part(part) => match unpack(&part) {
                    Ok(part) => on_part(part),
                    Err(error) => break Err(garbled(error)),
                },
                FromWorker::Ask(question) => {
                    let asked = Instant::now();
                    match on_ask(&question) {
                        Ok(answer) => self.send(&ToWorker::Answer(answer))?,
                        Err(error) => break Err(garbled(error)),
                    }
                    deadline += asked.elapsed();
                }
                FromWorker::Done(result, peak) => {
                    self.peak = self.peak.max(peak);
                    self.jobs += 1;
                    break unpack(&result).map_err(garbled);
                }
                FromWorker::Panicked(reason) => {
                    self.end();
                    break Err(WorkerError::Panicked(reason));
                }
                FromWorker::Ready(_) | FromWorker::Refused(_) => {
                    break Err(WorkerError::Garbled("it began twice".to_owned()));
                }
            }
        };
        if result.is_err() {
            self.end();
        }
        result
    }

    fn send(&mut self, message: &ToWorker) -> Result<(), WorkerError> {
        match send(&mut self.to, message) {
            Ok(()) => Ok(()),
            Err(_) => Err(self.post_mortem(Duration::ZERO)),
        }
    }

    /// The next message; when none comes in time, or the worker has died, ends it and says why.
    fn next(&mut self, deadline: Instant, limit: Duration) -> Result<FromWorker, WorkerError> {
        match self.from.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(Ok(message)) => Ok(message),
            Ok(Err(reason)) => {
                self.end();
                Err(WorkerError::Garbled(reason))
            }
            Err(RecvTimeoutError::Timeout) => {
                self.end();
                Err(WorkerError::TimedOut { limit })
            }
            Err(RecvTimeoutError::Disconnected) => Err(self.post_mortem(limit)),
        }
    }

    /// Why a worker that hung up did so.
    fn post_mortem(&mut self, limit: Duration) -> WorkerError {
        // It has closed its pipe, so it is about to end by itself; a moment is enough to learn how.
        let until = Instant::now() + Duration::from_secs(2);
        let mut status = None;
        while status.is_none() && Instant::now() < until {
            status = self.child.try_wait().ok().flatten();
            if status.is_none() {
                std::thread::sleep(Duration::from_millis(2));
            }
        }
        self.end();
        let said = self.said();
        match status.map(process::how) {
            Some(End::Cpu) => WorkerError::TimedOut { limit },
            _ if said.contains("memory allocation of") => WorkerError::OutOfMemory,
            Some(End::Other(how)) => WorkerError::Died { how, said },
            None => WorkerError::Died { how: "it hung up".to_owned(), said },
        }
    }

    /// The end of what it wrote on stderr.
    pub fn said(&self) -> String {
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&said.iter().copied().collect::<Vec<u8>>()).into_owned()
    }

    fn end(&mut self) {
        if !self.ended {
            self.ended = true;
            // Nothing can be done about a process that cannot be killed.
            let _ = process::kill(&mut self.child);
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.end();
    }
}

fn command(spec: &WorkerSpec) -> Result<Command, WorkerError> {
    // The running program even if its file has been replaced since.
    let own =
        if cfg!(target_os = "linux") { Ok(PathBuf::from("/proc/self/exe")) } else { std::env::current_exe() };
    let program = match &spec.program {
        Some(program) => program.clone(),
        None if spec.wrapper.is_empty() => own.map_err(|error| WorkerError::Start(error.to_string()))?,
        // A wrapper's /proc/self/exe would be the wrapper.
        None => std::env::current_exe().map_err(|error| WorkerError::Start(error.to_string()))?,
    };
    let mut words = spec.wrapper.iter().cloned().chain([program.into_os_string()]);
    let mut command = Command::new(words.next().expect("the program is a word"));
    command.args(words).args(["worker", spec.kind]);
    // Nothing of the person's environment but what the loader, NVRTC and the driver read.
    command.env_clear();
    let kept = [
        "PATH",
        "HOME",
        "LANG",
        "LC_ALL",
        "LD_LIBRARY_PATH",
        "XDG_CACHE_HOME",
        "RUST_BACKTRACE",
        "SYSTEMROOT",
    ];
    let prefixes = ["CUDA_", "NVIDIA_", "WARPGRADE_"];
    let wanted = |name: &str| kept.contains(&name) || prefixes.iter().any(|prefix| name.starts_with(prefix));
    command.envs(std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(wanted)));
    // One heap for many threads: each further one reserves 64 MiB of the address space that is limited.
    command.env("MALLOC_ARENA_MAX", "4");
    Ok(command)
}

/// Reads the worker's messages on a thread of its own, so that the parent can wait with a limit.
fn listen(mut results: std::fs::File) -> Receiver<Result<FromWorker, String>> {
    let (to, from) = channel();
    std::thread::spawn(move || {
        loop {
            let message = match receive(&mut results) {
                Ok(Some(message)) => Ok(message),
                Ok(None) => break,
                // Cut off in the middle: it died while writing.
                Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => break,
                Err(error) => Err(error.to_string()),
            };
            let last = message.is_err();
            if to.send(message).is_err() || last {
                break;
            }
        }
    });
    from
}

/// Reads a stream to its end and keeps the last bytes.
fn keep_end(mut stream: impl Read + Send + 'static) -> Arc<Mutex<VecDeque<u8>>> {
    let kept = Arc::new(Mutex::new(VecDeque::new()));
    let keeping = Arc::clone(&kept);
    std::thread::spawn(move || {
        let mut buffer = [0; 1024];
        while let Ok(n) = stream.read(&mut buffer) {
            if n == 0 {
                break;
            }
            let mut kept = keeping.lock().unwrap_or_else(PoisonError::into_inner);
            kept.extend(&buffer[..n]);
            let excess = kept.len().saturating_sub(STDERR_KEPT);
            kept.drain(..excess);
        }
    });
    kept
}

impl std::fmt::Debug for Worker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Worker")
            .field("id", &self.child.id())
            .field("ended", &self.ended)
            .finish_non_exhaustive()
    }
}

impl From<Bytes> for Vec<u8> {
    fn from(bytes: Bytes) -> Self {
        bytes.0
    }
}
