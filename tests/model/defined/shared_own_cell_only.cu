// No barrier is needed where nobody looks at another's cell.
// check: --kernel own --grid 1 --block 96 --arg buf:u32:96:iota
// expect: defined
__global__ void own(unsigned* data) {
    __shared__ unsigned tile[96];
    tile[threadIdx.x] = data[threadIdx.x];
    tile[threadIdx.x] += 3u;
    data[threadIdx.x] = tile[threadIdx.x];
}
