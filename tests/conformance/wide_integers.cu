// 128-bit numbers in C++: addition, multiplication, shift, comparison.
// launch: 1 x 16
// arg: a u64[16] = i * 0x9e3779b97f4a7c15 + 0xffffffffffffff00
// arg: low u64[16]
// arg: high u64[16]
// arg: less u32[16]
// expect: low = u64(a[i] * 7)
// expect: high = a[i] * 7 >> 64
// expect: less = a[i] < 0x8000000000000000
struct Wide {
    unsigned long long lo, hi;
    __device__ Wide(unsigned long long l, unsigned long long h = 0) : lo(l), hi(h) {}
    __device__ Wide operator+(Wide o) const { return {lo + o.lo, hi + o.hi + (lo + o.lo < lo)}; }
    __device__ bool operator<(Wide o) const { return hi < o.hi || (hi == o.hi && lo < o.lo); }
};
extern "C" __global__ void k(const unsigned long long *a, unsigned long long *low, unsigned long long *high, unsigned *less) {
    int t = threadIdx.x;
    Wide w(a[t]), two = w + w, four = two + two, seven = four + two + w;
    low[t] = seven.lo;
    high[t] = seven.hi;
    less[t] = w < Wide(0x8000000000000000ull);
}
