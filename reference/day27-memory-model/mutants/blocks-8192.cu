// expect: exit 0
// expect: exact sumLastBlockFenced
// expect: exact tallyBlocksDeviceScope
// expect: percent 90..100
// The third configuration, as the constant alone.

constexpr int kBlocks = 8192;
