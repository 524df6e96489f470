// A float4 load from an address that is not a multiple of 16.
// check: --kernel load --grid 1 --block 1 --arg buf:f32:16:iota --arg buf:f32:4
// expect: undefined out-of-bounds
__global__ void load(const float* in, float* out) {
    const float4 v = *reinterpret_cast<const float4*>(in + 1);  //! race
    out[0] = v.x + v.y + v.z + v.w;
}
