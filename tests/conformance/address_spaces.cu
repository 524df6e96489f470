// isspacep and cvta, there and back.
// launch: 1 x 1
// arg: g u32[1] = 5
// arg: out u32[5]
// expect: out = [1, 2, 4, 7, 5]
extern "C" __global__ void k(unsigned *g, unsigned *out) {
    __shared__ unsigned s;
    unsigned l[2] = {g[0], 9};
    s = 7;
    out[0] = __isGlobal(g) | __isShared(g) << 1 | __isLocal(g) << 2;
    out[1] = __isGlobal(&s) | __isShared(&s) << 1 | __isLocal(&s) << 2;
    out[2] = __isGlobal(l) | __isShared(l) << 1 | __isLocal(l + g[0] % 2) << 2;
    out[3] = *(unsigned *)__cvta_shared_to_generic(__cvta_generic_to_shared(&s));
    out[4] = *(unsigned *)__cvta_global_to_generic(__cvta_generic_to_global(g));
}
