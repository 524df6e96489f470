// cg::reduce and the votes of a tile.
// launch: 1 x 32
// arg: out u32[32]
// arg: v u32[32]
// expect: out = sum(j, i / 16 * 16, i / 16 * 16 + 16, j * j)
// expect: v = i < 16 ? 0x5555 : 0
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, unsigned *v) {
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    unsigned t = threadIdx.x;
    out[t] = cg::reduce(tile, t * t, cg::plus<unsigned>());
    v[t] = tile.ballot(t < 16 && t % 2 == 0);
    tile.sync();
}
