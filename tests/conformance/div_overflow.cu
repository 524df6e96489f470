// The least number divided by -1 wraps to itself; the remainder is 0.
// launch: 1 x 1
// bits: differ
// arg: a s64[2] = [-2147483648, -9223372036854775808]
// arg: m s64[1] = -1
// arg: out s64[4]
// expect: out = [-2147483648, 0, -9223372036854775808, 0]
extern "C" __global__ void k(const long long *a, const long long *m, long long *out) {
    int x = (int)a[0], y = (int)m[0];
    out[0] = x / y;
    out[1] = x % y;
    out[2] = a[1] / m[0];
    out[3] = a[1] % m[0];
}
