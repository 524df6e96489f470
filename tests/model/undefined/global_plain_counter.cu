// A counter kept with a plain increment: updates are lost.
// check: --kernel count --grid 8 --block 64 --arg buf:u32:1:zero
// expect: undefined missing-atomic|data-race|missing-fence
__global__ void count(unsigned* counter) {
    counter[0] += 1u;  //! race
}
