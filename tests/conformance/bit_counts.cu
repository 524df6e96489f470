// popc, clz, ffs and brev, 32 and 64 bits wide.
// launch: 1 x 33
// arg: a u32[33] = i == 32 ? 0 : 1 << i
// arg: p u32[33]
// arg: z u32[33]
// arg: f u32[33]
// arg: v u32[33]
// arg: p64 u32[33]
// arg: z64 u32[33]
// arg: f64s u32[33]
// arg: v64 u64[33]
// expect: p = i == 32 ? 0 : i + 1
// expect: z = i == 32 ? 32 : 31 - i
// expect: f = i == 32 ? 0 : i + 1
// expect: v = i == 32 ? 0 : 0x80000000 >> i
// expect: p64 = i == 32 ? 16 : 17
// expect: z64 = 0
// expect: f64s = i == 32 ? 49 : i + 1
// expect: v64 = 0xffff | (i == 32 ? 0 : 0x8000000000000000 >> i)
extern "C" __global__ void k(const unsigned *a, unsigned *p, unsigned *z, unsigned *f, unsigned *v, unsigned *p64, unsigned *z64,
                             unsigned *f64s, unsigned long long *v64) {
    int t = threadIdx.x;
    unsigned x = a[t];
    p[t] = __popc(x ? x * 2 - 1 : 0);
    z[t] = __clz(x);
    f[t] = __ffs(x);
    v[t] = __brev(x);
    unsigned long long w = x | 0xffff000000000000ull;
    p64[t] = __popcll(w);
    z64[t] = __clzll(w);
    f64s[t] = __ffsll(w);
    v64[t] = __brevll(w);
}
