// sinf of large arguments: libdevice multiplies by 2/pi kept in local memory.
// launch: 1 x 8
// bits: differ
// arg: a f32[8] = [105615.0f, 123456.789f, 1000000.0f, 12345678.0f, 3.0e9f, 1.0e15f, 2.5e20f, 1.0e30f]
// arg: s f32[8]
// arg: c f32[8]
// expect: s within 2 ulp = sin(a[i])
// expect: c within 2 ulp = cos(a[i])
extern "C" __global__ void k(const float *a, float *s, float *c) {
    s[threadIdx.x] = sinf(a[threadIdx.x]);
    c[threadIdx.x] = cosf(a[threadIdx.x]);
}
