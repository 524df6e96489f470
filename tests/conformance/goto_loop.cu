// A loop with two entries and two exits.
// launch: 1 x 32
// arg: out u32[32]
// expect: out = i < 16 ? 3 * (10 - i % 4) + 1 : 3 * (10 - i % 4)
extern "C" __global__ void k(unsigned *out) {
    unsigned t = threadIdx.x, s = 0, n = t % 4;
    if (t < 16) goto inside;
top:
    if (n >= 10) goto done;
    s += 2;
    goto middle;
inside:
    s += 1;
    if (n >= 10) goto done;
    s += 2;
middle:
    s += 1;
    ++n;
    goto top;
done:
    out[t] = s;
}
