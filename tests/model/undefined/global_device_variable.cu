// The contested cell is a __device__ variable, not an argument.
// check: --kernel bump --grid 4 --block 1
// expect: undefined missing-atomic|data-race|missing-fence
__device__ unsigned hits = 0;
__global__ void bump() {
    hits = hits + 1u;  //! race
}
