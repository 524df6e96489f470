// A tiled matrix product.
// launch: 2,2 x 8,8
// arg: a f32[256] = i % 7
// arg: b f32[256] = i % 5
// arg: c f32[256]
// expect: c = sum(j, 0, 16, a[i / 16 * 16 + j] * b[j * 16 + i % 16])
extern "C" __global__ void k(const float *a, const float *b, float *c) {
    __shared__ float as[8][8], bs[8][8];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 8 + y, column = blockIdx.x * 8 + x;
    float s = 0;
    for (int tile = 0; tile < 16; tile += 8) {
        as[y][x] = a[row * 16 + tile + x];
        bs[y][x] = b[(tile + y) * 16 + column];
        __syncthreads();
        for (int j = 0; j < 8; ++j)
            s += as[y][j] * bs[j][x];
        __syncthreads();
    }
    c[row * 16 + column] = s;
}
