// Volatile loads and stores of 1, 2, 4 and 8 bytes.
// launch: 1 x 32
// arg: a u8[32] = i * 7
// arg: b u16[32] = i * 999
// arg: c u32[32] = i * 99999
// arg: d u64[32] = i * 9999999999
// expect: a = i * 7 + 1
// expect: b = i * 999 + 2
// expect: c = i * 99999 + 3
// expect: d = i * 9999999999 + 4
extern "C" __global__ void k(volatile unsigned char *a, volatile unsigned short *b, volatile unsigned *c, volatile unsigned long long *d) {
    int t = threadIdx.x;
    a[t] = a[t] + 1;
    b[t] = b[t] + 2;
    c[t] = c[t] + 3;
    d[t] = d[t] + 4;
}
