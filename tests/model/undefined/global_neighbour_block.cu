// Each block reads the cell that the next block writes.
// check: --kernel shift --grid 8 --block 32 --arg buf:f32:256:iota
// expect: undefined missing-fence|data-race|missing-atomic *
__global__ void shift(float* data) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned n = gridDim.x * blockDim.x;
    const float next = data[(i + 1u) % n];  //! race
    data[i] = next;
}
