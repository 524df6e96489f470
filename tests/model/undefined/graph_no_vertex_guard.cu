// More threads than vertices, and no guard: the row index is read past its end.
// check: --kernel degree --grid 2 --block 32 --arg buf:i32:9:values=0,3,6,9,12,15,18,21,24 --arg buf:i32:24:values=1,2,5,0,2,6,0,1,7,4,5,1,3,5,2,3,4,0,7,4,1,6,0,2 --arg buf:i32:64
// expect: undefined out-of-bounds
__global__ void degree(const int* first, const int* next, int* out) {
    const int v = threadIdx.x + blockIdx.x * blockDim.x;
    out[v] = first[v + 1] - first[v];  //! race
}
