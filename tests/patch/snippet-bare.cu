// exercise: day27-memory-model
if (tid == 0) {
    partials[blockIdx.x] = blockSum;
    const unsigned int ticket = atomicAdd(counter, 1u);
    __threadfence();
    isLastBlockDone = (ticket == gridDim.x - 1u);
}
__syncthreads();
