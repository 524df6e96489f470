// atomicInc wraps to 0 past the bound, atomicDec to the bound below 0 or above it.
// launch: 1 x 64
// arg: up u32[1]
// arg: down u32[1] = 100
// arg: seen u32[64]
// expect: up = 64 % 11
// expect: down = 6 - 63 % 7
// expect: sorted seen = i < 54 ? i / 6 : 9 + (i - 54) / 5
extern "C" __global__ void k(unsigned *up, unsigned *down, unsigned *seen) {
    seen[threadIdx.x] = atomicInc(up, 10u);
    atomicDec(down, 6u);
}
