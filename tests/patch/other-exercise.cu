// exercise: day62-racecheck
__global__ void reverseBlock(float* out, const float* in, int n) {
    out[0] = in[0];
}
int main() { return 0; }
