// The same between the warps of one block, where one of two takes the lock without a fence.
// check: --kernel set --grid 1 --block 33 --arg buf:u32:1 --arg buf:u32:1:uninit
// expect: undefined missing-consumer-fence
__global__ void set(unsigned* lock, volatile unsigned* value) {
    if (threadIdx.x == 0) {
        while (atomicCAS_block(lock, 0u, 1u) != 0u) {
        }
        value[0] = 1u;  //! race
        __threadfence_block();
        atomicExch_block(lock, 0u);
    } else if (threadIdx.x == 32) {
        while (atomicCAS_block(lock, 0u, 1u) != 0u) {
        }
        __threadfence_block();
        value[0] = 2u;
        __threadfence_block();
        atomicExch_block(lock, 0u);
    }
}
