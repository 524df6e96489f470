// Three-dimensional grids and blocks.
// launch: 2,3,2 x 4,2,2
// arg: out u32[192]
// arg: dims u32[6]
// expect: out = i
// expect: dims = [2, 3, 2, 4, 2, 2]
extern "C" __global__ void k(unsigned *out, unsigned *dims) {
    unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    unsigned i = block * (blockDim.x * blockDim.y * blockDim.z) + thread;
    out[i] = i;
    if (i == 0) {
        dims[0] = gridDim.x;
        dims[1] = gridDim.y;
        dims[2] = gridDim.z;
        dims[3] = blockDim.x;
        dims[4] = blockDim.y;
        dims[5] = blockDim.z;
    }
}
