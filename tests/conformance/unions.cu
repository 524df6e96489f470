// A union's members share their bytes, in local memory too.
// launch: 1 x 16
// arg: a f32[16] = i * 1.5 - 4.0
// arg: out u32[16]
// arg: bytes u8[64]
// expect: out as f32 = a[i]
// expect: bytes = u32_bits(a[i / 4]) >> 8 * (i % 4)
union Both {
    float f;
    unsigned u;
    unsigned char b[4];
};
extern "C" __global__ void k(const float *a, unsigned *out, unsigned char *bytes) {
    Both b;
    b.f = a[threadIdx.x];
    out[threadIdx.x] = b.u;
    for (int j = 0; j < 4; ++j)
        bytes[4 * threadIdx.x + j] = b.b[j];
}
