// Message passing with release and acquire.
// check: --kernel pass --grid 2 --block 1 --arg buf:u32:1:zero --arg buf:u32:1:zero --arg buf:u32:1:zero
// expect: defined
#include <cuda/atomic>
__global__ void pass(unsigned* data, unsigned* flag, unsigned* out) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> signal{*flag};
    if (blockIdx.x == 0) {
        data[0] = 42u;
        signal.store(1u, cuda::memory_order_release);
    } else {
        while (signal.load(cuda::memory_order_acquire) == 0u) {
        }
        out[0] = data[0];
    }
}
