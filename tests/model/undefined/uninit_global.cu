// A fresh buffer is read before anybody wrote it.
// check: --kernel addInto --grid 1 --block 32 --arg buf:f32:32:uninit
// expect: undefined uninitialised-read
__global__ void addInto(float* out) {
    out[threadIdx.x] += 1.0f;  //! race
}
