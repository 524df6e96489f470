//! `warpgrade check`: the memory model's verdict of any kernel, without an exercise and without a GPU.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde_json::json;

use super::error::CliError;
use super::exit::Exit;
use super::finding_text::verdict_text;
use super::grading::compiler;
use super::isolation::tell_missing;
use super::progress::Progress;
use crate::check::{ArgumentSpec, CheckError, CheckResult, Checker, Choices, Request, parse_extent};
use crate::device::embedded::LAUNCH_BUDGET;
use crate::model::VolatileRule;
use crate::record::{Diagnostic, KernelVerdict, Verdict};
use crate::report::visible;

/// Check a kernel against the memory model: races, scopes, barriers, bounds, initialisation
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  warpgrade check scan.cu --kernel scan --grid 4 --block 256 --arg buf:f32:1024:iota --arg buf:f32:1024 --arg i32:1024\n  warpgrade check lib.cu --kernel 'ns::reduce<256>' --grid 8,2 --block 256 --shared 1024 --arg buf:u32:64:ones\n  warpgrade check plan.toml\n\nArguments in the order of the parameters: TYPE:VALUE (f32:1,2,3 for a float3), or device memory,\nbuf:TYPE:COUNT[:zero|ones|iota|random|uninit|values=1,2,3|file=PATH|text=PATH] (zero when nothing is said),\nor a structure by value, 'struct(i32:64; buf:f32:64:ones)'.\nTypes: bool i8 u8 i16 u16 i32 u32 i64 u64 f32 f64.\nHost code in FILE is left out. A plan.toml launches several kernels on the same buffers.\nExits 0 when defined, 1 when undefined, 2 on wrong use, 3 when unknown or on a fault."
)]
pub struct Check {
    /// A CUDA source file, or a plan (.toml)
    pub file: PathBuf,
    /// The kernel, by its C++ name: scan, ns::scan<256>
    #[arg(long, short, value_name = "NAME")]
    pub kernel: Option<String>,
    /// Blocks: X, X,Y or X,Y,Z
    #[arg(long, short, value_name = "X[,Y[,Z]]")]
    pub grid: Option<String>,
    /// Threads a block: X, X,Y or X,Y,Z
    #[arg(long, short, value_name = "X[,Y[,Z]]")]
    pub block: Option<String>,
    /// Dynamic shared memory in bytes
    #[arg(long, default_value_t = 0, value_name = "BYTES")]
    pub shared: u32,
    /// An argument, in the order of the parameters
    #[arg(long = "arg", short, value_name = "SPEC", allow_hyphen_values = true)]
    pub args: Vec<String>,
    /// A macro, also with parameters: 'CHECK(x)=x'
    #[arg(long = "define", short = 'D', value_name = "NAME[=VALUE]")]
    pub defines: Vec<String>,
    /// A folder of headers
    #[arg(long = "include", short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Schedules to try (default: by the kernel's size)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub seeds: Option<u32>,
    /// The first schedule; a finding names the one that shows it
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub seed: u64,
    /// Whose rule for `volatile`: CUDA C++ (it orders nothing) or PTX (relaxed, system scope)
    #[arg(long, value_enum, default_value_t = ModelName::Cuda)]
    pub model: ModelName,
    /// Count what only the strict clock finds (missing-consumer-fence) as errors
    #[arg(long)]
    pub strict: bool,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Warp instructions that one launch may take
    #[arg(long, default_value_t = LAUNCH_BUDGET, value_name = "N")]
    pub budget: u64,
    /// Seconds after which no further schedule is tried
    #[arg(long, default_value_t = 300, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub time_limit: u64,
    /// Threads to use (default: one a core)
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub jobs: Option<u32>,
    /// Refuse to check where a protection against hostile files is missing (see `warpgrade doctor`)
    #[arg(long)]
    pub require_sandbox: bool,
    /// Say nothing on stderr but errors
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ModelName {
    Cuda,
    Ptx,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Text,
    Json,
}

/// Largest source file that is read, in bytes.
const LARGEST_SOURCE: u64 = 16 << 20;

pub fn run(args: &Check) -> Result<Exit, CliError> {
    let request = request(args)?;
    let name = shown_name(&request.file);
    let text = read_source(&request.file)?;
    let progress = Progress::new(args.quiet);
    let nvrtc = compiler(progress)?;
    let choices = Choices {
        strict: args.strict,
        volatile: match args.model {
            ModelName::Cuda => VolatileRule::Cuda,
            ModelName::Ptx => VolatileRule::Ptx,
        },
        first_seed: args.seed,
        seeds: args.seeds,
        budget: args.budget,
        time_limit: args.time_limit,
        jobs: args.jobs,
    };
    let checker = Checker::start(&nvrtc, &request, choices, args.require_sandbox, None)
        .map_err(|error| CliError::Fault(error.to_string()))?;
    tell_missing(checker.confinement(), progress);
    match checker.check(request.clone(), (&name, &text)) {
        Ok(result) => {
            print(args.format, &name, &result, &[]);
            Ok(exit(&result.verdicts))
        }
        Err(CheckError::Usage(message)) => Err(CliError::Usage(message)),
        Err(CheckError::Fault(message)) => Err(CliError::Fault(message)),
        Err(CheckError::Source { diagnostics, .. }) => {
            let result = CheckResult {
                verdicts: vec![not_compiled(&request, &diagnostics)],
                ..CheckResult::default()
            };
            let errors: Vec<Diagnostic> =
                diagnostics.into_iter().filter(|d| d.level.contains("error")).collect();
            print(args.format, &name, &result, &errors);
            Ok(Exit::Fault)
        }
    }
}

fn request(args: &Check) -> Result<Request, CliError> {
    let usage = |message: String| CliError::Usage(message);
    let is_plan = args.file.extension().is_some_and(|extension| extension == "toml");
    if is_plan && args.kernel.is_none() {
        let text = std::fs::read_to_string(&args.file)
            .map_err(|error| usage(format!("cannot read {}: {error}", args.file.display())))?;
        let folder = args.file.parent().unwrap_or(Path::new(""));
        let mut request = Request::from_plan(&text, folder)
            .map_err(|problem| usage(format!("{}: {problem}", args.file.display())))?;
        request.include_dirs.extend(args.include.iter().cloned());
        request.defines.extend(defines(args)?);
        return Ok(request);
    }
    let need = |what: &Option<String>, name: &str| {
        what.clone().ok_or_else(|| {
            usage(format!("--{name} is needed (or a plan.toml); see `warpgrade check --help`"))
        })
    };
    let kernel = need(&args.kernel, "kernel")?;
    let grid =
        parse_extent(&need(&args.grid, "grid")?).map_err(|problem| usage(format!("--grid {problem}")))?;
    let block =
        parse_extent(&need(&args.block, "block")?).map_err(|problem| usage(format!("--block {problem}")))?;
    let arguments: Result<Vec<ArgumentSpec>, _> =
        args.args.iter().map(|spec| ArgumentSpec::parse(spec, &[])).collect();
    let arguments = arguments.map_err(|error| usage(format!("--arg {error}")))?;
    let mut request = Request::single(args.file.clone(), kernel, (grid, block, args.shared), arguments);
    request.include_dirs.clone_from(&args.include);
    request.defines = defines(args)?;
    Ok(request)
}

fn defines(args: &Check) -> Result<Vec<(String, String)>, CliError> {
    let split = |define: &String| {
        let (name, value) = define.split_once('=').unwrap_or((define, "1"));
        // Also with parameters: `CHECK(x)=x`.
        let (plain, parameters) = name.split_at(name.find('(').unwrap_or(name.len()));
        let is_name = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let list = parameters.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let listed = list.map_or(parameters.is_empty(), |list| {
            list.split(',').all(|one| one.trim() == "..." || is_name(one.trim()))
        });
        if !plain.is_empty() && is_name(plain) && listed {
            Ok((name.to_owned(), value.to_owned()))
        } else {
            Err(CliError::Usage(format!("--define {define}: NAME=VALUE is needed")))
        }
    };
    args.defines.iter().map(split).collect()
}

fn read_source(path: &Path) -> Result<String, CliError> {
    let fail = |error: String| CliError::Usage(format!("cannot read {}: {error}", path.display()));
    let data = std::fs::metadata(path).map_err(|error| fail(error.to_string()))?;
    if !data.is_file() {
        return Err(fail("it is no file".to_owned()));
    }
    if data.len() > LARGEST_SOURCE {
        return Err(fail(format!("it is larger than {} MB", LARGEST_SOURCE >> 20)));
    }
    let bytes = std::fs::read(path).map_err(|error| fail(error.to_string()))?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.trim_start_matches('\u{feff}').replace("\r\n", "\n"))
}

/// The file's own name: what `#line` and messages give.
fn shown_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    name.chars().map(|c| if c.is_control() || c == '"' || c == '\\' { '_' } else { c }).collect()
}

fn exit(verdicts: &[KernelVerdict]) -> Exit {
    if verdicts.iter().any(|v| v.verdict == Verdict::Undefined) {
        Exit::GateFailed
    } else if verdicts.iter().all(|v| v.verdict == Verdict::Defined) {
        Exit::Held
    } else {
        Exit::Fault
    }
}

/// A verdict for a file that does not compile: nothing is known of it.
fn not_compiled(request: &Request, diagnostics: &[Diagnostic]) -> KernelVerdict {
    let first = diagnostics.iter().find(|d| d.level.contains("error"));
    let reason = match first {
        Some(d) if d.line > 0 => format!("it does not compile: line {} of {}: {}", d.line, d.file, d.message),
        Some(d) => format!("it does not compile: {}", d.message),
        None => "it does not compile".to_owned(),
    };
    KernelVerdict {
        kernel: request.launches.first().map(|launch| launch.kernel.clone()).unwrap_or_default(),
        verdict: Verdict::Unknown,
        reason: Some(reason),
        at: None,
        findings: Vec::new(),
        schedules: 0,
        launches: Vec::new(),
    }
}

fn print(format: Format, name: &str, result: &CheckResult, diagnostics: &[Diagnostic]) {
    match format {
        Format::Json => {
            let record = json!({
                "schema": "warpgrade.check/1",
                "file": name,
                "verdicts": result.verdicts,
                "diagnostics": diagnostics,
                "timing": {
                    "compile": result.compile.as_secs_f64(),
                    "check": result.check.as_secs_f64(),
                },
            });
            println!("{record:#}");
        }
        Format::Text => {
            for diagnostic in diagnostics {
                let Diagnostic { file, line, level, message, .. } = diagnostic;
                println!("{}", visible(&format!("{file}:{line}: {level}: {message}")));
            }
            for verdict in &result.verdicts {
                print!("{}", verdict_text(verdict));
            }
        }
    }
}
