// Comparisons of halves; NaN is unordered.
// launch: 1 x 5
// arg: a u16[5] = [0x0000, 0x8000, 0x3c00, 0xfc00, 0x7e00]
// arg: out u32[5]
// expect: out = [0x952, 0x952, 0x8a4, 0x56d, 0]
#include <cuda_fp16.h>
// Three bits for each other number: less, equal, ordered and unequal.
extern "C" __global__ void k(const __half *a, unsigned *out) {
    unsigned r = 0;
    int t = threadIdx.x;
    for (int j = 0; j < 5; ++j) {
        r |= (unsigned)__hlt(a[t], a[j]) << 3 * j;
        r |= (unsigned)__heq(a[t], a[j]) << (3 * j + 1);
        r |= (unsigned)__hne(a[t], a[j]) << (3 * j + 2);
    }
    out[t] = r;
}
