// A plain flag: the compiler reads it once, the loop never looks again.
// check: --kernel pass --grid 2 --block 1 --arg buf:u32:1:zero --arg buf:u32:1:zero
// expect: undefined no-progress|missing-atomic|data-race|missing-fence *
__global__ void pass(unsigned* flag, unsigned* out) {
    if (blockIdx.x == 0) {
        flag[0] = 1u;
    } else {
        while (flag[0] == 0u) {  //! race
        }
        out[0] = 1u;
    }
}
