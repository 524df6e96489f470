// Claims that its lines are the template's, or another file's.
// exit: 1
// says: messages name the lines of your file as it is
// says: missing-barrier

#line 1 "template"
__global__ void reverseBlock(float* out, const float* in, int n) {
    __shared__ float tile[BLOCK];
    const int t = threadIdx.x;
    const int gid = blockIdx.x * blockDim.x + t;
    tile[t] = (gid < n) ? in[gid] : 0.0f;
#line 500 "/etc/passwd"
    const float mirrored = tile[blockDim.x - 1 - t];
    if (gid < n) {
        out[gid] = mirrored;
    }
}
