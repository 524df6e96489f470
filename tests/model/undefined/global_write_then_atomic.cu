// One block resets the counter with a plain store while the others add to it.
// check: --kernel resetInside --grid 4 --block 32 --arg buf:u32:1:zero
// expect: undefined missing-atomic|data-race|missing-fence|counter-not-reset
__global__ void resetInside(unsigned* counter) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        counter[0] = 0u;  //! race
    }
    __syncthreads();
    atomicAdd(counter, 1u);
}
