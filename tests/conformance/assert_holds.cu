// An assertion that holds does nothing.
// launch: 1 x 32
// arg: out u32[32]
// expect: out = i
extern "C" __global__ void k(unsigned *out) {
    out[threadIdx.x] = threadIdx.x;
    assert(out[threadIdx.x] == threadIdx.x);
}
