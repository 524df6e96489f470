// Initialisers that hold addresses: of elements, of strings, of constants.
// launch: 1 x 4
// arg: out s32[4]
// expect: out = [3, 98, 5, 99]
__device__ int numbers[3] = {1, 2, 3};
__device__ int *last = numbers + 2;
__device__ const char *words[2] = {"ab", "cd"};
__device__ int five = 5;
__device__ int *table[2] = {numbers, &five};
extern "C" __global__ void k(int *out) {
    switch (threadIdx.x) {
    case 0: out[0] = *last; break;
    case 1: out[1] = words[0][1]; break;
    case 2: out[2] = *table[1]; break;
    default: out[3] = words[1][0];
    }
}
