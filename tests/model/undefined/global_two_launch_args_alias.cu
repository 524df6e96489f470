// In-place stencil: a block reads its halo while the neighbour overwrites it.
// check: --kernel blurInPlace --grid 4 --block 64 --arg buf:f32:256:iota --arg i32:256
// expect: undefined missing-fence|data-race|missing-atomic|missing-barrier
__global__ void blurInPlace(float* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) {
        const float blurred = (data[i - 1] + data[i] + data[i + 1]) / 3.0f;  //! race
        data[i] = blurred;
    }
}
