// What day 62's outputs must be: one thread, in order, in double. Only the grader runs this.

// Inclusive sums that begin anew with every tile.
extern "C" __global__ void oracleScan(const float* in, size_t n, size_t width, float* want) {
    double sum = 0.0;
    for (size_t i = 0; i < n; ++i) {
        if (i % width == 0) {
            sum = 0.0;
        }
        sum += static_cast<double>(in[i]);
        want[i] = static_cast<float>(sum);
    }
}

// Element j of a tile takes element width - 1 - j of it; a source past the end is 0.
extern "C" __global__ void oracleReverse(const float* in, size_t n, size_t width, float* want) {
    for (size_t i = 0; i < n; ++i) {
        const size_t base = i - i % width;
        const size_t source = base + (width - 1 - i % width);
        want[i] = source < n ? in[source] : 0.0f;
    }
}
