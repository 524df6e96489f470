// prmt: selectors 0 to 7 pick a byte, bit 3 spreads its sign; and the fixed modes.
// launch: 1 x 1
// arg: a u32[2] = [0x83828180, 0x17161514]
// arg: out u32[10]
// expect: out = [0x83828180, 0x14151617, 0x17831480, 0xff00ff00, 0x80838281, 0x15148382, 0x80818283, 0x82828282, 0x80818283, 0x83828380]
extern "C" __global__ void k(const unsigned *a, unsigned *out) {
    unsigned x = a[0], y = a[1], r;
    out[0] = __byte_perm(x, y, 0x3210);
    out[1] = __byte_perm(x, y, 0x4567);
    out[2] = __byte_perm(x, y, 0x7340);
    asm("prmt.b32 %0, %1, %2, 0x8c8c;" : "=r"(r) : "r"(x), "r"(y)); // the signs of bytes 0 and 4
    out[3] = r;
    out[4] = __byte_perm(x, y, 0x0321);
    asm("prmt.b32.f4e %0, %1, %2, 2;" : "=r"(r) : "r"(x), "r"(y));
    out[5] = r;
    asm("prmt.b32.b4e %0, %1, %2, 3;" : "=r"(r) : "r"(x), "r"(y));
    out[6] = r;
    asm("prmt.b32.rc8 %0, %1, %2, 2;" : "=r"(r) : "r"(x), "r"(y));
    out[7] = r;
    out[8] = __byte_perm(x, 0, 0x0123);
    asm("prmt.b32.ecl %0, %1, %2, 2;" : "=r"(r) : "r"(x), "r"(y));
    out[9] = (r & 0xffff0000) | (__byte_perm(x, y, 0x0030) & 0xffff);
}
