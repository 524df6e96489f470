// A volatile flag: CUDA C++ does not count it as synchronisation.
// check: --kernel pass --grid 2 --block 1 --arg buf:u32:1:zero --arg buf:u32:1:zero --arg buf:u32:1:zero
// expect: undefined volatile-is-not-ordering
__global__ void pass(unsigned* data, unsigned* flag, unsigned* out) {
    volatile unsigned* signal = flag;
    if (blockIdx.x == 0) {
        data[0] = 42u;
        *signal = 1u;  //! race
    } else {
        while (*signal == 0u) {
        }
        out[0] = data[0];
    }
}
