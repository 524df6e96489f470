// exit from within a function ends the thread.
// launch: 1 x 32
// arg: out u32[32] = 5
// expect: out = i % 4 == 1 ? 6 : 7
__device__ __noinline__ void leave(unsigned *p) {
    *p = 6;
    asm volatile("exit;");
}
extern "C" __global__ void k(unsigned *out) {
    if (threadIdx.x % 4 == 1) leave(out + threadIdx.x);
    out[threadIdx.x] = 7;
}
