// bar.arrive lets a producer go on; the consumer waits with bar.sync.
// launch: 1 x 64
// arg: out u32[32]
// expect: out = (31 - i) * 5 + 1
extern "C" __global__ void k(unsigned *out) {
    __shared__ unsigned s[32];
    unsigned t = threadIdx.x;
    if (t < 32) {
        s[t] = t * 5 + 1;
        __threadfence_block();
        asm volatile("bar.arrive 3, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 3, 64;" ::: "memory");
        out[t - 32] = s[31 - (t - 32)];
    }
}
