// A sum of mixed words: whether a large buffer holds what it should, without moving it to the host. The order of the
// additions does not matter, so any grid gives the same. Compiled once, by hand, to fingerprint.ptx (see fingerprint.rs).
extern "C" __global__ void fingerprint(const unsigned* words, unsigned long long count, unsigned long long* sum) {
    unsigned long long own = 0;
    unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x;
    for (unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
        unsigned long long mixed = words[i] + 0x9E3779B97F4A7C15ull * (i + 1);
        mixed ^= mixed >> 32;
        mixed *= 0xD6E8FEB86659FD93ull;
        mixed ^= mixed >> 32;
        mixed *= 0xD6E8FEB86659FD93ull;
        mixed ^= mixed >> 32;
        own += mixed;
    }
    // One addition a warp: all of them go to one address.
    for (int lanes = 16; lanes > 0; lanes /= 2) {
        own += __shfl_down_sync(0xffffffffu, own, lanes);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(sum, own);
    }
}
