// The same under PTX's rule, where volatile is relaxed at system scope.
// check: --kernel pass --grid 2 --block 1 --model ptx --arg buf:u32:1:zero --arg buf:u32:1:zero --arg buf:u32:1:zero
// expect: defined
__global__ void pass(unsigned* data, unsigned* flag, unsigned* out) {
    volatile unsigned* signal = flag;
    if (blockIdx.x == 0) {
        data[0] = 42u;
        __threadfence();
        *signal = 1u;
    } else {
        while (*signal == 0u) {
        }
        __threadfence();
        out[0] = data[0];
    }
}
