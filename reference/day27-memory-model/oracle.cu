// What a day 27 sum must be: one thread, one loop, in double. Only the grader runs this.

extern "C" __global__ void oracleSum(const float* in, size_t n, float* want) {
    double sum = 0.0;
    for (size_t i = 0; i < n; ++i) {
        sum += static_cast<double>(in[i]);
    }
    want[0] = static_cast<float>(sum);
}
