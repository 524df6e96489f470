// Most threads store 1, one stores 2.
// check: --kernel found --grid 4 --block 32 --arg buf:u32:1:zero
// expect: undefined missing-atomic|data-race|missing-fence *
__global__ void found(unsigned* any) {
    any[0] = blockIdx.x == 3 && threadIdx.x == 31 ? 2u : 1u;  //! race
}
