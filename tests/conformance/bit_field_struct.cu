// C bit fields: packed, extracted, changed in place.
// launch: 1 x 32
// arg: a u32[32] = i * 0x9e3779b9
// arg: out u32[32]
// arg: f s32[32]
// expect: out = (a[i] & 0xffffffe0) | ((a[i] & 31) + 1 & 31)
// expect: f = (s32(a[i] << 16) >> 21) + (a[i] >> 16 & 1)
struct Packed {
    unsigned low : 5;
    int middle : 11;
    unsigned flag : 1;
    unsigned rest : 15;
};
extern "C" __global__ void k(const Packed *a, Packed *out, int *f) {
    Packed p = a[threadIdx.x];
    p.low++;
    out[threadIdx.x] = p;
    f[threadIdx.x] = p.middle + p.flag;
}
