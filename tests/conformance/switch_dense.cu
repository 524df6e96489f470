// A dense switch with work in each case, which NVRTC turns into brx.idx or comparisons.
// launch: 1 x 64
// arg: out u32[64]
// expect: out = i % 12 == 0 ? i * 3 : i % 12 == 1 ? i + 100 : i % 12 == 2 ? i ^ 0x55 : i % 12 == 3 ? i * i : i % 12 == 4 ? i / 3 : i % 12 == 5 ? popc(i) : i % 12 == 6 ? ~i : i % 12 == 7 ? i << 5 : i % 12 == 8 ? 1000 - i : 4242
extern "C" __global__ void k(unsigned *out) {
    unsigned t = threadIdx.x, r;
    switch (t % 12) {
    case 0: r = t * 3; break;
    case 1: r = t + 100; break;
    case 2: r = t ^ 0x55; break;
    case 3: r = t * t; break;
    case 4: r = t / 3; break;
    case 5: r = __popc(t); break;
    case 6: r = ~t; break;
    case 7: r = t << 5; break;
    case 8: r = 1000 - t; break;
    default: r = 4242;
    }
    out[t] = r;
}
