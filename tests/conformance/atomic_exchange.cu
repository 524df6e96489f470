// atomicExch hands each value on exactly once: the sum of what was read, and of what is left, is that of what was there and was written.
// launch: 2 x 32
// arg: slot u32[1] = 1000
// arg: total u32[1]
// expect: total = 1000 + 63 * 64 / 2
extern "C" __global__ void k(unsigned *slot, unsigned *total) {
    unsigned old = atomicExch(slot, blockIdx.x * 32 + threadIdx.x);
    // The upper half counts threads; the last one adds what is left in the slot.
    unsigned before = atomicAdd(total, old + (1u << 24));
    if (before >> 24 == 63) atomicAdd(total, atomicExch(slot, 0u) - (64u << 24));
}
