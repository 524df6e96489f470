// __constant__ arrays: uniform and per-lane reads, several types.
// launch: 1 x 32
// arg: out f64[32]
// expect: out = (i % 8 * 3 + 1) + 0.5 * (i % 4) + (104 + i % 3)
__constant__ int numbers[8] = {1, 4, 7, 10, 13, 16, 19, 22};
__constant__ double halves[4] = {0, 0.5, 1, 1.5};
__constant__ char text[] = "hij";
extern "C" __global__ void k(double *out) {
    int t = threadIdx.x;
    out[t] = numbers[t % 8] + halves[t % 4] + text[t % 3];
}
