// activemask holds the asking lane and nobody who cannot be there: lanes that have left, or took the other branch for good.
// launch: 1 x 32
// bits: differ
// lanes: together
// arg: out u32[32] = 7
// expect: out = i >= 24 ? 7 : 1
extern "C" __global__ void k(unsigned *out) {
    unsigned t = threadIdx.x;
    if (t >= 24) return;
    unsigned m = __activemask();
    out[t] = (m >> t & 1) && (m & 0xff000000) == 0;
}
