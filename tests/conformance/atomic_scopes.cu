// The _block and _system variants count as well as the plain ones.
// launch: 1 x 64
// arg: a u32[4]
// arg: f f32[2]
// expect: a = [64, 64, 63, 0xff]
// expect: f = [16.0, 16.0]
extern "C" __global__ void k(unsigned *a, float *f) {
    atomicAdd_block(a, 1u);
    atomicAdd_system(a + 1, 1u);
    atomicMax_block(a + 2, threadIdx.x);
    atomicOr_system(a + 3, 1u << (threadIdx.x & 7));
    atomicAdd_block(f, 0.25f);
    atomicAdd_system(f + 1, 0.25f);
}
