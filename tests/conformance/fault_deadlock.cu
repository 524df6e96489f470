// Half of a block waits at a barrier of the whole block's count, the other half at another.
// launch: 1 x 64
// gpu: no
// arg: out u32[1]
// fault: deadlock
extern "C" __global__ void k(unsigned *out) {
    if (threadIdx.x < 32)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        asm volatile("bar.sync 2, 64;" ::: "memory");
    *out = 1;
}
