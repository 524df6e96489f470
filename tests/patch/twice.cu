// exercise: day27-memory-model
__global__ void tallyBlocksDeviceScope(unsigned int* tally) { atomicAdd(tally, 1u); }
__global__ void tallyBlocksDeviceScope(unsigned int* tally) { atomicAdd(tally, 2u); }
