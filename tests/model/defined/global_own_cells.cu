// Every thread has its own cell.
// check: --kernel square --grid 4 --block 64 --arg buf:u32:256:iota --arg buf:u32:256
// expect: defined
__global__ void square(const unsigned* in, unsigned* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] * in[i];
}
