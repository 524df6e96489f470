// Lane 1 waits for lane 0, and lane 0 for lane 1, by turns.
// launch: 1 x 2
// arg: turn u32[1]
// arg: log u32[10]
// expect: turn = 10
// expect: log = i % 2 * 100 + i
extern "C" __global__ void k(volatile unsigned *turn, volatile unsigned *log) {
    for (unsigned round = 0; round < 5; ++round) {
        unsigned mine = 2 * round + threadIdx.x;
        while (*turn != mine) {}
        log[mine] = threadIdx.x * 100 + mine;
        __threadfence();
        *turn = mine + 1;
    }
}
