// A spin lock taken by each lane of a warp in turn: needs lanes that progress independently.
// launch: 1 x 32
// arg: lock u32[1]
// arg: n u32[1]
// expect: lock = 0
// expect: n = 32
extern "C" __global__ void k(unsigned *lock, volatile unsigned *n) {
    while (atomicCAS(lock, 0u, 1u)) {}
    __threadfence();
    *n = *n + 1;
    __threadfence();
    atomicExch(lock, 0u);
}
