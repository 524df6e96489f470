// expect: exit 1
// expect: as-given/tallyBlocksDeviceScope: atomic-scope-too-narrow
// expect: exact sumLastBlockFenced
// expect: percent 60..95
// The gated tally, made atomic for one block only.

__global__ void tallyBlocksDeviceScope(unsigned int* tally) {
    atomicAdd_block(tally, 1u);
}
