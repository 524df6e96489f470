// An array inside a struct parameter, indexed at run time.
// launch: 1 x 8
// arg: s struct = s32 3, s32 1, s32 4, s32 1, s32 5, s32 9, s32 2, s32 6
// arg: out s32[8]
// expect: out = [6, 2, 9, 5, 1, 4, 1, 3]
struct Table {
    int at[8];
};
extern "C" __global__ void k(Table s, int *out) { out[threadIdx.x] = s.at[7 - threadIdx.x]; }
