// The compiler can tell what the read gives, and leaves both accesses out: the program races all the same.
// check: --kernel pass --grid 1 --block 33 --arg buf:u32:1
// expect: undefined missing-fence
__global__ void pass(unsigned* out) {
    __shared__ unsigned data, flag;
    if (threadIdx.x == 0) {
        flag = 0u;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        data = 5u;  //! race
        atomicExch(&flag, 1u);
    } else if (threadIdx.x == 32) {
        while (atomicAdd(&flag, 0u) == 0u) {
        }
        out[0] = data;
    }
}
