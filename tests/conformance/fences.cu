// Every fence, in CUDA and in assembly; they change no values.
// launch: 1 x 32
// arg: a u32[32] = i
// expect: a = i * 2 + 5
#include <cuda/atomic>
extern "C" __global__ void k(unsigned *a) {
    unsigned x = a[threadIdx.x] * 2;
    a[threadIdx.x] = x + 1;
    __threadfence();
    a[threadIdx.x] = x + 2;
    __threadfence_block();
    a[threadIdx.x] = x + 3;
    __threadfence_system();
    asm volatile("fence.acq_rel.cta; fence.sc.gpu;" ::: "memory");
    a[threadIdx.x] = x + 4;
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_system);
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_block);
    a[threadIdx.x] = x + 5;
}
