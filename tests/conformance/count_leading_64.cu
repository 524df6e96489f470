// clz of 64-bit numbers.
// launch: 1 x 65
// arg: out u32[65]
// expect: out = i == 64 ? 64 : 63 - i
extern "C" __global__ void k(unsigned *out) {
    int t = threadIdx.x;
    unsigned long long x = t == 64 ? 0 : 1ull << t | 1ull << t / 2;
    out[t] = __clzll(x);
}
