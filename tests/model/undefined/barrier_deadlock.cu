// A barrier for 64 threads where only 32 ever come.
// check: --kernel stuck --grid 1 --block 64 --arg buf:u32:64
// expect: undefined divergent-barrier|no-progress *
__global__ void stuck(unsigned* out) {
    if (threadIdx.x < 32) {
        asm volatile("barrier.sync 1, 64;" ::: "memory");  //! race
    } else {
        asm volatile("barrier.sync 2, 64;" ::: "memory");  //! race
    }
    out[threadIdx.x] = 1u;
}
