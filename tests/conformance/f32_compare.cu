// All comparisons, ordered and unordered, of singles with NaN and both zeros.
// launch: 1 x 6
// arg: a f32[6] = [0.0, -0.0, 1.5, -2.0, inf, nan]
// arg: out u32[36]
// arg: un u32[36]
// expect: out = (a[i / 6] < a[i % 6]) | (a[i / 6] <= a[i % 6]) << 1 | (a[i / 6] == a[i % 6]) << 2 | (a[i / 6] != a[i % 6]) << 3 | (a[i / 6] >= a[i % 6]) << 4 | (a[i / 6] > a[i % 6]) << 5
// expect: un = (a[i / 6] != a[i / 6] || a[i % 6] != a[i % 6] ? 7 : 0) | (a[i / 6] < a[i % 6]) | (a[i / 6] == a[i % 6]) << 1
extern "C" __global__ void k(const float *a, unsigned *out, unsigned *un) {
    int t = threadIdx.x;
    for (int j = 0; j < 6; ++j) {
        float x = a[t], y = a[j];
        out[6 * t + j] = (x < y) | (x <= y) << 1 | (x == y) << 2 | (x != y) << 3 | (x >= y) << 4 | (x > y) << 5;
        unsigned r;
        asm("{ .reg .pred p, q, n; .reg .u32 v; setp.ltu.f32 p, %1, %2; selp.u32 %0, 1, 0, p; setp.equ.f32 q, %1, %2; selp.u32 v, 2, 0, q;"
            " or.b32 %0, %0, v; setp.nan.f32 n, %1, %2; selp.u32 v, 4, 0, n; or.b32 %0, %0, v; }"
            : "=&r"(r) : "f"(x), "f"(y));
        un[6 * t + j] = r;
    }
}
