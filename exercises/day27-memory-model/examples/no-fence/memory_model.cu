// Day 27. One launch that sums an array, and two ways to hand a result from one block to another.
//
//   nvcc -std=c++17 -O3 -arch=native -lineinfo -o memory_model memory_model.cu
//   ./memory_model
//
// Two kernels here are wrong by the memory model: sumLastBlockRacy and tallyBlocksBlockScope. Their rows are printed and
// decide nothing. The other two must be exact on every launch, or the program ends in EXIT_FAILURE.
//
// You may change what stands inside a kernel, and kBlocks. Everything else is the grader's.

constexpr int kWarpSize = 32;
constexpr int kThreadsPerBlock = 256;
constexpr int kBlocks = 1024;
constexpr size_t kElems = 4ull * 1024ull * 1024ull + 611ull;
constexpr int kRepeats = 100;

static_assert(kThreadsPerBlock % kWarpSize == 0, "a block is made of whole warps");
static_assert((kThreadsPerBlock & (kThreadsPerBlock - 1)) == 0, "reduceBlock halves its stride, down to 1");
static_assert(kThreadsPerBlock <= 1024, "no card takes a larger block");
static_assert(kBlocks >= 2, "with one block nothing is handed over");
static_assert(kElems < (1ull << 24), "a float holds every whole number below 2^24, so sums are compared exactly");
static_assert(kElems >= static_cast<size_t>(kBlocks) * kThreadsPerBlock, "every thread has an element to add");
static_assert(kElems % (static_cast<size_t>(kBlocks) * kThreadsPerBlock) != 0, "the last pass over the array is partial");
static_assert(kRepeats >= 2, "one launch says nothing of a race");

// Adds up the values of a block's threads. Every thread must call it; every thread gets the sum. `tile` may be used
// again after the block's next barrier.
__device__ float reduceBlock(float* tile, float value) {
    const unsigned int me = threadIdx.x;
    tile[me] = value;
    __syncthreads();
    for (unsigned int width = kThreadsPerBlock / 2u; width != 0u; width /= 2u) {
        if (me < width) {
            tile[me] += tile[me + width];
        }
        __syncthreads();
    }
    return tile[0];
}

// DELIBERATE BUG. Each block stores its partial sum and draws a ticket; the block with the last ticket adds the partial
// sums. Nothing orders the store before the ticket, so the last block may read a cell that still holds its old value.
// The worst that can come of it is a wrong total.
__global__ void sumLastBlockRacy(const float* in, float* partials, float* total, unsigned int* counter, size_t n) {
    __shared__ float tile[kThreadsPerBlock];
    __shared__ bool isLastBlockDone;

    const unsigned int tid = threadIdx.x;
    const size_t stride = static_cast<size_t>(gridDim.x) * blockDim.x;
    float mine = 0.0f;
    for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + tid; i < n; i += stride) {
        mine += in[i];
    }
    const float blockSum = reduceBlock(tile, mine);

    // snippet: racy-tail
    if (tid == 0) {
        partials[blockIdx.x] = blockSum;
        const unsigned int ticket = atomicAdd(counter, 1u);
        isLastBlockDone = (ticket == gridDim.x - 1u);
    }
    __syncthreads();
    // end snippet: racy-tail

    // All threads of the block read the same flag: either all of them reach the barriers of reduceBlock, or none does.
    if (isLastBlockDone) {
        float rest = 0.0f;
        for (unsigned int b = tid; b < gridDim.x; b += blockDim.x) {
            rest += partials[b];
        }
        const float grand = reduceBlock(tile, rest);
        if (tid == 0) {
            total[0] = grand;
        }
    }
}

// The same, with a fence between the store and the ticket that announces it.
__global__ void sumLastBlockFenced(const float* in, float* partials, float* total, unsigned int* counter, size_t n) {
    __shared__ float tile[kThreadsPerBlock];
    __shared__ bool isLastBlockDone;

    const unsigned int tid = threadIdx.x;
    const size_t stride = static_cast<size_t>(gridDim.x) * blockDim.x;
    float mine = 0.0f;
    for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + tid; i < n; i += stride) {
        mine += in[i];
    }
    const float blockSum = reduceBlock(tile, mine);

    // snippet: fenced-tail
    if (tid == 0) {
        partials[blockIdx.x] = blockSum;
        const unsigned int ticket = atomicAdd(counter, 1u);
        isLastBlockDone = (ticket == gridDim.x - 1u);
    }
    __syncthreads();
    // end snippet: fenced-tail

    if (isLastBlockDone) {
        float rest = 0.0f;
        for (unsigned int b = tid; b < gridDim.x; b += blockDim.x) {
            rest += partials[b];
        }
        const float grand = reduceBlock(tile, rest);
        if (tid == 0) {
            total[0] = grand;
        }
    }
}

// Every thread of the grid counts itself, atomically for the whole device.
// snippet: tally-device
__global__ void tallyBlocksDeviceScope(unsigned int* tally) {
    atomicAdd(tally, 1u);
}
// end snippet: tally-device

// DELIBERATE BUG. The same count, atomic only among the threads of one block: two blocks may lose each other's
// additions. The worst that can come of it is a low count.
// snippet: tally-block
__global__ void tallyBlocksBlockScope(unsigned int* tally) {
    atomicAdd_block(tally, 1u);
}
// end snippet: tally-block

#ifndef __CUDACC_RTC__

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

int failures = 0;

// A call that fails is recorded with its place; the program goes on to its one clean-up and its one exit.
bool succeeded(cudaError_t result, const char* call, int line) {
    if (result != cudaSuccess) {
        std::fprintf(stderr, "CUDA error %s:%d: %s: %s\n", __FILE__, line, call, cudaGetErrorString(result));
        ++failures;
    }
    return result == cudaSuccess;
}
#define CUDA_CHECK(call) succeeded((call), #call, __LINE__)

template <typename T>
struct DeviceArray {
    T* at = nullptr;
    size_t bytes = 0;
    explicit DeviceArray(size_t count) : bytes(count * sizeof(T)) { CUDA_CHECK(cudaMalloc(&at, bytes)); }
    ~DeviceArray() { cudaFree(at); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    // Every byte of the array, before every launch: a right value left behind would hide the bug.
    bool set(int byte) { return CUDA_CHECK(cudaMemset(at, byte, bytes)); }
};

constexpr int kPoison = 0xFF;  // not a number as a float: no right total looks like it

struct Arrays {
    DeviceArray<float> in{kElems}, partials{kBlocks}, total{1};
    DeviceArray<unsigned int> counter{1}, tally{1};
};

using SumKernel = void (*)(const float*, float*, float*, unsigned int*, size_t);
using TallyKernel = void (*)(unsigned int*);

// Launches that were completed, and what was wrong with them.
struct Outcome {
    int runs = 0, wrong = 0, firstBadRun = -1;
    float totalThere = 0.0f;
    unsigned int lowest = ~0u, highest = 0u;
};

Outcome sumRow(const char* name, SumKernel kernel, Arrays& arrays, float want) {
    Outcome o;
    for (int run = 0; run < kRepeats; ++run) {
        if (!arrays.partials.set(0) || !arrays.total.set(kPoison) || !arrays.counter.set(0)) break;
        kernel<<<kBlocks, kThreadsPerBlock>>>(arrays.in.at, arrays.partials.at, arrays.total.at, arrays.counter.at,
                                              kElems);
        if (!CUDA_CHECK(cudaGetLastError()) || !CUDA_CHECK(cudaDeviceSynchronize())) break;
        float got = 0.0f;
        if (!CUDA_CHECK(cudaMemcpy(&got, arrays.total.at, sizeof got, cudaMemcpyDeviceToHost))) break;
        ++o.runs;
        if (got != want && o.wrong++ == 0) {
            o.firstBadRun = run;
            o.totalThere = got;
        }
    }
    if (o.wrong == 0) {
        std::printf("%-20s %5d %6d  %13s  %14s\n", name, o.runs, o.wrong, "-", "-");
    } else {
        std::printf("%-20s %5d %6d  %13d  %14.9g\n", name, o.runs, o.wrong, o.firstBadRun, o.totalThere);
    }
    return o;
}

Outcome tallyRow(const char* name, TallyKernel kernel, Arrays& arrays, unsigned int want) {
    Outcome o;
    for (int run = 0; run < kRepeats; ++run) {
        if (!arrays.tally.set(0)) break;
        kernel<<<kBlocks, kThreadsPerBlock>>>(arrays.tally.at);
        if (!CUDA_CHECK(cudaGetLastError()) || !CUDA_CHECK(cudaDeviceSynchronize())) break;
        unsigned int got = 0;
        if (!CUDA_CHECK(cudaMemcpy(&got, arrays.tally.at, sizeof got, cudaMemcpyDeviceToHost))) break;
        ++o.runs;
        o.lowest = got < o.lowest ? got : o.lowest;
        o.highest = got > o.highest ? got : o.highest;
        if (got != want && o.wrong++ == 0) o.firstBadRun = run;
    }
    std::printf("%-24s %5d %6d  %13u  %10u  %13u\n", name, o.runs, o.wrong, o.lowest, want, o.highest);
    return o;
}

// A gate: every launch was completed and right. The row must exist; an exit status alone would not say so.
void gate(const char* name, const Outcome& o, double got, double want) {
    if (o.runs == kRepeats && o.wrong == 0) return;
    ++failures;
    if (o.wrong == 0) {
        std::fprintf(stderr, "%s: only %d of %d launches were completed\n", name, o.runs, kRepeats);
    } else {
        std::fprintf(stderr, "%s: %d of %d launches were wrong, first launch %d: got %.9g, want %.9g\n", name, o.wrong,
                     o.runs, o.firstBadRun, got, want);
    }
}

void run() {
    cudaDeviceProp card;
    if (!CUDA_CHECK(cudaSetDevice(0)) || !CUDA_CHECK(cudaGetDeviceProperties(&card, 0))) return;
    std::printf("GPU: %s (compute capability %d.%d, %d SMs)\n", card.name, card.major, card.minor,
                card.multiProcessorCount);
    if (card.warpSize != kWarpSize || card.maxThreadsPerBlock < kThreadsPerBlock) {
        std::fprintf(stderr, "this card has warps of %d and blocks of at most %d threads; %d and %d are needed\n",
                     card.warpSize, card.maxThreadsPerBlock, kWarpSize, kThreadsPerBlock);
        ++failures;
        return;
    }
    std::printf("n = %zu floats, every one of them 1.0f\n", kElems);
    std::printf("%d blocks x %d threads, %d launches per kernel\n", kBlocks, kThreadsPerBlock, kRepeats);

    const std::vector<float> ones(kElems, 1.0f);
    double reference = 0.0;
    for (float one : ones) reference += one;
    const float want = static_cast<float>(reference);
    const unsigned int wantCount = static_cast<unsigned int>(kBlocks) * kThreadsPerBlock;

    Arrays arrays;
    if (failures != 0) return;
    if (!CUDA_CHECK(cudaMemcpy(arrays.in.at, ones.data(), arrays.in.bytes, cudaMemcpyHostToDevice))) return;

    std::printf("\nreference total %.9g\n", want);
    std::printf("\n%-20s %5s %6s  %13s  %14s\n", "kernel", "runs", "wrong", "first bad run", "total there");
    const Outcome racy = sumRow("sumLastBlockRacy", sumLastBlockRacy, arrays, want);
    const Outcome fenced = sumRow("sumLastBlockFenced", sumLastBlockFenced, arrays, want);
    std::printf("\n%-24s %5s %6s  %13s  %10s  %13s\n", "tally kernel", "runs", "wrong", "lowest count", "want",
                "highest count");
    const Outcome device = tallyRow("tallyBlocksDeviceScope", tallyBlocksDeviceScope, arrays, wantCount);
    const Outcome block = tallyRow("tallyBlocksBlockScope", tallyBlocksBlockScope, arrays, wantCount);

    std::printf("\nreported, not gated: sumLastBlockRacy wrong on %d of %d runs, tallyBlocksBlockScope on %d of %d\n",
                racy.wrong, racy.runs, block.wrong, block.runs);
    gate("sumLastBlockFenced", fenced, fenced.totalThere, want);
    gate("tallyBlocksDeviceScope", device, device.lowest != wantCount ? device.lowest : device.highest, wantCount);
}

}  // namespace

int main() {
    run();
    if (failures != 0) {
        std::fprintf(stderr, "%d check(s) failed\n", failures);
        return EXIT_FAILURE;
    }
    std::printf("\nboth gated kernels were exact on every run\n");
    return EXIT_SUCCESS;
}

#endif  // __CUDACC_RTC__
