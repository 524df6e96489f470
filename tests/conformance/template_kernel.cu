// A kernel that is an instance of a template, in a namespace.
// launch: 1 x 64
// kernel: shapes::fill<unsigned, 3>
// arg: out u32[64]
// expect: out = i * 3
namespace shapes {
template <class T, int N> __global__ void fill(T *out) { out[threadIdx.x] = threadIdx.x * N; }
template __global__ void fill<unsigned, 3>(unsigned *);
}
