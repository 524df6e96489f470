// Producers and consumers wait at two different named barriers; nothing orders them.
// check: --kernel handOver --grid 1 --block 64 --arg buf:u32:64
// expect: undefined missing-barrier
__global__ void handOver(unsigned* out) {
    __shared__ unsigned box[32];
    const unsigned t = threadIdx.x;
    if (t < 32) {
        box[t] = t * 5u;  //! race
        asm volatile("barrier.sync 1, 32;" ::: "memory");
    } else {
        asm volatile("barrier.sync 2, 32;" ::: "memory");
        out[t] = box[t - 32u];
    }
}
