// The old value of the exchange decides who was first, and nobody has set it.
// check: --kernel claim --grid 2 --block 1 --arg buf:u32:1:uninit --arg buf:u32:2
// expect: undefined uninitialised-read
__global__ void claim(unsigned* taken, unsigned* out) {
    if (atomicExch(taken, 1u) == 0u) {  //! race
        out[blockIdx.x] = 1u;
    }
}
