// The maximum with the atomic that exists for it.
// check: --kernel maximum --grid 4 --block 64 --arg buf:i32:256:iota --arg buf:i32:1:zero
// expect: defined
__global__ void maximum(const int* in, int* best) {
    atomicMax(best, in[blockIdx.x * blockDim.x + threadIdx.x]);
}
