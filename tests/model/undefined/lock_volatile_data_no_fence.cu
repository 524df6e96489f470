// `volatile` data in a critical section that nothing publishes: the missing fence is what to be told of.
// check: --kernel set --grid 2 --block 1 --arg buf:u32:1 --arg buf:u32:1:uninit
// expect: undefined missing-fence
__global__ void set(unsigned* lock, volatile unsigned* value) {
    while (atomicCAS(lock, 0u, 1u) != 0u) {
    }
    __threadfence();
    value[0] = blockIdx.x;  //! race
    atomicExch(lock, 0u);
}
