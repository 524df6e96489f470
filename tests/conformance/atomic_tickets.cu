// The old values that atomicAdd returns are all different.
// launch: 4 x 64
// arg: n u32[1]
// arg: out u32[256]
// expect: n = 256
// expect: sorted out = i
extern "C" __global__ void k(unsigned *n, unsigned *out) {
    out[blockIdx.x * 64 + threadIdx.x] = atomicAdd(n, 1u);
}
