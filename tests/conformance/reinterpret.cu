// The same bits as float and integer, single and double.
// launch: 1 x 16
// arg: a f32[16] = i * 1.7 - 9.0
// arg: b f64[16] = i * 1.7 - 9.0
// arg: o32 u32[16]
// arg: hi u32[16]
// arg: lo u32[16]
// arg: joined f64[16]
// expect: o32 as f32 = -a[i]
// expect: hi = bits64(b[i]) >> 32
// expect: lo = bits64(b[i])
// expect: joined = -b[i]
extern "C" __global__ void k(const float *a, const double *b, unsigned *o32, unsigned *hi, unsigned *lo, double *joined) {
    int t = threadIdx.x;
    o32[t] = __float_as_uint(a[t]) ^ 0x80000000u;
    hi[t] = __double2hiint(b[t]);
    lo[t] = __double2loint(b[t]);
    joined[t] = __hiloint2double(__double2hiint(b[t]) ^ 0x80000000, __double2loint(b[t]));
}
