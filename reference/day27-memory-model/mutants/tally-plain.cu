// expect: exit 1
// expect: wrong tallyBlocksDeviceScope
// expect: percent 60..95
// No atomic at all.

__global__ void tallyBlocksDeviceScope(unsigned int* tally) {
    tally[0] += 1u;
}
