// Templates, captured lambdas, constexpr and an enum.
// launch: 1 x 32
// arg: n s32 = 5
// arg: out s32[32]
// expect: out = 3 * i + n + 24 + 2
template <int N, class F> __device__ int repeat(F f) {
    int s = 0;
    for (int j = 0; j < N; ++j)
        s += f(j);
    return s;
}
__device__ constexpr int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
enum class Mode : int { one = 1, two };
extern "C" __global__ void k(int n, int *out) {
    int t = threadIdx.x;
    auto f = [=](int j) { return j == 0 ? t + n : t; };
    out[t] = repeat<3>(f) + factorial(4) + (int)Mode::two;
}
