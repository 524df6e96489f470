//! Runs the tools over what a GPU worker was asked.

use std::path::Path;
use std::process::{Command, Stdio};
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

/// Seconds that one tool may take over one program: racecheck takes ten over day 27's.
const LIMIT: Duration = Duration::from_secs(120);

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
    TOOLS
        .iter()
        .map(|tool| run_tool(sanitizer, tool, &cubin, card.ordinal, programs, files, worker))
        .collect()
}

fn run_tool(
    sanitizer: &Sanitizer,
    tool: &Tool,
    canary: &[u8],
    gpu: i32,
    programs: &[Vec<Request>],
    files: &[String],
    worker: &Path,
) -> ToolRun {
    let begun = Instant::now();
    let mut run =
        ToolRun { tool: tool.name, outcome: ToolOutcome::Believed, findings: Vec::new(), seconds: 0.0 };
    match report(sanitizer, tool, &canary_requests(tool, canary, gpu), worker) {
        Ok((text, _)) => {
            let names = ["canary".to_owned()];
            if !read_report(&text, &names).iter().any(|finding| finding.kernel == tool.canary) {
                run.outcome = ToolOutcome::CanaryMissed;
            }
        }
        Err(reason) => run.outcome = ToolOutcome::Failed(reason),
    }
    if !matches!(run.outcome, ToolOutcome::Failed(_)) {
        for program in programs {
            match report(sanitizer, tool, program, worker) {
                Ok((text, ended)) => {
                    for finding in read_report(&text, files) {
                        if !run.findings.contains(&finding) {
                            run.findings.push(finding);
                        }
                    }
                    if !ended {
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
