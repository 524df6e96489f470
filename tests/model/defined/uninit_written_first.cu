// A fresh buffer that is written before it is read.
// check: --kernel twice --grid 2 --block 32 --arg buf:u32:64:uninit
// expect: defined
__global__ void twice(unsigned* data) {
    const unsigned i = blockIdx.x * 32u + threadIdx.x;
    data[i] = i;
    data[i] += data[i];
}
