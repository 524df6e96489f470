// Two halves of a warp shuffle separately, each with its own mask.
// launch: 1 x 32
// arg: out u32[32]
// expect: out = i < 16 ? (i ^ 1) * 10 : i == 31 ? 31 : i + 1
extern "C" __global__ void k(unsigned *out) {
    unsigned t = threadIdx.x;
    if (t < 16)
        out[t] = __shfl_xor_sync(0x0000ffff, t * 10, 1);
    else
        out[t] = __shfl_down_sync(0xffff0000, t, 1);
}
