// atomicAdd of a half2 and a half.
// launch: 1 x 64
// arg: a f16[2]
// arg: b f16[2]
// expect: a = [64.0, 128.0]
// expect: b = [32.0, 0.0]
#include <cuda_fp16.h>
extern "C" __global__ void k(__half2 *a, __half *b) {
    atomicAdd(a, __floats2half2_rn(1.0f, 2.0f));
    atomicAdd(b, __float2half(0.5f));
}
