// exercise: day27-memory-model
namespace mine {
__global__ void tallyBlocksBlockScope(unsigned int* tally) { atomicAdd(tally, 1u); }
}
template <typename T> __global__ void tallyBlocksBlockScope(T* tally) { }
template <> __global__ void tallyBlocksBlockScope<int>(int* tally) { }
#if 0
__global__ void tallyBlocksDeviceScope(unsigned int* tally) { atomicAdd(tally, 1u); }
#endif
#ifdef FIXED
__global__ void tallyBlocksBlockScope(unsigned int* tally) { atomicAdd(tally, 1u); }
#else
__global__ void tallyBlocksBlockScope(unsigned int* tally) { atomicAdd_block(tally, 1u); }
#endif
__global__ void somethingElse(int* p) { *p = 1; }
