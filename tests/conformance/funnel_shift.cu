// shf: wrap mode takes the amount modulo 32, clamp mode at most 32.
// launch: 1 x 40
// arg: lo u32 = 0x89abcdef
// arg: hi u32 = 0x01234567
// arg: l u32[40]
// arg: r u32[40]
// arg: lc u32[40]
// arg: rc u32[40]
// expect: l = u64(hi << 32 | lo) << i % 32 >> 32
// expect: r = (hi << 32 | lo) >> i % 32
// expect: lc = (hi << 32 | lo) << min(i, 32) >> 32
// expect: rc = (hi << 32 | lo) >> min(i, 32)
extern "C" __global__ void k(unsigned lo, unsigned hi, unsigned *l, unsigned *r, unsigned *lc, unsigned *rc) {
    unsigned t = threadIdx.x;
    l[t] = __funnelshift_l(lo, hi, t);
    r[t] = __funnelshift_r(lo, hi, t);
    lc[t] = __funnelshift_lc(lo, hi, t);
    rc[t] = __funnelshift_rc(lo, hi, t);
}
