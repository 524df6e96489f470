//! Compiles a kernel with NVRTC, runs it on the embedded device under the checker, and explains what was found.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use warpgrade::model::{Checker, Options, WatchPlan};
use warpgrade::nvrtc::{CompileError, CompileRequest, Nvrtc};
use warpgrade::record::{KernelVerdict, SourceLine};
use warpgrade::rules::{self, Places, SharedVariable};
use warpgrade::simt::{GlobalMemory, Launch, Limits, Observer, Program, Schedule, Site, launch};

fn nvrtc() -> &'static Nvrtc {
    static NVRTC: OnceLock<Nvrtc> = OnceLock::new();
    NVRTC.get_or_init(|| {
        Nvrtc::find_or_fetch(&mut |line| eprintln!("{line}")).expect("NVRTC can be found or fetched")
    })
}

#[derive(Debug, Clone)]
pub enum Argument {
    /// Name, elements, and what the 4-byte element `i` holds; `None` is never written.
    Words(&'static str, u64, Option<fn(u64) -> u32>),
    /// A scalar's bytes.
    Scalar(Vec<u8>),
}

pub fn zeros(name: &'static str, count: u64) -> Argument {
    Argument::Words(name, count, Some(|_| 0))
}

/// A compiled program with its text.
pub struct Bench {
    program: Arc<Program>,
    kernel: String,
    lines: Vec<String>,
    /// Launches in a row, on the same buffers.
    pub times: u32,
}

/// What several seeds gave.
pub struct Outcome {
    pub verdict: KernelVerdict,
    pub plan: WatchPlan,
    /// The words of the first buffer called `total`, `out` or `tally`, one a seed.
    pub outputs: Vec<Vec<u32>>,
}

impl Bench {
    pub fn new(source: &str, kernel: &str, defines: &[(&str, &str)]) -> Bench {
        let defines: Vec<(String, String)> =
            defines.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        let names = [kernel.to_owned()];
        let request = CompileRequest {
            source,
            name: "kernel.cu",
            arch: "compute_75",
            defines: &defines,
            kernels: &names,
            ..CompileRequest::default()
        };
        let compiled = match nvrtc().compile(&request) {
            Ok(compiled) => compiled,
            Err(CompileError::Source { diagnostics }) => panic!("{diagnostics:#?}"),
            Err(other) => panic!("{other}"),
        };
        let module = warpgrade::ptx::parse(&compiled.ptx).expect("NVRTC's PTX parses");
        Bench {
            program: Arc::new(Program::load(&module).expect("NVRTC's PTX loads")),
            kernel: compiled.lowered[kernel].clone(),
            lines: source.lines().map(str::to_owned).collect(),
            times: 1,
        }
    }

    /// Launches [`Bench::times`] times for each seed, on fresh buffers.
    pub fn check(
        &self,
        grid: u32,
        block: u32,
        arguments: &[Argument],
        seeds: std::ops::Range<u64>,
        options: &dyn Fn(u64) -> Options,
    ) -> Outcome {
        let mut checker = Checker::new(options(seeds.start));
        let outputs = seeds
            .map(|seed| {
                checker.set_options(options(seed));
                self.run(grid, block, arguments, seed, &mut checker)
            })
            .collect();
        let verdict = rules::verdict(&self.kernel, checker.report(), self, vec![format!("{grid} x {block}")]);
        Outcome { verdict, plan: checker.watch_plan(), outputs }
    }

    fn run(
        &self,
        grid: u32,
        block: u32,
        arguments: &[Argument],
        seed: u64,
        checker: &mut Checker,
    ) -> Vec<u32> {
        checker.begin_run(seed);
        let (report, words) = self.launch(grid, block, arguments, seed, checker, |checker, base, bytes| {
            checker.uninitialised(base, bytes);
        });
        if let Some(fault) = &report.fault {
            checker.fault(fault);
        }
        words
    }

    /// One launch under any observer; `fresh` hears of buffers that nobody has written.
    pub fn launch<O: Observer>(
        &self,
        grid: u32,
        block: u32,
        arguments: &[Argument],
        seed: u64,
        observer: &mut O,
        fresh: impl Fn(&mut O, u64, u64),
    ) -> (warpgrade::simt::LaunchReport, Vec<u32>) {
        let mut memory = GlobalMemory::new();
        let image = self.program.instantiate(&mut memory);
        let mut output = None;
        let values: Vec<Vec<u8>> = arguments
            .iter()
            .map(|argument| match argument {
                Argument::Scalar(bytes) => bytes.clone(),
                Argument::Words(name, count, fill) => {
                    let base = memory.allocate(name, count * 4, 4);
                    let bytes = memory.slice_mut(base, count * 4).expect("just allocated");
                    for (i, word) in bytes.chunks_exact_mut(4).enumerate() {
                        let value = fill.map_or(0xdead_beef, |fill| fill(i as u64));
                        word.copy_from_slice(&value.to_le_bytes());
                    }
                    if fill.is_none() {
                        fresh(observer, base, count * 4);
                    }
                    if matches!(*name, "total" | "out" | "tally") {
                        output.get_or_insert((base, count * 4));
                    }
                    base.to_le_bytes().to_vec()
                }
            })
            .collect();
        let asked = Launch {
            kernel: &self.kernel,
            grid: [grid, 1, 1],
            block: [block, 1, 1],
            dynamic_shared: 0,
            arguments: &values,
            checkpoints: None,
        };
        let limits = Limits { warp_instructions: 400_000_000, ..Limits::default() };
        let schedule = Schedule::seeded(seed);
        let mut report = launch(&image, &mut memory, &asked, &schedule, &limits, observer);
        for _ in 1..self.times {
            report = launch(&image, &mut memory, &asked, &schedule, &limits, observer);
        }
        let words = output
            .and_then(|(base, bytes)| memory.slice(base, bytes))
            .map(|bytes| {
                let word = |b: &[u8]| u32::from_le_bytes(b.try_into().expect("four bytes"));
                bytes.chunks_exact(4).map(word).collect()
            })
            .unwrap_or_default();
        (report, words)
    }
}

impl Places for Bench {
    fn line(&self, site: Site) -> SourceLine {
        let position = self.program.source(site);
        // The innermost frame in the test's own file.
        let frame = position.iter().flat_map(|p| &p.frames).find(|f| f.file.ends_with("kernel.cu"));
        let frame = frame.or(position.as_ref().and_then(|p| p.frames.first()));
        let line = frame.map_or(0, |f| f.line);
        SourceLine {
            file: frame.map_or(String::new(), |f| {
                let name = Path::new(&f.file).file_name();
                name.map_or(String::new(), |n| n.to_string_lossy().into_owned())
            }),
            line,
            column: 0,
            text: self
                .lines
                .get((line as usize).wrapping_sub(1))
                .map_or(String::new(), |l| l.trim().to_owned()),
            inlined_from: Vec::new(),
        }
    }

    fn shared_variable(&self, offset: u64) -> Option<SharedVariable> {
        let kernel = self.program.kernel(&self.kernel)?;
        let variable = kernel.shared.iter().rev().find(|v| u64::from(v.offset) <= offset)?;
        Some(SharedVariable {
            name: variable.name.clone(),
            offset: u64::from(variable.offset),
            bytes: u64::from(variable.bytes),
            element: variable.element,
        })
    }

    fn instruction(&self, site: Site) -> String {
        self.program.text(site).to_owned()
    }
}
