// Nobody sets the flag: the loop never ends.
// check: --kernel wait --grid 1 --block 1 --arg buf:u32:1:zero
// expect: undefined no-progress
__global__ void wait(unsigned* flag) {
    while (atomicAdd(flag, 0u) == 0u) {  //! race
    }
}
