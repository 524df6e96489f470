// A spin lock with acquire and release on the lock word.
// check: --kernel add --grid 6 --block 1 --arg buf:u32:1:zero --arg buf:u32:1:zero
// expect: defined
#include <cuda/atomic>
__global__ void add(unsigned* lock, unsigned* value) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> word{*lock};
    while (word.exchange(1u, cuda::memory_order_acquire) != 0u) {
    }
    value[0] += 1u;
    word.store(0u, cuda::memory_order_release);
}
