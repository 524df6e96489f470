// The consumer's load is relaxed and no fence follows: nothing is acquired.
// check: --kernel pass --grid 2 --block 1 --strict --arg buf:u32:1:zero --arg buf:u32:1:zero --arg buf:u32:1:zero
// expect: undefined missing-consumer-fence
#include <cuda/atomic>
__global__ void pass(unsigned* data, unsigned* flag, unsigned* out) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> signal{*flag};
    if (blockIdx.x == 0) {
        data[0] = 42u;
        signal.store(1u, cuda::memory_order_release);
    } else {
        while (signal.load(cuda::memory_order_relaxed) == 0u) {
        }
        out[0] = data[0];  //! race
    }
}
