// Each block waits for the one before it: a chained sum.
// launch: 12 x 32
// arg: sums u32[12]
// arg: flags u32[12]
// expect: sums = (i + 1) * (i + 2) / 2
// expect: flags = 1
extern "C" __global__ void k(volatile unsigned *sums, volatile unsigned *flags) {
    if (threadIdx.x) return;
    unsigned before = 0, b = blockIdx.x;
    if (b) {
        while (!flags[b - 1]) {}
        __threadfence();
        before = sums[b - 1];
    }
    sums[b] = before + b + 1;
    __threadfence();
    flags[b] = 1;
}
