// A struct passed by value, with padding, then a scalar.
// launch: 1 x 4
// arg: s struct = u8 200, pad 3, s32 -7, f64 2.5, u16 60000, pad 6
// arg: n s32 = 11
// arg: out f64[4]
// expect: out = [200, -7, 2.5, 60011]
struct Mixed {
    unsigned char c;
    int i;
    double d;
    unsigned short h;
};
extern "C" __global__ void k(Mixed s, int n, double *out) {
    out[0] = s.c;
    out[1] = s.i;
    out[2] = s.d;
    out[3] = s.h + n;
}
