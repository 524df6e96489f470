// A wait for a flag that nobody sets.
// lanes: together
// launch: 1 x 32
// gpu: no
// arg: flag u32[1]
// fault: no-progress
extern "C" __global__ void k(volatile unsigned *flag) {
    while (*flag == 0) {}
}
