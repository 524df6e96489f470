// cuda::atomic in shared memory: store, load, exchange and wait between two warps.
// launch: 1 x 64
// arg: out u32[1]
// expect: out = 42
#include <cuda/atomic>
extern "C" __global__ void k(unsigned *out) {
    __shared__ cuda::atomic<unsigned, cuda::thread_scope_block> flag;
    __shared__ unsigned data;
    if (threadIdx.x == 0) flag.store(0, cuda::memory_order_relaxed);
    __syncthreads();
    if (threadIdx.x == 0) {
        data = 42;
        flag.store(1, cuda::memory_order_release);
    }
    if (threadIdx.x == 32) {
        while (flag.load(cuda::memory_order_acquire) == 0) {}
        *out = data;
    }
}
