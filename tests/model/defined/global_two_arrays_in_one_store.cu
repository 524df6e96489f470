// Odd and even threads write two arrays by one instruction, each element once.
// check: --kernel k --grid 2 --block 32 --arg buf:u32:64:zero --arg buf:u32:64:zero
// expect: defined
__global__ void k(unsigned* a, unsigned* b) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned* to = (i & 1u) ? b : a;
    to[i] = i;
}
