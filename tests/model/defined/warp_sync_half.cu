// Each half orders itself and looks at itself.
// check: --kernel swap --grid 1 --block 32 --arg buf:u32:32
// expect: defined
__global__ void swap(unsigned* out) {
    __shared__ unsigned tile[32];
    const unsigned t = threadIdx.x;
    tile[t] = t;
    if (t < 16) {
        __syncwarp(0x0000ffffu);
    } else {
        __syncwarp(0xffff0000u);
    }
    out[t] = tile[t ^ 1u];
}
