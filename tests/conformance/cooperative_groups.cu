// Blocks, tiles and coalesced groups.
// launch: 1 x 64
// lanes: together
// arg: out u32[64]
// arg: tile u32[64]
// arg: co u32[64]
// expect: out = 63 - i
// expect: tile = sum(j, i / 8 * 8, i / 8 * 8 + 8, j)
// expect: co = i % 3 == 0 ? i % 32 / 3 : 99
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out, unsigned *tile, unsigned *co) {
    __shared__ unsigned s[64];
    auto block = cg::this_thread_block();
    unsigned t = block.thread_rank();
    s[t] = t;
    block.sync();
    out[t] = s[block.size() - 1 - t];
    auto eight = cg::tiled_partition<8>(block);
    unsigned v = t;
    for (unsigned d = 4; d; d /= 2)
        v += eight.shfl_xor(v, d);
    tile[t] = v;
    co[t] = 99;
    if (t % 3 == 0) {
        auto some = cg::coalesced_threads();
        co[t] = some.thread_rank();
    }
}
