// An atomic flag without fences carries no data.
// check: --kernel pass --grid 2 --block 1 --arg buf:u32:1:zero --arg buf:u32:1:zero --arg buf:u32:1:zero
// expect: undefined missing-fence
__global__ void pass(unsigned* data, unsigned* flag, unsigned* out) {
    if (blockIdx.x == 0) {
        data[0] = 42u;  //! race
        atomicExch(flag, 1u);
    } else {
        while (atomicAdd(flag, 0u) == 0u) {
        }
        out[0] = data[0];
    }
}
