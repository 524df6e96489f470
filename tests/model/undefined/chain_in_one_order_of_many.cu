// Nobody waits: the race shows only when three blocks happen to run in one order, by a middle fence that is too narrow.
// check: --kernel relay --grid 3 --block 1 --arg buf:u32:1 --arg buf:u32:1 --arg buf:u32:1 --arg buf:u32:1
// expect: undefined fence-scope-too-narrow|missing-fence
__global__ void relay(unsigned* data, unsigned* first, unsigned* second, unsigned* out) {
    if (blockIdx.x == 0) {
        data[0] = 1u;  //! race
        __threadfence();
        atomicExch(first, 1u);
    } else if (blockIdx.x == 1) {
        const unsigned seen = atomicOr(first, 0u);
        __threadfence_block();
        if (seen == 1u) {
            atomicExch(second, 1u);
        }
    } else {
        const unsigned seen = atomicOr(second, 0u);
        __threadfence();
        if (seen == 1u) {
            out[0] = data[0];  //! race
        }
    }
}
