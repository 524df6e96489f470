// The look-back with its fence below the flag.
// check: --kernel scan --grid 6 --block 1 --arg buf:u32:6:ones --arg buf:u32:6:zero --arg buf:u32:6:zero
// expect: undefined fence-after-announcement
__global__ void scan(unsigned* data, unsigned* prefix, unsigned* ready) {
    const unsigned b = blockIdx.x;
    unsigned left = 0;
    if (b > 0) {
        while (atomicAdd(&ready[b - 1u], 0u) == 0u) {
        }
        __threadfence();
        left = prefix[b - 1u];
    }
    prefix[b] = left + data[b];  //! race
    atomicExch(&ready[b], 1u);
    __threadfence();
}
