//! A real card, where this machine has one: resets, comparisons, faults and time-outs. Without one, each test says so
//! and passes. `WARPGRADE_BIN` names the program when the tests run elsewhere than they were built; with
//! `-- --nocapture bench` the timings are shown.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use warpgrade::device::cuda::{CudaDevice, GpuWorker};
use warpgrade::device::{
    Device, DeviceError, Job, JobArgument, JobBuffer, JobOutcome, LoadedProgram, StopKind, Value, Wanted,
};
use warpgrade::exercise::ElementType;
use warpgrade::nvrtc::{CompileRequest, Nvrtc};
use warpgrade::sandbox::WorkerSpec;

fn program() -> PathBuf {
    std::env::var_os("WARPGRADE_BIN").map_or_else(|| assert_cmd::cargo::cargo_bin("warpgrade"), PathBuf::from)
}

/// A card by its number, in a worker of its own.
fn open(gpu: i32) -> Result<CudaDevice, DeviceError> {
    let spec = WorkerSpec { program: Some(program()), ..GpuWorker::spec() };
    GpuWorker::start(gpu, spec).map(|worker| CudaDevice::new(&worker, Duration::from_secs(3)))
}

/// The card, shared by all tests; `None` where there is none.
fn card() -> Option<&'static CudaDevice> {
    static CARD: OnceLock<Option<CudaDevice>> = OnceLock::new();
    let card = CARD.get_or_init(|| match open(0) {
        Ok(card) => Some(card),
        Err(error @ DeviceError::Unavailable(_)) => {
            println!("skipped: {error}");
            None
        }
        Err(error) => panic!("there is a driver, and the card cannot be used: {error}"),
    });
    card.as_ref()
}

fn load(card: &CudaDevice, source: &str) -> Box<dyn LoadedProgram> {
    static NVRTC: OnceLock<Nvrtc> = OnceLock::new();
    let nvrtc = NVRTC.get_or_init(|| Nvrtc::find_or_fetch(&mut |line| println!("{line}")).unwrap());
    let arch = card.architecture("compute_75");
    let request = CompileRequest { source, name: "a.cu", arch: &arch, ..CompileRequest::default() };
    card.load(&nvrtc.compile(&request).unwrap()).unwrap()
}

/// A row over `in` (read-only) and `out`, with `n` elements each.
struct Row {
    kernel: &'static str,
    grid: u32,
    block: u32,
    shared: u32,
    runs: u32,
    buffers: Vec<JobBuffer>,
    arguments: Vec<JobArgument>,
    wanted: Vec<Wanted>,
}

fn words(values: impl IntoIterator<Item = u32>) -> Arc<Vec<u8>> {
    Arc::new(values.into_iter().flat_map(u32::to_le_bytes).collect())
}

fn buffer(name: &str, contents: Arc<Vec<u8>>, read_only: bool) -> JobBuffer {
    JobBuffer {
        name: name.to_owned(),
        ty: ElementType::U32,
        identity: blake3::hash(&contents).to_hex().to_string(),
        contents,
        read_only,
        poisoned: !read_only,
    }
}

impl Row {
    /// `kernel(const unsigned* in, unsigned* out, unsigned n)`: `in[i] = i`, `out` is poisoned, and `want(i)` wanted.
    fn new(kernel: &'static str, n: u32, want: impl Fn(u32) -> u32) -> Row {
        Row {
            kernel,
            grid: n.div_ceil(256),
            block: 256,
            shared: 0,
            runs: 10,
            buffers: vec![
                buffer("in", words(0..n), true),
                buffer("out", words((0..n).map(|_| 0xdead_beef)), false),
            ],
            arguments: vec![
                JobArgument::Buffer(0),
                JobArgument::Buffer(1),
                JobArgument::Bytes(n.to_le_bytes().to_vec()),
            ],
            wanted: vec![Wanted { buffer: 1, want: words((0..n).map(want)) }],
        }
    }

    fn run(&self, program: &dyn LoadedProgram) -> JobOutcome {
        let job = Job {
            kernel: self.kernel,
            title: self.kernel,
            grid: [self.grid, 1, 1],
            block: [self.block, 1, 1],
            dynamic_shared: self.shared,
            buffers: &self.buffers,
            arguments: &self.arguments,
            wanted: &self.wanted,
            runs: self.runs,
            first_seed: 0,
            stale: None,
            budget: u64::MAX,
            deadline: None,
        };
        program.run(&job).unwrap()
    }
}

fn wrong(outcome: &JobOutcome) -> usize {
    outcome.runs.iter().filter(|run| run.comparisons.iter().any(|c| c.mismatches > 0)).count()
}

/// Kernels, right and wrong in every way; all take `(const unsigned* in, unsigned* out, unsigned n)`.
const KERNELS: &str = r#"
#define K extern "C" __global__ void
#define I unsigned i = blockIdx.x * blockDim.x + threadIdx.x
K right(const unsigned* in, unsigned* out, unsigned n) { I; if (i < n) out[i] = in[i] + 1; }
K nothing(const unsigned* in, unsigned* out, unsigned n) {}
K last_wrong(const unsigned* in, unsigned* out, unsigned n) { I; if (i < n) out[i] = i == n - 2 ? 7 : in[i] + 1; }
K writes_input(unsigned* in, unsigned* out, unsigned n) { I; if (i < n) { out[i] = in[i] + 1; if (i == n - 3) in[i] = 0; } }
K far(const unsigned* in, unsigned* out, unsigned n) { I; if (i < n) out[i + (1ull << 40)] = in[i]; }
K crooked(const unsigned* in, unsigned* out, unsigned n) { I; if (i == 0) *(unsigned*)((char*)out + 1) = 5; }
K traps(const unsigned* in, unsigned* out, unsigned n) { I; if (i == 3) __trap(); }
K endless(const unsigned* in, unsigned* out, unsigned n) { I; if (i == 0) while (*(volatile unsigned*)in == 0) {} }
K prints(const unsigned* in, unsigned* out, unsigned n) { I; if (i == 0) printf("hello %u\n", n); if (i < n) out[i] = in[i] + 1; }
K dynamic(const unsigned* in, unsigned* out, unsigned n) {
  extern __shared__ unsigned tile[]; I; tile[threadIdx.x] = i < n ? in[i] : 0; __syncthreads(); if (i < n) out[i] = tile[threadIdx.x] + 1; }
__device__ unsigned launches;
K counts(const unsigned* in, unsigned* out, unsigned n) { I; if (i < n) out[i] = in[i] + 1 + launches; if (i == 0) atomicAdd(&launches, 1u); }
"#;

fn next(i: u32) -> u32 {
    i + 1
}

#[test]
fn a_right_kernel_is_exact_on_every_run_small_and_large() {
    let Some(card) = card() else { return };
    let program = load(card, KERNELS);
    for n in [1000, 4_194_915] {
        let outcome = Row { runs: 100, ..Row::new("right", n, next) }.run(&*program);
        assert_eq!((outcome.runs.len(), wrong(&outcome), &outcome.stopped), (100, 0, &None), "{n}");
        assert!(outcome.runs.iter().all(|run| run.changed.is_empty()));
    }
}

#[test]
fn outputs_are_poisoned_before_every_launch() {
    let Some(card) = card() else { return };
    let program = load(card, KERNELS);
    for n in [1000, 4_194_915] {
        assert_eq!(wrong(&Row::new("right", n, next).run(&*program)), 0);
        let outcome = Row::new("nothing", n, next).run(&*program);
        assert_eq!(wrong(&outcome), 10);
        let first = &outcome.runs[9].comparisons[0];
        assert_eq!((first.mismatches, first.first), (u64::from(n), Some(0)));
        assert_eq!((first.got, first.want), (Some(Value::U64(0xdead_beef)), Some(Value::U64(1))));
    }
}

#[test]
fn one_wrong_element_is_found_and_named() {
    let Some(card) = card() else { return };
    let program = load(card, KERNELS);
    for n in [1000, 4_194_915] {
        let outcome = Row { runs: 40, ..Row::new("last_wrong", n, next) }.run(&*program);
        assert_eq!(outcome.runs.len(), 40);
        for run in &outcome.runs {
            let found = &run.comparisons[0];
            assert_eq!(
                (found.mismatches, found.first, found.got),
                (1, Some(u64::from(n - 2)), Some(Value::U64(7)))
            );
        }
    }
}

#[test]
fn a_changed_input_is_found_and_put_right_before_the_next_launch() {
    let Some(card) = card() else { return };
    let program = load(card, KERNELS);
    for n in [1000, 4_194_915] {
        let outcome = Row { runs: 40, ..Row::new("writes_input", n, next) }.run(&*program);
        assert_eq!((outcome.runs.len(), wrong(&outcome)), (40, 0), "{n}");
        for run in &outcome.runs {
            assert_eq!(run.changed.get("in"), Some(&u64::from(n - 3)), "{n}");
        }
        let after = Row::new("right", n, next).run(&*program);
        assert_eq!((wrong(&after), after.runs.iter().filter(|r| !r.changed.is_empty()).count()), (0, 0));
    }
}

#[test]
fn variables_of_the_program_begin_anew_at_every_launch() {
    let Some(card) = card() else { return };
    assert_eq!(wrong(&Row::new("counts", 1000, next).run(&*load(card, KERNELS))), 0);
}

#[test]
fn dynamic_shared_memory_beyond_48_kib_is_allowed_where_the_card_has_it() {
    let Some(card) = card() else { return };
    let program = load(card, KERNELS);
    assert_eq!(wrong(&Row { shared: 60 << 10, ..Row::new("dynamic", 1000, next) }.run(&*program)), 0);
    let outcome = Row { shared: 1 << 20, ..Row::new("dynamic", 1000, next) }.run(&*program);
    let stopped = outcome.stopped.unwrap();
    assert!(
        stopped.message.contains("`dynamic` asks for 1048576 bytes of shared memory"),
        "{}",
        stopped.message
    );
    assert_eq!(stopped.kind, StopKind::Kernel);
}

#[test]
fn a_launch_that_no_card_allows_is_named() {
    let Some(card) = card() else { return };
    let outcome = Row { block: 2048, ..Row::new("right", 1000, next) }.run(&*load(card, KERNELS));
    let stopped = outcome.stopped.unwrap();
    assert!(stopped.message.contains("blocks of 2048 threads"), "{}", stopped.message);
}

#[test]
fn what_the_first_launch_prints_is_kept() {
    let Some(card) = card() else { return };
    let program = load(card, KERNELS);
    for _ in 0..2 {
        let outcome = Row::new("prints", 1000, next).run(&*program);
        assert_eq!((outcome.printed.as_str(), outcome.printed_cut), ("hello 1000\n", false));
    }
}

#[test]
fn every_fault_ends_its_own_row_and_no_other() {
    let Some(card) = card() else { return };
    let program = load(card, KERNELS);
    let faults = [
        ("far", "memory outside its arrays"),
        ("crooked", "not a multiple"),
        ("traps", "__trap()"),
        ("endless", "did not end within 3 seconds"),
    ];
    for (kernel, words) in faults {
        assert_eq!(wrong(&Row::new("right", 1000, next).run(&*program)), 0);
        let outcome = Row::new(kernel, 1000, next).run(&*program);
        let stopped = outcome.stopped.unwrap_or_else(|| panic!("{kernel} went through"));
        println!("{}", stopped.message);
        assert!(stopped.message.contains(words) && stopped.message.contains(kernel), "{}", stopped.message);
        assert_eq!((stopped.run, stopped.kind, outcome.runs.len()), (0, StopKind::Kernel, 0));
    }
    for _ in 0..5 {
        assert_eq!(wrong(&Row::new("right", 1000, next).run(&*program)), 0);
    }
}

#[test]
fn without_a_driver_or_a_card_the_answer_is_one_sentence() {
    let error = match open(4096) {
        Err(error) => error.to_string(),
        Ok(card) => panic!("there is no card 4096, and yet: {card:?}"),
    };
    assert!(error.contains("no NVIDIA driver was found") || error.contains("GPU"), "{error}");
    assert_eq!(error.lines().count(), 1);
}

#[test]
fn bench() {
    let Some(card) = card() else { return };
    let begun = Instant::now();
    let fresh = open(0).unwrap();
    println!("a worker and its card: {:?}", begun.elapsed());
    let begun = Instant::now();
    let program = load(&fresh, KERNELS);
    println!("compiled: {:?}", begun.elapsed());
    let begun = Instant::now();
    Row { runs: 1, ..Row::new("right", 1000, next) }.run(&*program);
    println!("first launch, with what is left of the context's making: {:?}", begun.elapsed());
    for (n, name) in [(1000, "small"), (4_194_915, "16 MiB in, 16 MiB out")] {
        for kernel in ["right", "last_wrong", "counts"] {
            let row = Row { runs: 100, ..Row::new(kernel, n, next) };
            let begun = Instant::now();
            row.run(&*program);
            println!("{kernel}, {name}: 100 launches in {:?}", begun.elapsed());
        }
    }
    drop(fresh);
    let _ = card;
}
