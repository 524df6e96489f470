// The address of a local variable goes to a function that is not inlined.
// launch: 1 x 32
// arg: out f64[32]
// expect: out = i * 2.5 + i
struct Pair {
    int n;
    double d;
};
__device__ __noinline__ void fill(Pair *p, int n) {
    p->n = n;
    p->d = n * 2.5;
}
extern "C" __global__ void k(double *out) {
    Pair p;
    fill(&p, threadIdx.x);
    out[threadIdx.x] = p.d + p.n;
}
