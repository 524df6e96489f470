// A struct larger than any register, by value both ways.
// launch: 1 x 8
// arg: out s32[80]
// expect: out = i % 10 * 3 + i / 10
struct Ten {
    int at[10];
};
__device__ __noinline__ Ten triple(Ten t, int n) {
    for (int j = 0; j < 10; ++j)
        t.at[j] = t.at[j] * 3 + n;
    return t;
}
extern "C" __global__ void k(Ten *out) {
    Ten t;
    for (int j = 0; j < 10; ++j)
        t.at[j] = j;
    out[threadIdx.x] = triple(t, threadIdx.x);
}
