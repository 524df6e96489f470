// Recursion with a local array in every frame.
// launch: 1 x 16
// arg: out u32[16]
// expect: out = sum(d, 0, i + 1, sum(j, 0, 4, d * 10 + j))
__device__ __noinline__ unsigned walk(unsigned depth) {
    volatile unsigned own[4];
    for (unsigned j = 0; j < 4; ++j)
        own[j] = depth * 10 + j;
    unsigned below = depth ? walk(depth - 1) : 0;
    return below + own[0] + own[1] + own[2] + own[3];
}
extern "C" __global__ void k(unsigned *out) { out[threadIdx.x] = walk(threadIdx.x); }
