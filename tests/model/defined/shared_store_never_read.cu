// The same with both in a critical section.
// check: --kernel set --grid 1 --block 33
// expect: defined
__global__ void set() {
    __shared__ unsigned lock, value;
    if (threadIdx.x == 0) {
        lock = 0u;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(&lock, 0u, 1u) != 0u) {
        }
        __threadfence_block();
        value = threadIdx.x;
        __threadfence_block();
        atomicExch(&lock, 0u);
    }
}
