//! Random kernels: the same result under every schedule, and the same as on a GPU.
//!
//! On a machine with a GPU the kernels run there too (`RANDOM_MODULES=60 cargo test --test random_programs -- --nocapture`
//! takes sixty modules of ten kernels); with `RANDOM_RECORD=FILE` a hash of what each left is written.

#[path = "random_programs/generator.rs"]
mod generator;

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use generator::{BLOCKS, INPUT, KERNELS, RESULTS, THREADS};
use rayon::prelude::*;
use warpgrade::device::cuda::{CudaDevice, GpuWorker};
use warpgrade::device::{Device, DeviceError, Job, JobArgument, JobBuffer, Value, Wanted};
use warpgrade::exercise::ElementType;
use warpgrade::nvrtc::{CompileRequest, Compiled, Nvrtc};
use warpgrade::ptx;
use warpgrade::sandbox::WorkerSpec;
use warpgrade::simt::{GlobalMemory, Launch, Limits, Observer, Program, Schedule, Site, Unobserved, launch};

/// Modules that a run without a GPU takes.
const MODULES: u64 = 8;
const BYTES: usize = (4 * RESULTS * THREADS * BLOCKS) as usize;

fn modules() -> u64 {
    std::env::var("RANDOM_MODULES").ok().and_then(|n| n.parse().ok()).unwrap_or(MODULES)
}

fn compile(seed: u64, arch: &str) -> Compiled {
    static NVRTC: OnceLock<Nvrtc> = OnceLock::new();
    let nvrtc = NVRTC.get_or_init(|| {
        Nvrtc::find_or_fetch(&mut |line| eprintln!("{line}")).expect("NVRTC can be found or fetched")
    });
    let source = generator::module(seed);
    let request = CompileRequest { source: &source, name: "random.cu", arch, ..CompileRequest::default() };
    nvrtc.compile(&request).unwrap_or_else(|e| panic!("module {seed} does not compile: {e}\n{source}"))
}

/// Watches every access and lets lanes drift apart, so that the slow paths are taken.
struct Apart;

impl Observer for Apart {
    const ENABLED: bool = true;

    fn splits(&self, _site: Site) -> bool {
        true
    }
}

fn input(seed: u64) -> Vec<u8> {
    generator::input(seed).into_iter().flat_map(u32::to_le_bytes).collect()
}

/// What kernel `k` of a module leaves on the embedded device.
fn on_embedded(program: &Arc<Program>, seed: u64, k: usize, schedule: u64) -> Vec<u8> {
    let mut memory = GlobalMemory::new();
    let image = program.instantiate(&mut memory);
    let source = memory.allocate("in", u64::from(4 * INPUT), 4);
    let target = memory.allocate("out", BYTES as u64, 4);
    memory.write(source, &input(seed));
    let kernel = format!("k{k}");
    let arguments = [source, target].map(|a| a.to_le_bytes().to_vec());
    let what = Launch {
        kernel: &kernel,
        grid: [BLOCKS, 1, 1],
        block: [THREADS, 1, 1],
        dynamic_shared: 0,
        arguments: &arguments,
    };
    let schedule = Schedule::seeded(schedule);
    let limits = Limits::default();
    let report = if schedule.seed.is_multiple_of(2) {
        launch(&image, &mut memory, &what, &schedule, &limits, &mut Unobserved)
    } else {
        launch(&image, &mut memory, &what, &schedule, &limits, &mut Apart)
    };
    assert!(report.fault.is_none(), "module {seed}, {kernel}: {:?}", report.fault);
    memory.slice(target, BYTES as u64).expect("it was allocated").to_vec()
}

fn load(compiled: &Compiled) -> Arc<Program> {
    let module = ptx::parse(&compiled.ptx).expect("NVRTC's PTX parses");
    Arc::new(Program::load(&module).expect("the module loads"))
}

fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..16].to_owned()
}

#[test]
fn every_schedule_gives_the_same() {
    let failures: Vec<String> = (0..modules())
        .into_par_iter()
        .flat_map_iter(|seed| {
            let program = load(&compile(seed, "compute_75"));
            (0..KERNELS).filter_map(move |k| {
                let first = on_embedded(&program, seed, k, 0);
                let other = (1..6).find(|&schedule| on_embedded(&program, seed, k, schedule) != first)?;
                Some(format!("module {seed}, k{k}: schedule {other} differs from schedule 0"))
            })
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The card, or a line that says why there is none.
fn card() -> Option<CudaDevice> {
    let program = std::env::var_os("WARPGRADE_BIN")
        .map_or_else(|| assert_cmd::cargo::cargo_bin("warpgrade"), PathBuf::from);
    let spec = WorkerSpec { program: Some(program), ..GpuWorker::spec() };
    match GpuWorker::start(0, spec) {
        Ok(worker) => Some(CudaDevice::new(&worker, Duration::from_secs(10))),
        Err(error @ DeviceError::Unavailable(_)) => {
            println!("skipped: {error}");
            None
        }
        Err(error) => panic!("there is a driver, and the card cannot be used: {error}"),
    }
}

#[test]
fn a_card_gives_what_the_embedded_device_gives() {
    let Some(card) = card() else { return };
    let mut record = format!("# {}, module kernel hash\n", card.name());
    let mut failures = Vec::new();
    let mut kernels = 0;
    for seed in 0..modules() {
        println!("module {seed}");
        let program = load(&compile(seed, "compute_75"));
        let loaded = card.load(&compile(seed, &card.architecture("compute_75"))).unwrap();
        let buffer = |name: &str, contents: Vec<u8>, read_only| JobBuffer {
            name: name.to_owned(),
            ty: ElementType::U32,
            identity: String::new(),
            contents: Arc::new(contents),
            read_only,
            poisoned: !read_only,
        };
        let buffers = [buffer("in", input(seed), true), buffer("out", vec![0xa5; BYTES], false)];
        for k in 0..KERNELS {
            kernels += 1;
            let want = on_embedded(&program, seed, k, 0);
            let name = format!("k{k}");
            let outcome = loaded
                .run(&Job {
                    kernel: &name,
                    title: &name,
                    grid: [BLOCKS, 1, 1],
                    block: [THREADS, 1, 1],
                    dynamic_shared: 0,
                    buffers: &buffers,
                    arguments: &[JobArgument::Buffer(0), JobArgument::Buffer(1)],
                    wanted: &[Wanted { buffer: 1, want: Arc::new(want.clone()) }],
                    runs: 2,
                    first_seed: 0,
                    stale: None,
                    budget: u64::MAX,
                    deadline: None,
                })
                .unwrap();
            if let Some(stopped) = outcome.stopped {
                failures.push(format!("module {seed}, k{k}: {}", stopped.message));
                continue;
            }
            let wrong = outcome.runs.iter().flat_map(|run| &run.comparisons).find(|c| c.mismatches > 0);
            match wrong {
                // What the card left equals what the embedded device left.
                None => record += &format!("{seed} {k} {}\n", hash(&want)),
                Some(c) => {
                    let shown = |v: Option<Value>| v.map(|v| v.to_string()).unwrap_or_default();
                    failures.push(format!(
                        "module {seed}, k{k}: {} words differ, the first out[{}]: the card {}, embedded {}",
                        c.mismatches,
                        c.first.unwrap_or_default(),
                        shown(c.got),
                        shown(c.want)
                    ));
                }
            }
        }
    }
    println!("{kernels} kernels on {}, {} differ", card.name(), failures.len());
    if let Some(path) = std::env::var_os("RANDOM_RECORD") {
        std::fs::write(path, record).unwrap();
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
