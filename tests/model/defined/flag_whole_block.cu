// A block fills an array, one thread publishes, another block reads it all.
// check: --kernel pass --grid 2 --block 64 --arg buf:u32:64:zero --arg buf:u32:1:zero --arg buf:u32:64:zero
// expect: defined
__global__ void pass(unsigned* data, unsigned* flag, unsigned* out) {
    const unsigned t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = t * t;
        __syncthreads();
        if (t == 0) {
            __threadfence();
            atomicExch(flag, 1u);
        }
    } else {
        if (t == 0) {
            while (atomicAdd(flag, 0u) == 0u) {
            }
            __threadfence();
        }
        __syncthreads();
        out[t] = data[t];
    }
}
