// #pragma unroll 1, __builtin_expect, __builtin_assume and restrict change nothing.
// launch: 1 x 32
// arg: a u32[32] = i * 5
// arg: out u32[32]
// expect: out = sum(j, 0, i + 1, a[j])
extern "C" __global__ void k(const unsigned *__restrict__ a, unsigned *__restrict__ out) {
    unsigned s = 0, t = threadIdx.x;
    __builtin_assume(t < 32);
#pragma unroll 1
    for (unsigned j = 0; __builtin_expect(j <= t, 1); ++j)
        s += a[j];
    out[t] = s;
}
