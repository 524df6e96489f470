// Thread 0 sets a shared value; the others read it without waiting.
// check: --kernel broadcast --grid 1 --block 64 --arg buf:u32:64:zero
// expect: undefined missing-barrier
__global__ void broadcast(unsigned* out) {
    __shared__ unsigned value;
    if (threadIdx.x == 0) {
        value = out[0] + 7u;  //! race
    }
    out[threadIdx.x] = 2u * value;
}
