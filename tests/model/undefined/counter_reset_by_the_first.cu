// The first block to draw a ticket puts the counter back: others may still be drawing.
// check: --kernel draw --grid 4 --block 32 --arg buf:u32:1 --arg buf:u32:4
// expect: undefined missing-atomic|missing-fence
__global__ void draw(unsigned* counter, unsigned* ticket) {
    if (threadIdx.x == 0) {
        const unsigned own = atomicAdd(counter, 1u);  //! race
        ticket[blockIdx.x] = own;
        if (own == 0u) {
            counter[0] = 0u;  //! race
        }
    }
}
