// Differences and comparisons of pointers, negative indices, pointers to pointers.
// launch: 1 x 8
// arg: a s32[16] = i * 10
// arg: out s64[8]
// expect: out = [5, 20, 1, 40, 0, 90, 64, 110]
extern "C" __global__ void k(int *a, long long *out) {
    int *p = a + 9, *q = a + 4, **pp = &p;
    switch (threadIdx.x) {
    case 0: out[0] = p - q; break;
    case 1: out[1] = q[-2]; break;
    case 2: out[2] = q < p; break;
    case 3: out[3] = *(int *)((char *)a + 16); break;
    case 4: out[4] = q == p; break;
    case 5: out[5] = **pp; break;
    case 6: out[6] = (char *)(a + 16) - (char *)a; break;
    default: *pp += 2; out[7] = *p;
    }
}
