// A 32-bit load from an odd address.
// launch: 1 x 1
// gpu: no
// arg: a u8[16]
// arg: out u32[1]
// fault: misaligned
extern "C" __global__ void k(const char *a, unsigned *out) { *out = *(const unsigned *)(a + 1); }
