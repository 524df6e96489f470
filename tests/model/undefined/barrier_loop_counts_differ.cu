// Threads go round the loop, and so through the barrier, different numbers of times.
// check: --kernel loops --grid 1 --block 64 --arg buf:u32:64
// expect: undefined barrier-skipped|divergent-barrier *
__global__ void loops(unsigned* out) {
    unsigned rounds = 0;
    for (unsigned k = 0; k <= threadIdx.x / 32u; ++k) {
        ++rounds;
        __syncthreads();  //! race
    }
    out[threadIdx.x] = rounds;
}
