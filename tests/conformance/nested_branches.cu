// Branches within branches come together again.
// launch: 1 x 32
// arg: out u32[32]
// expect: out = (i % 2 == 0 ? (i % 4 == 0 ? (i % 8 == 0 ? 1 : 2) : 3) : (i % 3 == 0 ? 4 : 5)) * 100 + popc(i)
extern "C" __global__ void k(unsigned *out) {
    volatile unsigned *o = out;
    unsigned t = threadIdx.x;
    if (t % 2 == 0) {
        if (t % 4 == 0) {
            if (t % 8 == 0) o[t] = 1;
            else o[t] = 2;
        } else o[t] = 3;
    } else {
        if (t % 3 == 0) o[t] = 4;
        else o[t] = 5;
    }
    unsigned pops = 0;
    for (int j = 0; j < 5; ++j)
        pops += __popc(__ballot_sync(0xffffffff, t >> j & 1)) == 16 ? t >> j & 1 : 1000;
    o[t] = o[t] * 100 + pops;
}
