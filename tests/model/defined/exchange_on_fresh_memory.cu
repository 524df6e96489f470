// An exchange whose old value nobody uses is a write: fresh memory may be exchanged.
// check: --kernel set --grid 2 --block 33 --arg buf:u32:1:uninit
// expect: defined
__global__ void set(unsigned* data) {
    if (threadIdx.x == 0) {
        atomicExch(data, blockIdx.x);
    }
}
