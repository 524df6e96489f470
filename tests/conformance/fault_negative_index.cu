// A load before a buffer's start.
// launch: 1 x 32
// gpu: no
// arg: a u32[32]
// fault: out-of-bounds
extern "C" __global__ void k(unsigned *a) {
    int i = (int)threadIdx.x - 1;
    a[threadIdx.x] = a[i];
}
