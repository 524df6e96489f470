//! One program a tool, with a bug that it must report.

/// A tool of compute-sanitizer, its options, and the kernel that it must complain of.
pub(super) struct Tool {
    pub name: &'static str,
    pub options: &'static [&'static str],
    /// The kernel of [`SOURCE`] with this tool's bug.
    pub canary: &'static str,
}

pub(super) const TOOLS: [Tool; 4] = [
    Tool { name: "racecheck", options: &["--racecheck-report", "analysis"], canary: "canary_race" },
    Tool { name: "synccheck", options: &[], canary: "canary_barrier" },
    Tool { name: "memcheck", options: &[], canary: "canary_bounds" },
    Tool { name: "initcheck", options: &[], canary: "canary_uninitialised" },
];

/// All take `(unsigned* words)`, 64 words, and are launched with one block of 64 threads.
pub(super) const SOURCE: &str = r#"
// Two warps meet in shared memory without a barrier.
extern "C" __global__ void canary_race(unsigned* words) {
    __shared__ unsigned tile[64];
    tile[threadIdx.x] = words[threadIdx.x];
    words[threadIdx.x] = tile[63 - threadIdx.x];
}
// Half of a warp waits at one barrier and half at another.
extern "C" __global__ void canary_barrier(unsigned* words) {
    if (threadIdx.x % 2 == 0) {
        __syncthreads();
        words[threadIdx.x] = 1;
    } else {
        words[threadIdx.x] = 2;
    }
    __syncwarp();
}
// Far past the end.
extern "C" __global__ void canary_bounds(unsigned* words) {
    words[threadIdx.x + (1u << 24)] = 1;
}
// `words` is fresh memory that nobody has written.
extern "C" __global__ void canary_uninitialised(unsigned* words) {
    words[threadIdx.x] = words[63 - threadIdx.x] + 1;
}
"#;
