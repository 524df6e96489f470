// A block of more threads than a GPU has.
// launch: 1 x 2048
// gpu: no
// arg: out u32[1]
// fault: bad-launch
extern "C" __global__ void k(unsigned *out) { *out = 1; }
