// Neighbouring bytes of one word, each with its own writer: no overlap, no race.
// check: --kernel bytes --grid 4 --block 32 --arg buf:u32:32:zero
// expect: defined
__global__ void bytes(unsigned* words) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    reinterpret_cast<unsigned char*>(words)[i] = static_cast<unsigned char>(i);
}
