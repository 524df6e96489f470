// exercise: syncthreads-reverse
// The block reverse in other words, as a whole program.
#include <cstdio>
#include <cuda_runtime.h>
#define CHECK(call) do { if ((call) != cudaSuccess) return 1; } while (0)
#define BLOCK 128

__global__ void reverseBlock(float* out, const float* in, int n) {
  __shared__ float cells[BLOCK];
  int me = threadIdx.x, at = blockIdx.x * blockDim.x + me;
  cells[me] = at < n ? in[at] : 0.0f;
#ifndef SKIP_SYNC
  __syncthreads();
#endif
  if (at < n) out[at] = cells[blockDim.x - 1 - me];
}

int main() {
  float* d = nullptr;
  CHECK(cudaMalloc(&d, 4 * BLOCK));
  reverseBlock<<<1, BLOCK>>>(d, d, BLOCK);
  return 0;
}
