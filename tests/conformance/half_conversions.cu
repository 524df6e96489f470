// Halves to singles, integers and back.
// launch: 1 x 32
// arg: a f16[32] = i * 1.75 - 20.0
// arg: f f32[32]
// arg: n s32[32]
// arg: back f16[32]
// arg: special f32[32]
// expect: f = a[i]
// expect: n = int(trunc(a[i]))
// expect: back = i * 777 - 9000
// expect: special = i % 4 == 0 ? inf : i % 4 == 1 ? exp2(-24) : i % 4 == 2 ? -0.0 : 65504.0
#include <cuda_fp16.h>
extern "C" __global__ void k(const __half *a, float *f, int *n, __half *back, float *special) {
    int t = threadIdx.x;
    f[t] = __half2float(a[t]);
    n[t] = __half2int_rz(a[t]);
    back[t] = __int2half_rn(t * 777 - 9000);
    unsigned short bits = t % 4 == 0 ? 0x7c00 : t % 4 == 1 ? 1 : t % 4 == 2 ? 0x8000 : 0x7bff;
    special[t] = __half2float(__ushort_as_half(bits));
}
