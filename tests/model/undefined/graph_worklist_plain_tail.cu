// The end of a worklist is taken in two steps: entries are lost.
// check: --kernel fill --grid 4 --block 64 --arg buf:i32:9:values=0,3,6,9,12,15,18,21,24 --arg buf:i32:24:values=1,2,5,0,2,6,0,1,7,4,5,1,3,5,2,3,4,0,7,4,1,6,0,2 --arg buf:i32:24 --arg buf:i32:1 --arg i32:8
// expect: undefined missing-atomic *
__global__ void fill(const int* first, const int* next, int* list, int* tail, int n) {
    const int lane = threadIdx.x % 32;
    const int v = (threadIdx.x + blockIdx.x * blockDim.x) / 32;
    if (v < n) {
        for (int j = first[v] + lane; j < first[v + 1]; j += 32) {
            if (v < next[j]) {
                list[tail[0]++] = j;  //! race
            }
        }
    }
}
