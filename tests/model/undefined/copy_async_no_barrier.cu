// Each thread has waited for its own copy, but no barrier tells the others.
// check: --kernel reverse --grid 1 --block 64 --arg buf:f32:64:iota --arg buf:f32:64
// expect: undefined missing-barrier|uninitialised-read *
__global__ void reverse(const float* in, float* out) {
    __shared__ float tile[64];
    const unsigned at = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(in + threadIdx.x) : "memory");  //! race
    asm volatile("cp.async.wait_all;" ::: "memory");
    out[threadIdx.x] = tile[63 - threadIdx.x];  //! race
}
