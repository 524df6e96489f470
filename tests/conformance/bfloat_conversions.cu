// bfloat16 is the upper half of a single, rounded to nearest even.
// launch: 1 x 8
// arg: a u32[8] = [0x3f800000, 0x3f808000, 0x3f818000, 0x3f808001, 0xc2f6e979, 0x7f800000, 0x00000001, 0x7f7fffff]
// arg: out u16[8]
// arg: back u32[8]
// expect: out = [0x3f80, 0x3f80, 0x3f82, 0x3f81, 0xc2f7, 0x7f80, 0x0000, 0x7f80]
// expect: back = [0x3f800000, 0x3f800000, 0x3f820000, 0x3f810000, 0xc2f70000, 0x7f800000, 0, 0x7f800000]
#include <cuda_bf16.h>
extern "C" __global__ void k(const float *a, __nv_bfloat16 *out, float *back) {
    int t = threadIdx.x;
    out[t] = __float2bfloat16_rn(a[t]);
    back[t] = __bfloat162float(out[t]);
}
