// Day 62. Two kernels with a bug each, and two that are yours to mend.
//
//   nvcc -std=c++17 -O3 -arch=native -lineinfo -o racecheck racecheck.cu
//   ./racecheck [buggy|fixed|all]
//   compute-sanitizer --tool racecheck ./racecheck buggy
//   compute-sanitizer --tool synccheck ./racecheck buggy
//
// scanTileFixed and reverseTilesFixed begin as copies of the buggy kernels. Mend them; leave the buggy ones as they
// are, so that the tools have something to find. Until both are mended this program ends in EXIT_FAILURE.

constexpr int kWarpSize = 32;
constexpr int kMaxThreadsPerBlock = 1024;
constexpr int kThreadsPerBlock = 256;
constexpr size_t kElems = 8ull * 1024ull + 611ull;
constexpr size_t kTilesPerBlock = 4;
constexpr int kRepeats = 10;

static_assert(kThreadsPerBlock % kWarpSize == 0, "a block is made of whole warps");
static_assert((kThreadsPerBlock & (kThreadsPerBlock - 1)) == 0, "the scan doubles its offset up to the block's size");
static_assert(kThreadsPerBlock <= kMaxThreadsPerBlock, "a tile has a cell for every thread");
static_assert(kMaxThreadsPerBlock * sizeof(float) <= 48u * 1024u, "a tile fits a block's shared memory");
static_assert(kElems % kWarpSize != 0 && kElems % kThreadsPerBlock != 0, "the last tile is partial at every size");
static_assert(kElems < (1ull << 15), "a tile's sum stays below 2^24 for 512 threads, so it is compared exactly");
static_assert(kTilesPerBlock >= 2, "a block meets full tiles before the partial one");
static_assert(kRepeats >= 2, "one launch says nothing of a race");

// DELIBERATE BUG. Inclusive scan of every tile, in place. Within one step a thread reads a cell that its neighbour
// writes, and the step's one barrier stands below both. The worst that can come of it is a wrong prefix.
// snippet: racy-step
__global__ void scanTileRacy(const float* __restrict__ in, float* __restrict__ out, size_t n) {
    __shared__ float tile[kMaxThreadsPerBlock];
    const unsigned int tid = threadIdx.x;
    const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + tid;
    tile[tid] = (i < n) ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned int offset = 1; offset < blockDim.x; offset *= 2) {
        if (tid >= offset) {
            tile[tid] += tile[tid - offset];
        }
        __syncthreads();
    }
    if (i < n) {
        out[i] = tile[tid];
    }
}
// end snippet: racy-step

// Yours: the same scan, defined.
__global__ void scanTileFixed(const float* __restrict__ in, float* __restrict__ out, size_t n) {
    __shared__ float tile[kMaxThreadsPerBlock];
    const unsigned int tid = threadIdx.x;
    const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + tid;
    tile[tid] = (i < n) ? in[i] : 0.0f;
    __syncthreads();
    // snippet: fixed-step
    // Every thread reads into a register first; the barrier stands between all the reads and all the writes.
    for (unsigned int offset = 1; offset < blockDim.x; offset *= 2) {
        const float left = (tid >= offset) ? tile[tid - offset] : 0.0f;
        __syncthreads();
        tile[tid] += left;
        __syncthreads();
    }
    // end snippet: fixed-step
    if (i < n) {
        out[i] = tile[tid];
    }
}

// DELIBERATE BUG. Reverses kTilesPerBlock tiles, one after the other. On the partial tile some threads fail the test and
// pass by both barriers. It does not hang, because that tile is its block's last and those threads then exit; the
// others read cells that nobody filled for this tile. The worst that can come of it is a wrong element.
__global__ void reverseTilesDivergentBarrier(const float* __restrict__ in, float* __restrict__ out, size_t n,
                                             size_t numTiles) {
    __shared__ float tile[kMaxThreadsPerBlock];
    const unsigned int tid = threadIdx.x;
    const unsigned int width = blockDim.x;
    const size_t first = static_cast<size_t>(blockIdx.x) * kTilesPerBlock;
    const size_t end = (first + kTilesPerBlock < numTiles) ? first + kTilesPerBlock : numTiles;
    // snippet: divergent-barrier
    for (size_t t = first; t < end; ++t) {
        const size_t i = t * width + tid;
        if (i < n) {
            tile[tid] = in[i];
            __syncthreads();
            out[i] = tile[width - 1u - tid];
            __syncthreads();
        }
    }
    // end snippet: divergent-barrier
}

// Yours: the same reverse, defined. Element j of a tile takes element width - 1 - j of it; a source past n is 0.0f.
__global__ void reverseTilesFixed(const float* __restrict__ in, float* __restrict__ out, size_t n, size_t numTiles) {
    __shared__ float tile[kMaxThreadsPerBlock];
    const unsigned int tid = threadIdx.x;
    const unsigned int width = blockDim.x;
    const size_t first = static_cast<size_t>(blockIdx.x) * kTilesPerBlock;
    const size_t end = (first + kTilesPerBlock < numTiles) ? first + kTilesPerBlock : numTiles;
    // snippet: fixed-barrier
    for (size_t t = first; t < end; ++t) {
        const size_t i = t * width + tid;
        tile[tid] = (i < n) ? in[i] : 0.0f;
        __syncthreads();
        if (i < n) {
            out[i] = tile[width - 1u - tid];
        }
        __syncthreads();
    }
    // end snippet: fixed-barrier
}

#ifndef __CUDACC_RTC__

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

int failures = 0;
int gatedRows = 0;

// A call that fails is recorded with its place; the program goes on to its one clean-up and its one exit.
bool succeeded(cudaError_t result, const char* call, int line) {
    if (result != cudaSuccess) {
        std::fprintf(stderr, "CUDA error %s:%d: %s: %s\n", __FILE__, line, call, cudaGetErrorString(result));
        ++failures;
    }
    return result == cudaSuccess;
}
#define CUDA_CHECK(call) succeeded((call), #call, __LINE__)

struct DeviceFloats {
    float* at = nullptr;
    DeviceFloats() { CUDA_CHECK(cudaMalloc(&at, kElems * sizeof(float))); }
    ~DeviceFloats() { cudaFree(at); }
    DeviceFloats(const DeviceFloats&) = delete;
    DeviceFloats& operator=(const DeviceFloats&) = delete;
};

constexpr int kPoison = 0xFF;  // not a number as a float: a kernel that writes nothing inherits nothing
constexpr int kBlockSizes[] = {kWarpSize, kThreadsPerBlock};

std::vector<float> scanned(const std::vector<float>& in, size_t width) {
    std::vector<float> out(in.size());
    double sum = 0.0;
    for (size_t i = 0; i < in.size(); ++i) {
        sum = (i % width == 0 ? 0.0 : sum) + in[i];
        out[i] = static_cast<float>(sum);
    }
    return out;
}

std::vector<float> reversed(const std::vector<float>& in, size_t width) {
    std::vector<float> out(in.size());
    for (size_t i = 0; i < in.size(); ++i) {
        const size_t source = i / width * width + (width - 1 - i % width);
        out[i] = source < in.size() ? in[source] : 0.0f;
    }
    return out;
}

enum Kernel { kScanRacy, kScanFixed, kReverseDivergent, kReverseFixed, kKernels };
const char* const kNames[] = {"scanTileRacy", "scanTileFixed", "reverseTilesDivergentBarrier", "reverseTilesFixed"};

void launch(Kernel kernel, int threads, const float* in, float* out) {
    const size_t tiles = (kElems + threads - 1) / threads;
    const unsigned int scanBlocks = static_cast<unsigned int>(tiles);
    const unsigned int reverseBlocks = static_cast<unsigned int>((tiles + kTilesPerBlock - 1) / kTilesPerBlock);
    switch (kernel) {
        case kScanRacy: scanTileRacy<<<scanBlocks, threads>>>(in, out, kElems); break;
        case kScanFixed: scanTileFixed<<<scanBlocks, threads>>>(in, out, kElems); break;
        case kReverseDivergent:
            reverseTilesDivergentBarrier<<<reverseBlocks, threads>>>(in, out, kElems, tiles);
            break;
        default: reverseTilesFixed<<<reverseBlocks, threads>>>(in, out, kElems, tiles); break;
    }
}

// One row: every launch on poisoned output, compared exactly. The row shows the first wrong launch, if there is one.
void row(Kernel kernel, int threads, const DeviceFloats& in, const DeviceFloats& out, const std::vector<float>& want) {
    const bool gated = kernel == kScanFixed || kernel == kReverseFixed;
    std::vector<float> got(kElems);
    size_t bad = 0, firstBad = 0;
    int runs = 0, wrongRuns = 0;
    float gotThere = 0.0f;
    for (; runs < kRepeats; ++runs) {
        if (!CUDA_CHECK(cudaMemset(out.at, kPoison, kElems * sizeof(float)))) break;
        launch(kernel, threads, in.at, out.at);
        if (!CUDA_CHECK(cudaGetLastError()) || !CUDA_CHECK(cudaDeviceSynchronize())) break;
        if (!CUDA_CHECK(cudaMemcpy(got.data(), out.at, kElems * sizeof(float), cudaMemcpyDeviceToHost))) break;
        size_t badHere = 0, firstHere = 0;
        for (size_t i = kElems; i-- > 0;) {
            if (got[i] != want[i]) {
                ++badHere;
                firstHere = i;
            }
        }
        if (badHere != 0 && wrongRuns++ == 0) {
            bad = badHere;
            firstBad = firstHere;
            gotThere = got[firstHere];
        }
    }
    char place[24] = "-";
    if (bad != 0) std::snprintf(place, sizeof place, "%zu", firstBad);
    std::printf("%7d  %-32s %11zu %11s %6s\n", threads, kNames[kernel], bad, place, gated ? "yes" : "no");
    if (!gated) return;
    ++gatedRows;
    if (bad != 0) {
        std::fprintf(stderr, "%s at %d threads: wrong on %d of %d launches, %zu elements, first %zu: got %.9g, want %.9g\n",
                     kNames[kernel], threads, wrongRuns, runs, bad, firstBad, gotThere, want[firstBad]);
        ++failures;
    } else if (runs != kRepeats) {
        std::fprintf(stderr, "%s at %d threads: only %d of %d launches were completed\n", kNames[kernel], threads, runs,
                     kRepeats);
        ++failures;
    }
}

void run(bool buggy, bool fixed) {
    cudaDeviceProp card;
    if (!CUDA_CHECK(cudaSetDevice(0)) || !CUDA_CHECK(cudaGetDeviceProperties(&card, 0))) return;
    std::printf("GPU: %s (compute capability %d.%d, %d SMs)\n", card.name, card.major, card.minor,
                card.multiProcessorCount);
    if (card.warpSize != kWarpSize) {
        std::fprintf(stderr, "this card has warps of %d threads; %d are needed\n", card.warpSize, kWarpSize);
        ++failures;
    }
    std::printf("mode: %s\n", buggy && fixed ? "all" : buggy ? "buggy" : "fixed");
    std::printf("n = %zu floats, in[i] = i; one tile a scan block, %zu tiles a reverse block, %d launches a row\n\n",
                kElems, kTilesPerBlock, kRepeats);

    std::vector<float> numbers(kElems);
    for (size_t i = 0; i < kElems; ++i) numbers[i] = static_cast<float>(i);
    DeviceFloats in, out;
    if (failures != 0) return;
    if (!CUDA_CHECK(cudaMemcpy(in.at, numbers.data(), kElems * sizeof(float), cudaMemcpyHostToDevice))) return;

    std::printf("%7s  %-32s %11s %11s %6s\n", "threads", "kernel", "mismatches", "first bad", "gated");
    for (int threads : kBlockSizes) {
        if (threads > card.maxThreadsPerBlock) {
            std::fprintf(stderr, "this card takes blocks of at most %d threads; the rows at %d cannot run\n",
                         card.maxThreadsPerBlock, threads);
            ++failures;
            continue;
        }
        const std::vector<float> scan = scanned(numbers, threads), reverse = reversed(numbers, threads);
        for (int k = 0; k < kKernels; ++k) {
            const bool isFixed = k == kScanFixed || k == kReverseFixed;
            if (isFixed ? !fixed : !buggy) continue;
            row(static_cast<Kernel>(k), threads, in, out, k < kReverseDivergent ? scan : reverse);
        }
    }
    const int expected = fixed ? 2 * static_cast<int>(sizeof kBlockSizes / sizeof kBlockSizes[0]) : 0;
    if (gatedRows != expected) {
        std::fprintf(stderr, "%d gated rows were printed, %d are required\n", gatedRows, expected);
        ++failures;
    }
    std::printf("\nreported, not gated: the rows marked no; 0 mismatches there is a result, not a pass\n");
}

}  // namespace

int main(int argc, char** argv) {
    const char* mode = argc > 1 ? argv[1] : "all";
    const bool all = std::strcmp(mode, "all") == 0;
    const bool buggy = all || std::strcmp(mode, "buggy") == 0;
    const bool fixed = all || std::strcmp(mode, "fixed") == 0;
    if (argc > 2 || (!buggy && !fixed)) {
        std::fprintf(stderr, "usage: %s [buggy|fixed|all]\n", argv[0]);
        ++failures;
    } else {
        run(buggy, fixed);
    }
    if (failures != 0) {
        std::fprintf(stderr, "%d check(s) failed\n", failures);
        return EXIT_FAILURE;
    }
    std::printf(fixed ? "\nboth fixed kernels were exact at every block size\n"
                      : "\nnothing was gated: run `fixed` or `all` for the kernels that decide\n");
    return EXIT_SUCCESS;
}

#endif  // __CUDACC_RTC__
