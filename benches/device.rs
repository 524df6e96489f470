//! The embedded device on day 27's sum kernel: against a plain serial loop over the same data, with the checker watching
//! against without, at one, two and four times the size, and at 8,192 blocks.
//!
//! Everything is measured on the same machine in the same run, so that the printed ratios hold anywhere.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use warpgrade::model::{Checker, Options, Tables};
use warpgrade::nvrtc::{CompileRequest, FindOptions, Nvrtc};
use warpgrade::ptx;
use warpgrade::record::Severity;
use warpgrade::simt::{
    GlobalMemory, Image, Launch, LaunchReport, Limits, Observer, Program, Schedule, Unobserved, launch,
};

const TEMPLATE: &str = include_str!("../exercises/day27-memory-model/template.cu");
const ELEMENTS: u64 = 4_194_915;
const BLOCKS: u32 = 1024;
const THREADS: u32 = 256;

/// The fenced kernel, its buffers, and the memory they are in.
struct Sum {
    elements: u64,
    blocks: u32,
    image: Image,
    memory: GlobalMemory,
    kernel: String,
    arguments: Vec<Vec<u8>>,
    input: u64,
    reset: [(u64, u64); 3],
    tables: Tables,
}

impl Sum {
    /// `None`, with the reason printed, on a machine without NVRTC.
    fn new(elements: u64, blocks: u32) -> Option<Sum> {
        let nvrtc = match Nvrtc::find(&FindOptions::from_env()) {
            Ok(nvrtc) => nvrtc,
            Err(error) => {
                println!("skipped: {error}; `warpgrade setup` fetches it");
                return None;
            }
        };
        let name = "sumLastBlockFenced".to_owned();
        let request = CompileRequest {
            source: TEMPLATE,
            name: "template.cu",
            arch: "compute_75",
            kernels: std::slice::from_ref(&name),
            ..CompileRequest::default()
        };
        let compiled = nvrtc.compile(&request).expect("the template compiles");
        let module = ptx::parse(&compiled.ptx).expect("NVRTC's PTX parses");
        let program = Arc::new(Program::load(&module).expect("the module loads"));
        let mut memory = GlobalMemory::new();
        let input = memory.allocate("in", 4 * elements, 4);
        let ones: Vec<u8> = std::iter::repeat_n(1f32.to_le_bytes(), elements as usize).flatten().collect();
        memory.write(input, &ones);
        let partials = memory.allocate("partials", 4 * u64::from(blocks), 4);
        let total = memory.allocate("total", 4, 4);
        let counter = memory.allocate("counter", 4, 4);
        let image = program.instantiate(&mut memory);
        let arguments = [input, partials, total, counter, elements].map(|a| a.to_le_bytes().to_vec());
        Some(Sum {
            elements,
            blocks,
            image,
            memory,
            kernel: compiled.lowered.get(&name).cloned().unwrap_or(name),
            arguments: arguments.to_vec(),
            input,
            reset: [(partials, 4 * u64::from(blocks)), (total, 4), (counter, 4)],
            tables: Tables::default(),
        })
    }

    fn run(&mut self, seed: u64) -> LaunchReport {
        self.watched(seed, &mut Unobserved)
    }

    /// As a verdict watches it.
    fn checked(&mut self, seed: u64) {
        let mut checker = Checker::new(Options::default()).reusing(std::mem::take(&mut self.tables));
        checker.begin_run(seed);
        checker.expect_only_reads(self.input);
        self.watched(seed, &mut checker);
        assert!(!checker.has_to_repeat());
        assert!(checker.report().findings.iter().all(|f| f.severity == Severity::Note));
        self.tables = checker.into_tables();
    }

    fn watched<O: Observer>(&mut self, seed: u64, observer: &mut O) -> LaunchReport {
        for (address, bytes) in self.reset {
            self.memory.fill(address, bytes, 0);
        }
        let launched = Launch {
            kernel: &self.kernel,
            grid: [self.blocks, 1, 1],
            block: [THREADS, 1, 1],
            dynamic_shared: 0,
            arguments: &self.arguments,
            checkpoints: None,
        };
        let limits = Limits::default();
        let report =
            launch(&self.image, &mut self.memory, &launched, &Schedule::seeded(seed), &limits, observer);
        assert_eq!(report.fault, None);
        let total = self.memory.slice(self.reset[1].0, 4).expect("the total is allocated");
        assert_eq!(total, (self.elements as f32).to_le_bytes());
        report
    }
}

fn serial(data: &[f32]) -> f32 {
    data.iter().fold(0.0, |sum, x| sum + x)
}

/// The shortest of some runs, in seconds.
fn best(mut run: impl FnMut(u64)) -> f64 {
    (0..10)
        .map(|seed| {
            let start = Instant::now();
            run(seed);
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min)
}

fn sum_kernel(criterion: &mut Criterion) {
    let data = vec![1f32; ELEMENTS as usize];
    let Some(mut sum) = Sum::new(ELEMENTS, BLOCKS) else { return };
    let loop_seconds = best(|_| {
        black_box(serial(black_box(&data)));
    });
    let report = sum.run(0);
    let device_seconds = best(|seed| {
        sum.run(seed);
    });
    println!(
        "day 27's fenced sum, {BLOCKS} blocks: {:.2} ms, {:.2} billion thread instructions a second, {:.2} times the serial loop ({:.2} ms)",
        device_seconds * 1e3,
        report.thread_instructions as f64 / device_seconds / 1e9,
        device_seconds / loop_seconds,
        loop_seconds * 1e3,
    );
    let mut group = criterion.benchmark_group("day27 sum");
    group.sample_size(10).throughput(Throughput::Elements(report.thread_instructions));
    let mut seed = 0;
    group.bench_function("device", |bencher| {
        bencher.iter(|| {
            seed += 1;
            sum.run(seed)
        });
    });
    group.bench_function("serial loop", |bencher| bencher.iter(|| serial(black_box(&data))));
    group.finish();
}

/// The checker's price, how it grows, and what it takes at 8,192 blocks.
fn checked(_: &mut Criterion) {
    for (elements, blocks) in
        [(ELEMENTS, BLOCKS), (ELEMENTS / 2, BLOCKS), (ELEMENTS / 4, BLOCKS), (ELEMENTS, 8192)]
    {
        let Some(mut sum) = Sum::new(elements, blocks) else { return };
        let plain = best(|seed| {
            sum.run(seed);
        });
        let checked = best(|seed| sum.checked(seed));
        println!(
            "{elements} elements, {blocks} blocks: plain {:.1} ms, checked {:.1} ms, {:.2} times plain; most memory so far {}",
            plain * 1e3,
            checked * 1e3,
            checked / plain,
            most_memory(),
        );
    }
}

/// `VmHWM` of this process, where the system tells.
fn most_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(|| "unknown".to_owned(), |kib| kib.trim().to_owned())
}

criterion_group!(benches, sum_kernel, checked);
criterion_main!(benches);
