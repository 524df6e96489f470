//! How requests reach a GPU worker: its parent asks it; a confined process, which may start none, asks its own parent.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::driver;
use super::probe::Card;
use super::sanitizer::{Sanitizer, ToolRun, run_tools};
use super::wire::{Answer, Request};
use crate::device::DeviceError;
use crate::nvrtc::Nvrtc;
use crate::sandbox::{Outside, Policy, Worker, WorkerError, WorkerSpec};

/// How long anything but a batch of launches may take: the driver's start above all.
pub(super) const OTHER_LIMIT: Duration = Duration::from_secs(90);

/// Somebody who answers requests. After an error, everything that was given to the worker is gone.
pub(super) trait Line: Send {
    fn ask(&mut self, request: &Request, limit: Duration) -> Result<Answer, LineError>;
    /// Ends the worker; the next request gets a fresh one.
    fn end(&mut self);
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum LineError {
    TimedOut,
    Other(String),
}

impl From<LineError> for DeviceError {
    fn from(error: LineError) -> Self {
        DeviceError::Failed(match error {
            LineError::TimedOut => "the GPU worker gave no answer in time".to_owned(),
            LineError::Other(words) => format!("the GPU worker: {words}"),
        })
    }
}

/// A GPU worker and its card. Clones share it.
#[derive(Debug, Clone)]
pub struct GpuWorker {
    direct: Arc<Mutex<Direct>>,
    card: Card,
    /// What was asked, kept for compute-sanitizer.
    asked: Option<Arc<Mutex<Vec<Request>>>>,
}

#[derive(Debug)]
struct Direct {
    spec: WorkerSpec,
    worker: Option<Worker>,
}

/// A request on its way from a confined process; only this room reads it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Question(Asked);

#[derive(Debug, Serialize, Deserialize)]
enum Asked {
    Request(Request, Duration),
    End,
}

/// The answer to a [`Question`].
#[derive(Debug, Serialize, Deserialize)]
pub struct Reply(Result<Answer, LineError>);

impl GpuWorker {
    /// Starts a worker and asks it for card number `gpu`; its context is made while the caller goes on.
    ///
    /// # Errors
    /// One sentence when there is no driver, no such card, or no worker.
    pub fn start(gpu: i32, spec: WorkerSpec) -> Result<GpuWorker, DeviceError> {
        if !driver::is_present() {
            return Err(DeviceError::Unavailable(
                "no NVIDIA driver was found on this machine (libcuda is missing)".to_owned(),
            ));
        }
        let mut direct = Direct { spec, worker: None };
        let card = match direct.ask(&Request::Card { gpu }, OTHER_LIMIT)? {
            Answer::Card(card) => card,
            Answer::Failed(words) => return Err(DeviceError::Unavailable(words)),
            _ => return Err(LineError::Other("it does not know its card".to_owned()).into()),
        };
        let worker = GpuWorker { direct: Arc::new(Mutex::new(direct)), card, asked: None };
        let warming = worker.clone();
        // Whatever fails here is said by the first row, which asks again.
        std::thread::spawn(move || drop(warming.lock().ask(&Request::Open { gpu }, OTHER_LIMIT)));
        Ok(worker)
    }

    /// What a GPU worker is started with: the driver's files, and the libraries of CUDA installations.
    pub fn spec() -> WorkerSpec {
        let more = ["/usr/local/nvidia", "/usr/local/cuda", "/opt/cuda"].map(std::path::PathBuf::from);
        let listed = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
        let listed: Vec<_> = std::env::split_paths(&listed).filter(|dir| dir.is_absolute()).collect();
        WorkerSpec::new("cuda", Policy::default().for_gpu().reading(more).reading(listed))
    }

    pub fn card(&self) -> &Card {
        &self.card
    }

    /// The same worker, which remembers what it is asked, for [`GpuWorker::sanitize`].
    pub fn remembering(self) -> GpuWorker {
        GpuWorker { asked: Some(Arc::default()), ..self }
    }

    /// Runs compute-sanitizer's tools over each program that was asked for since the last time, every row launched
    /// once. `files` are the names that may stand in a report; `program` is this program, to run as a worker.
    pub fn sanitize(
        &self,
        tool: &Sanitizer,
        nvrtc: &Nvrtc,
        files: &[String],
        program: &Path,
    ) -> Vec<ToolRun> {
        let Some(asked) = &self.asked else { return Vec::new() };
        let asked = std::mem::take(&mut *asked.lock().unwrap_or_else(PoisonError::into_inner));
        run_tools(tool, nvrtc, &self.card, &programs(&asked, self.card.ordinal), files, program)
    }

    fn remember(&self, request: &Request) {
        if let (Some(asked), Request::Module { .. } | Request::Blob { .. } | Request::Row(_)) =
            (&self.asked, request)
        {
            asked.lock().unwrap_or_else(PoisonError::into_inner).push(request.clone());
        }
    }

    fn ask_remembering(&self, request: &Request, limit: Duration) -> Result<Answer, LineError> {
        self.remember(request);
        let answer = self.lock().ask(request, limit);
        if matches!(answer, Err(LineError::TimedOut)) {
            self.forget_the_last_row();
        }
        answer
    }

    /// A row that does not end would not end under a tool either.
    fn forget_the_last_row(&self) {
        let Some(asked) = &self.asked else { return };
        let mut asked = asked.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(row) = asked.iter().rposition(|request| matches!(request, Request::Row(_))) {
            asked.remove(row);
        }
    }

    /// Answers for a confined process.
    pub fn answer(&self, Question(asked): Question) -> Reply {
        match asked {
            Asked::Request(request, limit) => Reply(self.ask_remembering(&request, limit)),
            Asked::End => {
                self.lock().end();
                Reply(Ok(Answer::Done))
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Direct> {
        self.direct.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What was asked, as one list of requests a program: everything that its rows need, and each row launched once.
fn programs(asked: &[Request], gpu: i32) -> Vec<Vec<Request>> {
    let mut programs: Vec<(&str, Vec<Request>)> = Vec::new();
    let mut rows: Vec<String> = Vec::new();
    let blob =
        |name: &String| asked.iter().find(|r| matches!(r, Request::Blob { key, .. } if key == name)).cloned();
    for row in
        asked.iter().filter_map(|request| if let Request::Row(row) = request { Some(row) } else { None })
    {
        // The same row twice says nothing new.
        let text = format!("{row:?}");
        if rows.contains(&text) {
            continue;
        }
        rows.push(text);
        let known = programs.iter().position(|(key, _)| *key == row.module);
        let index = known.unwrap_or_else(|| {
            let module = |r: &&Request| matches!(r, Request::Module { key, .. } if *key == row.module);
            let module = asked.iter().find(module).cloned();
            programs.push((&row.module, [Request::Open { gpu }].into_iter().chain(module).collect()));
            programs.len() - 1
        });
        let own = &mut programs[index].1;
        let needed = row.buffers.iter().map(|b| &b.blob).chain(row.wanted.iter().map(|(_, b)| b));
        own.extend(needed.filter_map(blob));
        own.extend([Request::Row(row.clone()), Request::Launch { first: 0, count: 1 }]);
    }
    programs.into_iter().map(|(_, requests)| requests).collect()
}

impl Line for GpuWorker {
    fn ask(&mut self, request: &Request, limit: Duration) -> Result<Answer, LineError> {
        self.ask_remembering(request, limit)
    }

    fn end(&mut self) {
        self.lock().end();
    }
}

impl Direct {
    fn ask(&mut self, request: &Request, limit: Duration) -> Result<Answer, LineError> {
        let other = |error: WorkerError| match error {
            WorkerError::TimedOut { .. } => LineError::TimedOut,
            error => LineError::Other(error.to_string()),
        };
        let worker = match &mut self.worker {
            Some(worker) => worker,
            none => none.insert(Worker::start(&self.spec, &()).map_err(other)?),
        };
        let answer = worker.run(request, limit, |()| {}).map_err(other);
        if answer.is_err() {
            self.end();
        }
        answer
    }

    fn end(&mut self) {
        self.worker = None;
    }
}

/// The line of a confined process: every request goes out to its parent.
#[derive(Debug)]
pub(super) struct Relayed(pub Outside);

impl Line for Relayed {
    fn ask(&mut self, request: &Request, limit: Duration) -> Result<Answer, LineError> {
        // Packed by reference: the same bytes as `Asked::Request`.
        #[derive(Serialize)]
        enum Asking<'r> {
            Request(&'r Request, Duration),
        }
        let reply = self.0.ask::<_, Reply>(&Asking::Request(request, limit));
        reply.map_err(|error| LineError::Other(error.to_string()))?.0
    }

    fn end(&mut self) {
        // If the parent is gone, so is the worker.
        let _ = self.0.ask::<_, Reply>(&Question(Asked::End));
    }
}

#[cfg(test)]
mod tests {
    use super::super::wire::RowSpec;
    use super::*;
    use crate::sandbox::Bytes;

    fn worker() -> GpuWorker {
        let card = Card { ordinal: 0, name: "a card".to_owned(), capability: (9, 0), memory: 0 };
        let direct = Direct { spec: GpuWorker::spec(), worker: None };
        GpuWorker { direct: Arc::new(Mutex::new(direct)), card, asked: None }.remembering()
    }

    fn row(module: &str, kernel: &str) -> Request {
        Request::Row(RowSpec {
            module: module.to_owned(),
            kernel: kernel.to_owned(),
            grid: [1; 3],
            block: [32, 1, 1],
            dynamic_shared: 0,
            buffers: Vec::new(),
            arguments: Vec::new(),
            wanted: Vec::new(),
        })
    }

    fn rows(requests: &[Request]) -> Vec<&str> {
        let mut kernels = Vec::new();
        for request in requests {
            if let Request::Row(row) = request {
                kernels.push(row.kernel.as_str());
            }
        }
        kernels
    }

    #[test]
    fn a_row_without_an_end_is_not_given_to_a_tool() {
        let worker = worker();
        let module = Request::Module { key: "p".to_owned(), cubin: Bytes(vec![1]) };
        for request in [module, row("p", "first"), row("p", "endless")] {
            worker.remember(&request);
        }
        worker.forget_the_last_row();
        let asked = worker.asked.as_ref().unwrap().lock().unwrap().clone();
        assert_eq!(rows(&asked), ["first"]);
        assert!(asked.iter().any(|r| matches!(r, Request::Module { .. })), "its program stays");
    }

    #[test]
    fn a_tool_runs_every_row_once_and_each_program_apart() {
        let asked = [row("p", "a"), row("q", "b"), row("p", "a"), row("p", "c")];
        let programs = programs(&asked, 0);
        assert_eq!(programs.iter().map(|p| rows(p)).collect::<Vec<_>>(), [vec!["a", "c"], vec!["b"]]);
    }
}
