// The exchange with a block-wide sync only.
// check: --kernel exchange --grid 4 --block 32 --arg buf:u32:128:zero --arg buf:u32:128:zero
// expect: undefined missing-fence|data-race|missing-atomic
#include <cooperative_groups.h>
__global__ void exchange(unsigned* cells, unsigned* out) {
    const unsigned i = blockIdx.x * 32u + threadIdx.x;
    cells[i] = i;  //! race
    cooperative_groups::this_thread_block().sync();
    out[i] = cells[127u - i];
}
