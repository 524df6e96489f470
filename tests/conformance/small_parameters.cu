// Parameters of 1, 2, 4 and 8 bytes side by side.
// launch: 1 x 1
// arg: a u8 = 200
// arg: b s8 = -3
// arg: c u16 = 50000
// arg: d s16 = -1234
// arg: e f32 = 1.5
// arg: f u64 = 0x123456789abcdef0
// arg: g u8 = 1
// arg: out f64[7]
// expect: out = [200, -3, 50000, -1234, 1.5, 1311768467463790320, 1]
extern "C" __global__ void k(unsigned char a, signed char b, unsigned short c, short d, float e, unsigned long long f, bool g, double *out) {
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
    out[4] = e;
    out[5] = (double)f;
    out[6] = g;
}
