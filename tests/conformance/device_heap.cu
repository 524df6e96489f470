// malloc and free in a kernel; every thread's block is its own.
// launch: 2 x 32
// arg: out u32[64]
// expect: out = i * 10 + 45
extern "C" __global__ void k(unsigned *out) {
    unsigned i = blockIdx.x * 32 + threadIdx.x;
    unsigned *p = (unsigned *)malloc(10 * sizeof(unsigned));
    for (unsigned j = 0; j < 10; ++j)
        p[j] = i + j;
    __syncthreads();
    unsigned sum = 0;
    for (unsigned j = 0; j < 10; ++j)
        sum += p[j];
    free(p);
    out[i] = sum;
}
