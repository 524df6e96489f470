// exit: 0
// not: which is what is used
// not: the gates are

// The block reverse: each block turns its own part of an array around, through shared memory.
//
//   nvcc -std=c++17 -O3 -arch=native -lineinfo -o reverse reverse.cu              (with your barrier)
//   nvcc -std=c++17 -O3 -arch=native -lineinfo -DSKIP_SYNC -o reverse_bad reverse.cu   (without it)
//   compute-sanitizer --tool racecheck ./reverse_bad
//
// The staff's solution. Built with -DSKIP_SYNC the program shows what happens without the barrier, and then its row
// decides nothing.

constexpr int BLOCK = 256;
constexpr int kElems = 64 * BLOCK;
constexpr int kPartialElems = 64 * BLOCK - 159;
constexpr int kRepeats = 20;

static_assert(BLOCK % 32 == 0 && BLOCK <= 1024, "a block is made of whole warps, and every card takes it");
static_assert(kElems % BLOCK == 0 && kPartialElems % BLOCK != 0, "one row has full tiles only, the other a partial one");
static_assert(kElems < (1 << 24), "in[i] = i is exact and distinct in a float");
static_assert(kRepeats >= 2, "one launch says nothing of a race");

// Element t of a block takes element blockDim.x - 1 - t of it; a source past n counts as 0.0f.
__global__ void reverseBlock(float* out, const float* in, int n) {
    __shared__ float tile[BLOCK];
    const int t = threadIdx.x;
    const int gid = blockIdx.x * blockDim.x + t;
    // snippet: exchange
    tile[t] = (gid < n) ? in[gid] : 0.0f;
#ifndef SKIP_SYNC
    __syncthreads();
#endif
    const float mirrored = tile[blockDim.x - 1 - t];
    // end snippet: exchange
    if (gid < n) {
        out[gid] = mirrored;
    }
}

#ifndef __CUDACC_RTC__

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

#ifdef SKIP_SYNC
constexpr bool kGated = false;
constexpr const char* kName = "reverseBlock -DSKIP_SYNC";
#else
constexpr bool kGated = true;
constexpr const char* kName = "reverseBlock";
#endif

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

void row(const char* name, int n, bool gated, const DeviceFloats& in, const DeviceFloats& out) {
    std::vector<float> got(kElems);
    int bad = 0, firstBad = -1, runs = 0, wrongRuns = 0;
    float gotThere = 0.0f, wantThere = 0.0f;
    for (; runs < kRepeats; ++runs) {
        // Poison: a kernel that writes nothing must not inherit the launch before.
        if (!CUDA_CHECK(cudaMemset(out.at, 0xFF, kElems * sizeof(float)))) break;
        reverseBlock<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(out.at, in.at, n);
        if (!CUDA_CHECK(cudaGetLastError()) || !CUDA_CHECK(cudaDeviceSynchronize())) break;
        if (!CUDA_CHECK(cudaMemcpy(got.data(), out.at, n * sizeof(float), cudaMemcpyDeviceToHost))) break;
        int badHere = 0;
        for (int i = 0; i < n; ++i) {
            const int source = i / BLOCK * BLOCK + (BLOCK - 1 - i % BLOCK);
            const float want = source < n ? static_cast<float>(source) : 0.0f;
            if (got[i] == want) continue;
            if (badHere++ == 0 && wrongRuns == 0) {
                firstBad = i;
                gotThere = got[i];
                wantThere = want;
            }
        }
        if (badHere != 0 && wrongRuns++ == 0) bad = badHere;
    }
    char place[24] = "-";
    if (bad != 0) std::snprintf(place, sizeof place, "%d", firstBad);
    std::printf("%7d  %-32s %11d %11s %6s\n", BLOCK, name, bad, place, gated ? "yes" : "no");
    if (!gated) return;
    ++gatedRows;
    if (bad != 0) {
        std::fprintf(stderr, "%s: wrong on %d of %d launches, %d elements, first %d: got %.9g, want %.9g\n", name,
                     wrongRuns, runs, bad, firstBad, gotThere, wantThere);
        ++failures;
    } else if (runs != kRepeats) {
        std::fprintf(stderr, "%s: only %d of %d launches were completed\n", name, runs, kRepeats);
        ++failures;
    }
}

void run() {
    cudaDeviceProp card;
    if (!CUDA_CHECK(cudaSetDevice(0)) || !CUDA_CHECK(cudaGetDeviceProperties(&card, 0))) return;
    std::printf("GPU: %s (compute capability %d.%d, %d SMs)\n", card.name, card.major, card.minor,
                card.multiProcessorCount);
    if (card.warpSize != 32 || card.maxThreadsPerBlock < BLOCK) {
        std::fprintf(stderr, "this card has warps of %d and blocks of at most %d threads; 32 and %d are needed\n",
                     card.warpSize, card.maxThreadsPerBlock, BLOCK);
        ++failures;
        return;
    }
    std::printf("n = %d floats, and %d for the partial tile; in[i] = i; %d launches a row\n\n", kElems, kPartialElems,
                kRepeats);
    std::vector<float> numbers(kElems);
    for (int i = 0; i < kElems; ++i) numbers[i] = static_cast<float>(i);
    DeviceFloats in, out;
    if (failures != 0) return;
    if (!CUDA_CHECK(cudaMemcpy(in.at, numbers.data(), kElems * sizeof(float), cudaMemcpyHostToDevice))) return;

    std::printf("%7s  %-32s %11s %11s %6s\n", "threads", "kernel", "mismatches", "first bad", "gated");
    row(kName, kElems, kGated, in, out);
    row("reverseBlock (partial tile)", kPartialElems, false, in, out);
    std::printf("\nreported, not gated: the rows marked no; 0 mismatches there is a result, not a pass\n");
    if (gatedRows != (kGated ? 1 : 0)) {
        std::fprintf(stderr, "%d gated rows were printed, %d are required\n", gatedRows, kGated ? 1 : 0);
        ++failures;
    }
}

}  // namespace

int main() {
    run();
    if (failures != 0) {
        std::fprintf(stderr, "%d check(s) failed\n", failures);
        return EXIT_FAILURE;
    }
    std::printf(kGated ? "\nthe gated kernel was exact on every run\n" : "\nnothing was gated in a SKIP_SYNC build\n");
    return EXIT_SUCCESS;
}

#endif  // __CUDACC_RTC__
