// Lanes leave a loop after wildly different numbers of rounds.
// launch: 1 x 32
// arg: out u32[32]
// expect: out = [0, 1, 7, 2, 5, 8, 16, 3, 19, 6, 14, 9, 9, 17, 17, 4, 12, 20, 20, 7, 7, 15, 15, 10, 23, 10, 111, 18, 18, 18, 106, 5]
extern "C" __global__ void k(unsigned *out) {
    unsigned n = threadIdx.x + 1, steps = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        ++steps;
    }
    out[threadIdx.x] = steps;
}
