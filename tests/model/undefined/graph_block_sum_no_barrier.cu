// A block a vertex: the tree begins before all partial sums are there.
// check: --kernel pull --grid 8 --block 64 --arg buf:i32:9:values=0,3,6,9,12,15,18,21,24 --arg buf:i32:24:values=1,2,5,0,2,6,0,1,7,4,5,1,3,5,2,3,4,0,7,4,1,6,0,2 --arg buf:i32:8 --arg buf:i32:8:iota --arg i32:8
// expect: undefined missing-barrier
__global__ void pull(const int* first, const int* next, int* out, const int* value, int n) {
    __shared__ int part[64];
    for (int v = blockIdx.x; v < n; v += gridDim.x) {
        int sum = 0;
        for (int j = first[v] + threadIdx.x; j < first[v + 1]; j += blockDim.x) {
            sum += value[next[j]];
        }
        part[threadIdx.x] = sum;  //! race
        for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
            if (threadIdx.x < stride) {
                part[threadIdx.x] += part[threadIdx.x + stride];  //! race
            }
            __syncthreads();
        }
        if (threadIdx.x == 0) {
            out[v] += part[0];
        }
    }
}
