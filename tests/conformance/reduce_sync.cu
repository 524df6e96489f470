// redux.sync: add, min, max, and, or, xor over a warp, and over some of its lanes.
// launch: 1 x 32
// arch: compute_80
// arg: a s32[32] = i * 37 % 32 - 16
// arg: out s32[32]
// arg: part u32[32]
// expect: out = i == 0 ? -16 : i == 1 ? -16 : i == 2 ? 15 : i == 3 ? 0 : i == 4 ? 31 : i == 5 ? 0 : i == 6 ? 31 : -1
// expect: part = i < 8 ? 28 : sum(j, 8, 32, j)
extern "C" __global__ void k(const int *a, int *out, unsigned *part) {
    int t = threadIdx.x, x = a[t], r = -1;
    int add = __reduce_add_sync(0xffffffff, x), lo = __reduce_min_sync(0xffffffff, x), hi = __reduce_max_sync(0xffffffff, x);
    unsigned all = __reduce_and_sync(0xffffffff, (unsigned)t), any = __reduce_or_sync(0xffffffff, (unsigned)t),
             odd = __reduce_xor_sync(0xffffffff, (unsigned)t), top = __reduce_max_sync(0xffffffff, (unsigned)t);
    switch (t) {
    case 0: r = add; break;
    case 1: r = lo; break;
    case 2: r = hi; break;
    case 3: r = all; break;
    case 4: r = any; break;
    case 5: r = odd; break;
    case 6: r = top; break;
    }
    out[t] = r;
    if (t < 8)
        part[t] = __reduce_add_sync(0x000000ff, (unsigned)t);
    else
        part[t] = __reduce_add_sync(0xffffff00, (unsigned)t);
}
