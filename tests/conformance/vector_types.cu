// short2, int3, double2 and their layout.
// launch: 1 x 16
// arg: s s16[32] = i * 100 - 1600
// arg: n s32[48] = i * 7
// arg: d f64[32] = i * 0.25
// arg: os s16[32]
// arg: on s32[48]
// arg: od f64[32]
// expect: os = s[i ^ 1]
// expect: on = n[i / 3 * 3 + 2 - i % 3]
// expect: od = d[i ^ 1] * 2.0
extern "C" __global__ void k(const short2 *s, const int3 *n, const double2 *d, short2 *os, int3 *on, double2 *od) {
    int t = threadIdx.x;
    os[t] = make_short2(s[t].y, s[t].x);
    int3 m = n[t];
    on[t] = make_int3(m.z, m.y, m.x);
    double2 e = d[t];
    od[t] = make_double2(e.y * 2, e.x * 2);
}
