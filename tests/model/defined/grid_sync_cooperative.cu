// Cooperative groups' grid.sync().
// check: --kernel exchange --grid 4 --block 32 --arg buf:u32:128:zero --arg buf:u32:128:zero
// expect: defined
#include <cooperative_groups.h>
__global__ void exchange(unsigned* cells, unsigned* out) {
    const unsigned i = blockIdx.x * 32u + threadIdx.x;
    cells[i] = i;
    cooperative_groups::this_grid().sync();
    out[i] = cells[127u - i];
}
