// Dynamic shared memory, transposed across a barrier.
// check: --kernel transpose --grid 1 --block 16,16 --shared 1024 --arg buf:f32:256:iota --arg buf:f32:256
// expect: defined
extern __shared__ float tile[];
__global__ void transpose(const float* in, float* out) {
    const unsigned x = threadIdx.x;
    const unsigned y = threadIdx.y;
    tile[y * 16u + x] = in[y * 16u + x];
    __syncthreads();
    out[y * 16u + x] = tile[x * 16u + y];
}
