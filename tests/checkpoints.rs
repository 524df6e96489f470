//! A row's later runs begin where blocks first meet: which kernels allow it, and that it changes nothing.

#[path = "random_programs/generator.rs"]
mod generator;

use std::sync::{Arc, OnceLock};

use rayon::prelude::*;
use warpgrade::device::embedded::EmbeddedProgram;
use warpgrade::device::{Job, JobArgument, JobBuffer, Wanted};
use warpgrade::exercise::ElementType;
use warpgrade::nvrtc::{CompileRequest, Nvrtc};

/// Warp instructions that no launch here comes near.
const PLENTY: u64 = 10_000_000;
const MODULES: u64 = 8;

fn program(source: &str) -> EmbeddedProgram {
    static NVRTC: OnceLock<Nvrtc> = OnceLock::new();
    let nvrtc = NVRTC.get_or_init(|| {
        Nvrtc::find_or_fetch(&mut |line| eprintln!("{line}")).expect("NVRTC can be found or fetched")
    });
    let request =
        CompileRequest { source, name: "kernel.cu", arch: "compute_75", ..CompileRequest::default() };
    let compiled = nvrtc.compile(&request).unwrap_or_else(|e| panic!("{e}\n{source}"));
    EmbeddedProgram::load(&compiled, Arc::default()).expect("the device loads NVRTC's PTX")
}

fn buffer(name: &str, contents: Vec<u8>, read_only: bool) -> JobBuffer {
    JobBuffer {
        name: name.to_owned(),
        ty: ElementType::U32,
        identity: String::new(),
        contents: Arc::new(contents),
        read_only,
        poisoned: false,
    }
}

/// `kernel(in, out)` on `blocks` of `threads`, to leave `want` in `out`.
fn job<'a>(
    kernel: &'a str,
    (blocks, threads): (u32, u32),
    buffers: &'a [JobBuffer],
    wanted: &'a [Wanted],
    runs: u32,
) -> Job<'a> {
    Job {
        kernel,
        title: kernel,
        grid: [blocks, 1, 1],
        block: [threads, 1, 1],
        dynamic_shared: 0,
        buffers,
        arguments: &[JobArgument::Buffer(0), JobArgument::Buffer(1)],
        wanted,
        runs,
        first_seed: 0,
        stale: None,
        budget: PLENTY,
        deadline: None,
    }
}

fn words(words: impl IntoIterator<Item = u32>) -> Vec<u8> {
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

const BLOCKS: u32 = 6;
const THREADS: u32 = 96;

/// A kernel around a body; `in` counts from 1, `out` has a word for each thread and a counter behind them.
fn kernel(body: &str) -> String {
    format!(
        "extern \"C\" __global__ void k(const unsigned* in, unsigned* out) {{\n\
         __shared__ unsigned tile[96];\n\
         const unsigned me = threadIdx.x, all = blockIdx.x * blockDim.x + me;\n{body}\n}}\n"
    )
}

fn buffers() -> [JobBuffer; 2] {
    let all = BLOCKS * THREADS;
    [buffer("in", words(1..=all), true), buffer("out", words((0..=all).map(|_| 0)), false)]
}

fn begins_later(body: &str) -> bool {
    let buffers = buffers();
    let job = job("k", (BLOCKS, THREADS), &buffers, &[], 1);
    program(&kernel(body)).checkpoints(&job, PLENTY).is_some()
}

/// The last word that a block's reverse and ticket leave: every run counts all blocks.
const REVERSE: &str = "
    tile[me] = in[all];
    __syncthreads();
    unsigned mine = tile[blockDim.x - 1 - me];
    __syncthreads();
    out[all] = mine;
    if (me == 0) atomicAdd(out + gridDim.x * blockDim.x, 1u);";

#[test]
fn what_blocks_do_alone_is_not_done_again() {
    assert!(begins_later(REVERSE));
}

#[test]
fn a_kernel_begins_at_the_beginning() {
    let cases = [
        (
            "whose threads race",
            "tile[me] = in[all]; unsigned x = tile[95 - me]; __syncthreads(); out[all] = x + tile[me];",
        ),
        (
            "that meets others first",
            "atomicAdd(out, 1u); tile[me] = in[all]; __syncthreads(); out[1 + me] = tile[95 - me];",
        ),
        (
            "that reads what others may write",
            "tile[me] = out[me]; __syncthreads(); out[all] = tile[95 - me];",
        ),
        ("without a barrier", "out[all] = in[all];"),
        (
            "that tells the time",
            "tile[me] = in[all]; __syncthreads(); out[all] = tile[95 - me] + (clock() != 7);",
        ),
        (
            "that asks who runs",
            "tile[me] = in[all]; __syncthreads(); out[all] = tile[95 - me] + __activemask();",
        ),
        (
            "that some threads have left",
            "if (me == 95) return; tile[me] = in[all]; __syncthreads(); out[all] = tile[94 - me];",
        ),
        (
            "that fences first",
            "__threadfence(); tile[me] = in[all]; __syncthreads(); out[all] = tile[95 - me];",
        ),
        (
            "that reads volatile memory",
            "tile[me] = ((volatile const unsigned*)in)[all]; __syncthreads(); out[all] = tile[95 - me];",
        ),
    ];
    for (what, body) in cases {
        assert!(!begins_later(body), "a kernel {what}");
    }
}

#[test]
fn what_is_written_is_no_input() {
    let source = kernel(
        "tile[me] = in[all]; __syncthreads(); ((unsigned*)in)[all] = tile[95 - me]; out[all] = in[all];",
    );
    let buffers = buffers();
    let want: Vec<u32> =
        (0..BLOCKS).flat_map(|b| (1..=THREADS).rev().map(move |i| b * THREADS + i)).chain([0]).collect();
    let wanted = [Wanted { buffer: 1, want: Arc::new(words(want)) }];
    let outcome = program(&source).run_row(&job("k", (BLOCKS, THREADS), &buffers, &wanted, 20));
    assert_eq!(outcome.runs.len(), 20);
    for run in &outcome.runs {
        assert_eq!(run.comparisons[0].mismatches, 0, "each thread reads what it wrote itself");
        assert_eq!(run.changed.get("in"), Some(&0), "every run begins with the input as it was");
    }
}

#[test]
fn everything_that_a_thread_holds_is_there_afterwards() {
    // Registers of each width and kind, a predicate, an array that is indexed at run time, a part of a warp.
    let source = kernel(
        "unsigned own[8];
        for (unsigned i = 0; i < 8; ++i) own[i] = in[(all + i * 7) % 576];
        double third = in[all] / 3.0;
        unsigned long long big = (unsigned long long)in[all] * 0x123456789abcull;
        float root = sqrtf((float)in[all]);
        bool odd = in[all] % 3 == 1;
        tile[me] = in[all] * in[all];
        __syncthreads();
        unsigned other = tile[(me * 5 + 1) % blockDim.x];
        __syncthreads();
        unsigned sum = other + own[other % 8] + (unsigned)(third * 100.0) + (unsigned)(big >> 13) + __float_as_uint(root);
        out[all] = odd ? sum : ~sum;",
    );
    let program = program(&source);
    for threads in [96, 70, 32, 1] {
        let buffers = buffers();
        let shape = (BLOCKS, threads);
        let alone = program.run_row(&job("k", shape, &buffers, &[], 1));
        assert_eq!(alone.runs.len(), 1);
        assert!(program.checkpoints(&job("k", shape, &buffers, &[], 1), PLENTY).is_some());
        let wanted =
            [Wanted { buffer: 1, want: Arc::new(left(&program, &job("k", shape, &buffers, &[], 1))) }];
        let outcome = program.run_row(&job("k", shape, &buffers, &wanted, 12));
        assert_eq!(outcome.runs.len(), 12, "{:?}", outcome.halted);
        let wrong: Vec<usize> = (0..12).filter(|&r| outcome.runs[r].is_wrong()).collect();
        assert!(wrong.is_empty(), "{threads} threads: runs {wrong:?} differ");
    }
}

/// What one launch from the beginning leaves in `out`.
fn left(program: &EmbeddedProgram, job: &Job) -> Vec<u8> {
    use warpgrade::device::embedded::Call;
    use warpgrade::simt::Unobserved;
    let mut loaded = program.loaded(job);
    let call = Call {
        kernel: job.kernel,
        grid: job.grid,
        block: job.block,
        dynamic_shared: 0,
        arguments: job.arguments,
        seed: 0,
        budget: PLENTY,
        checkpoints: None,
    };
    let report = loaded.launch(&call, &mut Unobserved);
    assert!(report.fault.is_none(), "{:?}", report.fault);
    loaded.read(1, job.buffers[1].contents.len()).to_vec()
}

#[test]
fn random_kernels_leave_the_same() {
    let shape = (generator::BLOCKS, generator::THREADS);
    let bytes = (4 * generator::RESULTS * generator::THREADS * generator::BLOCKS) as usize;
    let of_module = |seed: u64| {
        let program = program(&generator::module(seed));
        let buffers =
            [buffer("in", words(generator::input(seed)), true), buffer("out", vec![0; bytes], false)];
        let one = |k: usize| {
            let name = format!("k{k}");
            let wanted =
                [Wanted { buffer: 1, want: Arc::new(left(&program, &job(&name, shape, &buffers, &[], 1))) }];
            let job = job(&name, shape, &buffers, &wanted, 10);
            let outcome = program.run_row(&job);
            assert_eq!(outcome.runs.len(), 10, "module {seed}, {name}: {:?}", outcome.halted);
            let wrong = outcome.runs.iter().filter(|run| run.is_wrong()).count();
            assert_eq!(wrong, 0, "module {seed}, {name}");
            u32::from(program.checkpoints(&job, PLENTY).is_some())
        };
        (0..generator::KERNELS).map(one).sum::<u32>()
    };
    let later: u32 = (0..MODULES).into_par_iter().map(of_module).sum();
    assert!(later >= 10, "only {later} of the kernels begin later: this tests little");
}
