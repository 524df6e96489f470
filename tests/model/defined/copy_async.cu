// Each thread copies asynchronously, waits, and a barrier follows; a second tile is under way meanwhile.
// check: --kernel tiles --grid 2 --block 64 --arg buf:f32:256:iota --arg buf:f32:256
// expect: defined
__device__ void copy(float* to, const float* from) {
    const unsigned at = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(from) : "memory");
    asm volatile("cp.async.commit_group;");
}
__global__ void tiles(const float* in, float* out) {
    __shared__ float tile[2][64];
    const unsigned base = blockIdx.x * 128 + threadIdx.x;
    copy(&tile[0][threadIdx.x], &in[base]);
    copy(&tile[1][threadIdx.x], &in[base + 64]);
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    out[base] = tile[0][63 - threadIdx.x];
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    out[base + 64] = tile[1][63 - threadIdx.x];
}
