// Producers arrive, consumers wait, at one named barrier.
// check: --kernel handOver --grid 1 --block 64 --arg buf:u32:64
// expect: defined
__global__ void handOver(unsigned* out) {
    __shared__ unsigned box[32];
    const unsigned t = threadIdx.x;
    if (t < 32) {
        box[t] = t * 5u;
        asm volatile("barrier.arrive 1, 64;" ::: "memory");
    } else {
        asm volatile("barrier.sync 1, 64;" ::: "memory");
        out[t] = box[t - 32u];
    }
}
