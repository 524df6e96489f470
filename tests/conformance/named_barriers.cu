// Two halves of a block meet at barriers of their own.
// launch: 1 x 128
// arg: out u32[128]
// expect: out = i < 64 ? (63 - i) * 2 : (127 - i + 64) * 3
extern "C" __global__ void k(unsigned *out) {
    __shared__ unsigned s[128];
    unsigned t = threadIdx.x;
    if (t < 64) {
        s[t] = t * 2;
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[t] = s[63 - t];
    } else {
        s[t] = t * 3;
        asm volatile("bar.sync 2, 64;" ::: "memory");
        out[t] = s[127 - t + 64];
    }
}
