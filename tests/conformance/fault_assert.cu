// A failed assertion stops the launch.
// launch: 1 x 32
// gpu: no
// arg: a u32[32] = i
// fault: assertion
extern "C" __global__ void k(unsigned *a) { assert(a[threadIdx.x] < 31); }
