// warpSize is a constant of the device, also where PTX names it.
// launch: 1 x 64
// arg: out u32[64]
// expect: out = i % 32 + 32 * (i / 32 + 1)
extern "C" __global__ void k(unsigned *out) {
    unsigned from_assembly;
    asm("mov.u32 %0, WARP_SZ;" : "=r"(from_assembly));
    out[threadIdx.x] = threadIdx.x % warpSize + from_assembly * (threadIdx.x / warpSize + 1);
}
