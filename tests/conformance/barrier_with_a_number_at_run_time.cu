// barrier.sync with registers for its number and its count.
// launch: 1 x 128
// arg: out u32[128]
// expect: out = i ^ 63
extern "C" __global__ void k(unsigned *out) {
    __shared__ unsigned s[128];
    unsigned t = threadIdx.x;
    s[t] = t;
    asm volatile("barrier.sync %0, %1;" ::"r"(t / 64 + 1), "r"(64) : "memory");
    out[t] = s[t ^ 63];
}
