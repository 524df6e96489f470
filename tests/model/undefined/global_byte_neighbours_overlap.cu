// A 4-byte store overlaps a neighbour's 1-byte store.
// check: --kernel overlap --grid 2 --block 1 --arg buf:u32:2:zero
// expect: undefined missing-atomic|data-race|missing-fence
__global__ void overlap(unsigned* words) {
    if (blockIdx.x == 0) {
        words[0] = 0x01020304u;  //! race
    } else {
        reinterpret_cast<unsigned char*>(words)[3] = 9;
    }
}
