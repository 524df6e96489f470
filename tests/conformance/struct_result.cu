// A function that is not inlined takes and gives structs.
// launch: 1 x 16
// arg: out f32[48]
// expect: out = i % 3 == 0 ? i / 3 * 2 + 1 : i % 3 == 1 ? i / 3 * 4.0 : 7.0 - i / 3
__device__ __noinline__ float3 twist(float3 v, int n) { return make_float3(v.x * 2 + 1, v.y * 4, v.z - n); }
extern "C" __global__ void k(float3 *out) {
    int t = threadIdx.x;
    out[t] = twist(make_float3(t, t, 7), t);
}
