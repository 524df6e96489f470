//! Runs the tools over what a GPU worker was asked.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::canary::{self, TOOLS, Tool};
use super::find::Sanitizer;
use super::report::{ToolFinding, read_report};
use crate::device::cuda::probe::Card;
use crate::device::cuda::wire::{ArgumentSpec, BufferSpec, Element, Request, RowSpec};
use crate::nvrtc::{CompileRequest, Nvrtc};
use crate::sandbox::{self, Bytes};

/// What one tool had to say.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolRun {
    /// `racecheck`, `synccheck`, `memcheck`, `initcheck`.
    pub tool: &'static str,
    pub outcome: ToolOutcome,
    pub findings: Vec<ToolFinding>,
    pub seconds: f64,
}

/// Whether a tool's silence means anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolOutcome {
    /// It reported its canary, and ran to the end.
    Believed,
    /// It did not report the bug of its canary: that it finds nothing says nothing.
    CanaryMissed,
    /// It did not end in time; what it had reported until then is kept.
    TimedOut,
    /// It could not be run, in words.
    Failed(String),
}

/// Seconds that one tool may take over one program: racecheck takes seven over day 27's.
const LIMIT: Duration = Duration::from_secs(40);

/// Runs every tool over each of `programs`, the requests that make a program's rows ready and launch them once.
/// `files` are the names that may stand in a report. `worker` is the program to run as a worker.
pub(in crate::device::cuda) fn run_tools(
    sanitizer: &Sanitizer,
    nvrtc: &Nvrtc,
    card: &Card,
    programs: &[Vec<Request>],
    files: &[String],
    worker: &Path,
) -> Vec<ToolRun> {
    let arch = card.architecture();
    let request =
        CompileRequest { source: canary::SOURCE, name: "canary", arch: &arch, ..CompileRequest::default() };
    let cubin = match nvrtc.compile(&request) {
        Ok(compiled) => compiled.cubin,
        Err(error) => {
            let failed = |tool: &Tool| ToolRun {
                tool: tool.name,
                outcome: ToolOutcome::Failed(format!("its canary was not built: {error}")),
                findings: Vec::new(),
                seconds: 0.0,
            };
            return TOOLS.iter().map(failed).collect();
        }
    };
    let endless: Vec<AtomicBool> = programs.iter().map(|_| AtomicBool::new(false)).collect();
    let work =
        Work { sanitizer, canary: &cubin, gpu: card.ordinal, programs, endless: &endless, files, worker };
    // Side by side: a tool waits for its own process most of the time.
    std::thread::scope(|scope| {
        let running: Vec<_> = TOOLS.iter().map(|tool| (tool, scope.spawn(|| work.run(tool)))).collect();
        let finished = running.into_iter().map(|(tool, thread)| {
            thread.join().unwrap_or_else(|_| ToolRun {
                tool: tool.name,
                outcome: ToolOutcome::Failed("the thread that ran it failed".to_owned()),
                findings: Vec::new(),
                seconds: 0.0,
            })
        });
        finished.collect()
    })
}

/// What all tools are run over.
struct Work<'a> {
    sanitizer: &'a Sanitizer,
    canary: &'a [u8],
    gpu: i32,
    programs: &'a [Vec<Request>],
    /// Programs that did not end under some tool: no other tool waits for them again.
    endless: &'a [AtomicBool],
    files: &'a [String],
    worker: &'a Path,
}

impl Work<'_> {
    fn run(&self, tool: &Tool) -> ToolRun {
        let begun = Instant::now();
        let mut run =
            ToolRun { tool: tool.name, outcome: ToolOutcome::Believed, findings: Vec::new(), seconds: 0.0 };
        match report(self.sanitizer, tool, &canary_requests(tool, self.canary, self.gpu), self.worker) {
            Ok((text, _)) => {
                let names = ["canary".to_owned()];
                if !read_report(&text, &names).iter().any(|finding| finding.kernel == tool.canary) {
                    run.outcome = ToolOutcome::CanaryMissed;
                }
            }
            Err(reason) => run.outcome = ToolOutcome::Failed(reason),
        }
        if !matches!(run.outcome, ToolOutcome::Failed(_)) {
            for (program, endless) in self.programs.iter().zip(self.endless) {
                if endless.load(Ordering::Relaxed) {
                    run.outcome = ToolOutcome::TimedOut;
                    continue;
                }
                match report(self.sanitizer, tool, program, self.worker) {
                    Ok((text, ended)) => {
                        for finding in read_report(&text, self.files) {
                            if !run.findings.contains(&finding) {
                                run.findings.push(finding);
                            }
                        }
                        if !ended {
                            endless.store(true, Ordering::Relaxed);
                            run.outcome = ToolOutcome::TimedOut;
                        }
                    }
                    Err(reason) => run.outcome = ToolOutcome::Failed(reason),
                }
            }
        }
        run.seconds = begun.elapsed().as_secs_f64();
        run
    }
}

/// Runs a tool over requests; gives its report, and whether it ended by itself.
fn report(
    sanitizer: &Sanitizer,
    tool: &Tool,
    requests: &[Request],
    worker: &Path,
) -> Result<(String, bool), String> {
    let words = |error: std::io::Error| error.to_string();
    let folder = tempfile::Builder::new().prefix("warpgrade-").tempdir().map_err(words)?;
    sandbox::write_messages(&folder.path().join(REQUESTS), requests).map_err(words)?;
    let mut command = Command::new(&sanitizer.path);
    command.args(["--tool", tool.name, "--log-file", "report", "--print-limit", "1000"]).args(tool.options);
    command.arg(worker).args(["worker", "sanitize"]).current_dir(folder.path());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let ended = sandbox::run_within(&mut command, LIMIT).map_err(words)?;
    let text = std::fs::read_to_string(folder.path().join("report"));
    let text = text.map_err(|_| "it wrote no report".to_owned())?;
    Ok((text, ended))
}

/// The file of requests in a tool's working folder.
pub(in crate::device::cuda) const REQUESTS: &str = "requests";

fn canary_requests(tool: &Tool, cubin: &[u8], gpu: i32) -> Vec<Request> {
    let blob = "words".to_owned();
    let row = RowSpec {
        module: "canary".to_owned(),
        kernel: tool.canary.to_owned(),
        grid: [1, 1, 1],
        block: [64, 1, 1],
        dynamic_shared: 0,
        buffers: vec![BufferSpec {
            name: blob.clone(),
            ty: Element::U32,
            blob: blob.clone(),
            read_only: false,
            poisoned: true,
        }],
        arguments: vec![ArgumentSpec::Buffer(0)],
        wanted: Vec::new(),
    };
    vec![
        Request::Open { gpu },
        Request::Module { key: "canary".to_owned(), cubin: Bytes(cubin.to_vec()) },
        Request::Blob { key: blob, bytes: Bytes(vec![0; 256]) },
        Request::Row(row),
        Request::Launch { first: 0, count: 1 },
    ]
}
