// A barrier, but nobody has waited for the copies.
// check: --kernel reverse --grid 1 --block 64 --arg buf:f32:64:iota --arg buf:f32:64
// expect: undefined uninitialised-read
__global__ void reverse(const float* in, float* out) {
    __shared__ float tile[64];
    const unsigned at = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(in + threadIdx.x) : "memory");
    asm volatile("cp.async.commit_group;");
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x];  //! race
}
