// The guard reads plainly what other threads update atomically.
// check: --kernel best --grid 8 --block 32 --arg buf:i32:9:values=0,3,6,9,12,15,18,21,24 --arg buf:i32:24:values=1,2,5,0,2,6,0,1,7,4,5,1,3,5,2,3,4,0,7,4,1,6,0,2 --arg buf:i32:1 --arg buf:i32:8:values=1,5,2,9,4,3,8,7 --arg i32:8
// expect: undefined missing-atomic|missing-fence
__global__ void best(const int* first, const int* next, int* most, const int* value, int n) {
    const int v = blockIdx.x;
    for (int j = first[v] + threadIdx.x; j < first[v + 1]; j += blockDim.x) {
        if (most[0] < value[next[j]]) {  //! race
            atomicMax(most, value[next[j]]);  //! race
        }
    }
}
