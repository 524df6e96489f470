// match_any groups equal values; match_all says whether all are equal.
// launch: 1 x 32
// arg: any u32[32]
// arg: all u32[32]
// arg: wide u32[32]
// expect: any = 0x01010101 << i % 8
// expect: all = 0xffffffff
// expect: wide = i < 16 ? 0xffff : 0xffff0000
extern "C" __global__ void k(unsigned *any, unsigned *all, unsigned *wide) {
    unsigned t = threadIdx.x;
    int same, differ;
    any[t] = __match_any_sync(0xffffffff, t % 8);
    unsigned yes = __match_all_sync(0xffffffff, 7u, &same), no = __match_all_sync(0xffffffff, t, &differ);
    all[t] = same && !differ && no == 0 ? yes : 0;
    wide[t] = __match_any_sync(0xffffffff, (unsigned long long)(t / 16) << 40);
}
