// The consumer has seen the flag and puts it back with a plain store, which nobody else reads any more.
// check: --kernel pass --grid 2 --block 1 --arg buf:u32:1 --arg buf:u32:1 --arg buf:u32:1
// expect: defined
__global__ void pass(unsigned* data, unsigned* flag, unsigned* out) {
    if (blockIdx.x == 0) {
        data[0] = 7u;
        __threadfence();
        atomicExch(flag, 1u);
    } else {
        while (atomicAdd(flag, 0u) == 0u) {
        }
        __threadfence();
        out[0] = data[0];
        flag[0] = 0u;
    }
}
