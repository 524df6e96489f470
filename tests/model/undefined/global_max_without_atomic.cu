// Compare, then store: two threads can both pass the test.
// check: --kernel maximum --grid 4 --block 64 --arg buf:i32:256:iota --arg buf:i32:1:zero
// expect: undefined missing-atomic|data-race|missing-fence *
__global__ void maximum(const int* in, int* best) {
    const int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    if (v > best[0]) {  //! race
        best[0] = v;
    }
}
