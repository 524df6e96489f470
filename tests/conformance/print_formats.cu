// printf: numbers, text, floats, widths, characters, pointers to strings, and no arguments.
// launch: 1 x 1
// arg: a u32[1] = 3000000000
// prints: n -7 3000000000 ff 0x0010
// prints: big -1234567890123 18446744073709551615
// prints: f 1.500000 2.50 1.0e+10 0.1
// prints: s [abc] [ab   ] [   ab] c
// prints: 100%
extern "C" __global__ void k(unsigned *a) {
    printf("n %d %u %x 0x%04x\n", -7, a[0], 255, 16);
    printf("big %lld %llu\n", -1234567890123ll, ~0ull);
    printf("f %f %.2f %.1e %g\n", 1.5f, 2.5, 1e10, 0.1);
    printf("s [%s] [%-5s] [%5s] %c\n", "abc", "ab", "ab", 'c');
    printf("100%%\n");
}
