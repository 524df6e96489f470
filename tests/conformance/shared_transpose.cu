// A padded tile, transposed.
// launch: 1 x 16,16
// arg: a f32[256] = i
// arg: out f32[256]
// expect: out = i % 16 * 16 + i / 16
extern "C" __global__ void k(const float *a, float *out) {
    __shared__ float tile[16][17];
    tile[threadIdx.y][threadIdx.x] = a[threadIdx.y * 16 + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
