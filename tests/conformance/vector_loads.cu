// ld and st of two and four elements at once, of 4, 8 and 1 bytes.
// launch: 1 x 32
// arg: a f32[128] = i * 0.5
// arg: b u64[64] = i * 0x100000001
// arg: c u8[128] = i * 3
// arg: oa f32[128]
// arg: ob u64[64]
// arg: oc u8[128]
// expect: oa = a[i ^ 3] + 1.0
// expect: ob = b[i ^ 1] + 1
// expect: oc = c[i ^ 3] ^ 0x80
extern "C" __global__ void k(const float4 *a, const ulonglong2 *b, const uchar4 *c, float4 *oa, ulonglong2 *ob, uchar4 *oc) {
    int t = threadIdx.x;
    float4 v = a[t];
    oa[t] = make_float4(v.w + 1, v.z + 1, v.y + 1, v.x + 1);
    ulonglong2 w = b[t];
    ob[t] = make_ulonglong2(w.y + 1, w.x + 1);
    uchar4 u = c[t];
    oc[t] = make_uchar4(u.w ^ 0x80, u.z ^ 0x80, u.y ^ 0x80, u.x ^ 0x80);
}
