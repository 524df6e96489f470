// Each thread prints a line of its own; order is open.
// launch: 2 x 4
// arg: a u32[8] = i * i
// prints: thread 0: 0
// prints: thread 1: 1
// prints: thread 2: 4
// prints: thread 3: 9
// prints: thread 4: 16
// prints: thread 5: 25
// prints: thread 6: 36
// prints: thread 7: 49
extern "C" __global__ void k(const unsigned *a) {
    unsigned i = blockIdx.x * 4 + threadIdx.x;
    printf("thread %u: %u\n", i, a[i]);
}
