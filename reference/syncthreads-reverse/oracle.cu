// What the block reverse must give: one thread, in order. Only the grader runs this.

extern "C" __global__ void oracleReverse(const float* in, int n, int width, float* want) {
    for (int i = 0; i < n; ++i) {
        const int base = i - i % width;
        const int source = base + (width - 1 - i % width);
        want[i] = source < n ? in[source] : 0.0f;
    }
}
