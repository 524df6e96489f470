// Virtual calls on objects made in the kernel.
// launch: 1 x 32
// arg: out s32[32]
// expect: out = i % 2 == 0 ? 3 * i * i : 2 * (i + 1)
struct Shape {
    int a;
    __device__ Shape(int n) : a(n) {}
    __device__ virtual int area() const { return 0; }
    __device__ virtual ~Shape() {}
};
struct Square : Shape {
    __device__ Square(int n) : Shape(n) {}
    __device__ int area() const override { return 3 * a * a; }
};
struct Line : Shape {
    int b;
    __device__ Line(int n) : Shape(n), b(2) {}
    __device__ int area() const override { return b * (a + 1); }
};
__device__ __noinline__ int measure(const Shape *s) { return s->area(); }
extern "C" __global__ void k(int *out) {
    int t = threadIdx.x;
    Square s(t);
    Line l(t);
    const Shape *p = t % 2 ? (const Shape *)&l : &s;
    out[t] = measure(p);
}
