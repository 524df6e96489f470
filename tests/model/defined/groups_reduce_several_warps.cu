// A reduction over a group of four warps, inside cooperative groups' own code.
// check: --kernel total --grid 2 --block 256 --arg buf:i32:512:ones --arg buf:i32:4
// expect: defined
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void total(const int* in, int* out) {
    __shared__ cg::block_tile_memory<256> scratch;
    auto block = cg::this_thread_block(scratch);
    auto tile = cg::tiled_partition<128>(block);
    const int sum = cg::reduce(tile, in[blockIdx.x * 256 + threadIdx.x], cg::plus<int>());
    if (tile.thread_rank() == 0) {
        out[blockIdx.x * 2 + tile.meta_group_rank()] = sum;
    }
}
