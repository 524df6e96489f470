// break, continue and do-while in nested loops with bounds by lane.
// launch: 1 x 32
// arg: out u32[32]
// expect: out = sum(a, 0, min(i, 20), sum(b, 0, i % 5 + 1, (a + b) % 3 == 1 ? 0 : a * b + 1)) + min(i, 20)
extern "C" __global__ void k(unsigned *out) {
    unsigned t = threadIdx.x, s = 0;
    for (unsigned a = 0; a < t; ++a) {
        if (a == 20) break;
        unsigned b = 0;
        do {
            if ((a + b) % 3 == 1) continue;
            s += a * b + 1;
        } while (++b <= t % 5);
        ++s;
    }
    out[t] = s;
}
