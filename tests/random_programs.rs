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
    compile_how(seed, arch, false)
}

fn compile_how(seed: u64, arch: &str, as_written: bool) -> Compiled {
    static NVRTC: OnceLock<Nvrtc> = OnceLock::new();
    let nvrtc = NVRTC.get_or_init(|| {
        Nvrtc::find_or_fetch(&mut |line| eprintln!("{line}")).expect("NVRTC can be found or fetched")
    });
    let source = generator::module(seed);
    let request =
        CompileRequest { source: &source, name: "random.cu", arch, as_written, ..CompileRequest::default() };
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
        checkpoints: None,
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

/// A module compiled for a card, and what each kernel leaves on the embedded device.
struct Prepared {
    seed: u64,
    compiled: Compiled,
    /// The same with as little optimisation as the compiler allows.
    as_written: Compiled,
    wanted: Vec<Vec<u8>>,
}

impl Prepared {
    fn new(seed: u64, arch: &str) -> Self {
        let program = load(&compile(seed, "compute_75"));
        let wanted = (0..KERNELS).map(|k| on_embedded(&program, seed, k, 0)).collect();
        let as_written = compile_how(seed, arch, true);
        Self { seed, compiled: compile(seed, arch), as_written, wanted }
    }

    /// Whether the card leaves what was wanted of kernel `k`, and how not.
    fn on_card(&self, card: &CudaDevice, compiled: &Compiled, k: usize) -> Result<(), String> {
        let seed = self.seed;
        let loaded = card.load(compiled).map_err(|error| error.to_string())?;
        let buffer = |name: &str, contents: Vec<u8>, read_only| JobBuffer {
            name: name.to_owned(),
            ty: ElementType::U32,
            identity: String::new(),
            contents: Arc::new(contents),
            read_only,
            poisoned: !read_only,
        };
        let buffers = [buffer("in", input(seed), true), buffer("out", vec![0xa5; BYTES], false)];
        let name = format!("k{k}");
        let job = Job {
            kernel: &name,
            title: &name,
            grid: [BLOCKS, 1, 1],
            block: [THREADS, 1, 1],
            dynamic_shared: 0,
            buffers: &buffers,
            arguments: &[JobArgument::Buffer(0), JobArgument::Buffer(1)],
            wanted: &[Wanted { buffer: 1, want: Arc::new(self.wanted[k].clone()) }],
            runs: 2,
            first_seed: 0,
            stale: None,
            budget: u64::MAX,
            deadline: None,
        };
        let outcome = loaded.run(&job).map_err(|error| error.to_string())?;
        if let Some(stopped) = outcome.stopped {
            return Err(stopped.message);
        }
        let wrong = outcome.runs.iter().flat_map(|run| &run.comparisons).find(|c| c.mismatches > 0);
        let shown = |v: Option<Value>| v.map(|v| v.to_string()).unwrap_or_default();
        wrong.map_or(Ok(()), |c| {
            Err(format!(
                "{} words differ, the first out[{}]: the card {}, embedded {}",
                c.mismatches,
                c.first.unwrap_or_default(),
                shown(c.got),
                shown(c.want)
            ))
        })
    }
}

/// A kernel that differs is compiled once more with little optimisation: where the card then agrees, the optimising
/// assembler changed the program (reference/evidence has three such kernels at every level of `ptxas`).
#[test]
fn a_card_gives_what_the_embedded_device_gives() {
    let Some(card) = card() else { return };
    let mut record = format!("# {}, module kernel hash\n", card.name());
    let (mut failures, mut only_as_written, mut kernels) = (Vec::new(), 0, 0);
    let arch = card.architecture("compute_75");
    // What costs the host time is done for all modules at once; the card takes them one after the other.
    let prepared: Vec<_> = (0..modules()).into_par_iter().map(|seed| Prepared::new(seed, &arch)).collect();
    for module in &prepared {
        let seed = module.seed;
        for k in 0..KERNELS {
            kernels += 1;
            let mut how = "";
            if let Err(difference) = module.on_card(&card, &module.compiled, k) {
                println!("module {seed}, k{k}, optimised: {difference}");
                if let Err(difference) = module.on_card(&card, &module.as_written, k) {
                    failures.push(format!("module {seed}, k{k}, as written: {difference}"));
                    continue;
                }
                only_as_written += 1;
                how = " as-written";
            }
            // What the card left equals what the embedded device left.
            record += &format!("{seed} {k} {}{how}\n", hash(&module.wanted[k]));
        }
    }
    println!(
        "{kernels} kernels on {}: {} agree optimised, {only_as_written} only as written, {} differ",
        card.name(),
        kernels - only_as_written - failures.len(),
        failures.len()
    );
    if let Some(path) = std::env::var_os("RANDOM_RECORD") {
        std::fs::write(path, record).unwrap();
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(only_as_written * 100 <= kernels, "too many kernels for a fault of the assembler");
}

/// What an H200 left of each kernel, recorded by the test above.
#[test]
fn the_embedded_device_gives_what_the_h200_gave() {
    let recorded: Vec<(u64, usize, &str)> = include_str!("random_programs/h200.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let [seed, k, hash, ..] = line.split(' ').collect::<Vec<_>>()[..] else {
                panic!("not a record: {line}")
            };
            (seed.parse().unwrap(), k.parse().unwrap(), hash)
        })
        .collect();
    assert!(recorded.len() >= 500, "only {} kernels are recorded", recorded.len());
    let modules: Vec<_> = recorded.chunk_by(|a, b| a.0 == b.0).collect();
    let failures: Vec<String> = modules
        .into_par_iter()
        .flat_map_iter(|kernels| {
            let seed = kernels[0].0;
            let program = load(&compile(seed, "compute_75"));
            kernels.iter().filter_map(move |&(_, k, wanted)| {
                let got = hash(&on_embedded(&program, seed, k, 0));
                (got != wanted).then(|| format!("module {seed}, k{k}: {got}, and the card left {wanted}"))
            })
        })
        .collect();
    assert!(failures.is_empty(), "{} of {} differ:\n{}", failures.len(), recorded.len(), failures.join("\n"));
}
