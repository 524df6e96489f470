// memcpy and memset of odd sizes between global, local and shared memory.
// launch: 1 x 8
// arg: a u8[104] = i * 5 + 1
// arg: out u8[104]
// expect: out = i % 13 == 12 ? 0xee : a[i]
extern "C" __global__ void k(const unsigned char *a, unsigned char *out) {
    __shared__ unsigned char tile[8][16];
    unsigned char own[13];
    int t = threadIdx.x;
    memset(own, 0xee, sizeof own);
    memcpy(own, a + 13 * t, 12);
    memcpy(tile[t], own, 13);
    __syncthreads();
    memcpy(out + 13 * t, tile[t], 13);
}
