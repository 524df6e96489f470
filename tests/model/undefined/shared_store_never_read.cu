// Two warps store to one word, one in a critical section, and nothing ever reads it.
// check: --kernel set --grid 1 --block 33
// expect: undefined missing-barrier|missing-atomic|missing-fence
__global__ void set() {
    __shared__ unsigned lock, value;
    if (threadIdx.x == 0) {
        lock = 0u;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock, 0u, 1u) != 0u) {
        }
        __threadfence_block();
        value = 1u;  //! race
        __threadfence_block();
        atomicExch(&lock, 0u);
    } else if (threadIdx.x == 32) {
        value = 2u;  //! race
    }
}
