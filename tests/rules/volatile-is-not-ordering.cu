// A volatile flag.
__global__ void k(unsigned* data, unsigned* flag, unsigned* out) {
    if (blockIdx.x == 0) {
        data[0] = 42u;
        *(volatile unsigned*)flag = 1u;
    } else {
        while (*(volatile unsigned*)flag == 0u) {
        }
        out[0] = data[0];
    }
}
