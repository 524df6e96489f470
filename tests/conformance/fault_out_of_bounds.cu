// A store one element past a buffer.
// launch: 1 x 32
// gpu: no
// arg: out u32[31]
// fault: out-of-bounds
extern "C" __global__ void k(unsigned *out) { out[threadIdx.x] = 1; }
