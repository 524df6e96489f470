// cuda::atomic_ref: every operation and every order.
// launch: 1 x 64
// arg: a s32[8] = [0, 100, -1, 0, 0, 1000, 0, 7]
// arg: w u64[2]
// arg: out s32[64]
// expect: a = [64, 36, 0, 255, 64, 0, 63, 8]
// expect: w = [128, 64]
// expect: sorted out = i
#include <cuda/atomic>
template <class T, cuda::thread_scope S = cuda::thread_scope_device> using Ref = cuda::atomic_ref<T, S>;
extern "C" __global__ void k(int *a, unsigned long long *w, int *out) {
    int t = threadIdx.x;
    out[t] = Ref<int>(a[0]).fetch_add(1, cuda::memory_order_acq_rel);
    Ref<int>(a[1]).fetch_sub(1, cuda::memory_order_relaxed);
    Ref<int>(a[2]).fetch_and(~(1 << t % 32), cuda::memory_order_release);
    Ref<int, cuda::thread_scope_block>(a[3]).fetch_or(1 << t % 8, cuda::memory_order_seq_cst);
    int seen = Ref<int>(a[4]).load(cuda::memory_order_acquire);
    while (!Ref<int>(a[4]).compare_exchange_weak(seen, seen + 1, cuda::memory_order_acq_rel)) {}
    Ref<int, cuda::thread_scope_system>(a[5]).fetch_min(t, cuda::memory_order_relaxed);
    Ref<int>(a[6]).fetch_max(t, cuda::memory_order_seq_cst);
    if (t == 0) Ref<int>(a[7]).store(8, cuda::memory_order_release);
    Ref<unsigned long long>(w[0]).fetch_add(2);
    Ref<unsigned long long>(w[1])++;
}
