// A lock inside one block, in shared memory, with block-wide fences.
// check: --kernel add --grid 1 --block 64 --arg buf:u32:1:zero
// expect: defined
__global__ void add(unsigned* out) {
    __shared__ unsigned lock;
    __shared__ unsigned value;
    if (threadIdx.x == 0) {
        lock = 0;
        value = 0;
    }
    __syncthreads();
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock, 0u, 1u) == 0u) {
            __threadfence_block();
            value += 1u;
            __threadfence_block();
            atomicExch(&lock, 0u);
            done = true;
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        out[0] = value;
    }
}
