// Exactly one thread wins the claim; only the winner writes.
// check: --kernel claim --grid 4 --block 32 --arg buf:u32:1:zero --arg buf:u32:1:zero
// expect: defined
__global__ void claim(unsigned* taken, unsigned* winner) {
    if (atomicExch(taken, 1u) == 0u) {
        winner[0] = blockIdx.x * blockDim.x + threadIdx.x;
    }
}
