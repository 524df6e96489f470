// A floating maximum by compare-and-swap: only strong operations touch the cell.
// check: --kernel maximum --grid 4 --block 32 --arg buf:f32:128:iota --arg buf:u32:1:zero
// expect: defined
__global__ void maximum(const float* in, unsigned* bits) {
    const float v = in[blockIdx.x * blockDim.x + threadIdx.x];
    unsigned seen = atomicAdd(bits, 0u);
    while (__uint_as_float(seen) < v) {
        const unsigned old = atomicCAS(bits, seen, __float_as_uint(v));
        if (old == seen) {
            break;
        }
        seen = old;
    }
}
