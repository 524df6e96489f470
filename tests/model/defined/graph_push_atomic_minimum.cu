// The same with an atomic.
// check: --kernel push --grid 2 --block 4 --arg buf:i32:9:values=0,3,6,9,12,15,18,21,24 --arg buf:i32:24:values=1,2,5,0,2,6,0,1,7,4,5,1,3,5,2,3,4,0,7,4,1,6,0,2 --arg buf:i32:8:iota --arg buf:i32:8:values=9,3,4,8,2,7,6,5 --arg i32:8
// expect: defined
__global__ void push(const int* first, const int* next, int* label, const int* own, int n) {
    const int v = threadIdx.x + blockIdx.x * blockDim.x;
    if (v < n) {
        for (int j = first[v]; j < first[v + 1]; ++j) {
            atomicMin(&label[next[j]], own[v]);
        }
    }
}
