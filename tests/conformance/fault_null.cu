// A load through a null pointer.
// launch: 1 x 1
// gpu: no
// arg: p u64 = 0
// arg: out u32[1]
// fault: out-of-bounds
extern "C" __global__ void k(unsigned *p, unsigned *out) { *out = *p; }
