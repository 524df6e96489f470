// Votes of the lanes that took a branch.
// launch: 1 x 32
// arg: out u32[32]
// expect: out = i % 2 == 0 ? 0x01010101 : 0xaa
extern "C" __global__ void k(unsigned *out) {
    unsigned t = threadIdx.x;
    if (t % 2 == 0)
        out[t] = __ballot_sync(0x55555555, t % 8 == 0);
    else
        out[t] = __ballot_sync(0xaaaaaaaa, t < 8);
}
