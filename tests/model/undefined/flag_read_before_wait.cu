// The consumer reads before it has waited.
// check: --kernel pass --grid 2 --block 1 --arg buf:u32:1:zero --arg buf:u32:1:zero --arg buf:u32:1:zero
// expect: undefined missing-fence|data-race|missing-atomic
__global__ void pass(unsigned* data, unsigned* flag, unsigned* out) {
    if (blockIdx.x == 0) {
        data[0] = 42u;
        __threadfence();
        atomicExch(flag, 1u);
    } else {
        const unsigned early = data[0];  //! race
        while (atomicAdd(flag, 0u) == 0u) {
        }
        __threadfence();
        out[0] = early;
    }
}
