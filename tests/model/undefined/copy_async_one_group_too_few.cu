// The wait leaves the second group under way, which is read.
// check: --kernel pairs --grid 1 --block 64 --arg buf:f32:128:iota --arg buf:f32:64
// expect: undefined uninitialised-read
__device__ void copy(float* to, const float* from) {
    const unsigned at = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(from) : "memory");
    asm volatile("cp.async.commit_group;");
}
__global__ void pairs(const float* in, float* out) {
    __shared__ float tile[2][64];
    copy(&tile[0][threadIdx.x], &in[threadIdx.x]);
    copy(&tile[1][threadIdx.x], &in[threadIdx.x + 64]);
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    out[threadIdx.x] = tile[0][threadIdx.x] + tile[1][63 - threadIdx.x];  //! race
}
