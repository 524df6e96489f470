// __trap stops the launch.
// launch: 1 x 32
// gpu: no
// arg: out u32[32]
// fault: trap
extern "C" __global__ void k(unsigned *out) {
    out[threadIdx.x] = 1;
    if (threadIdx.x == 7) __trap();
}
