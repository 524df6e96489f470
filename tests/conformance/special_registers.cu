// nsmid, smid, gridid, warpid and dynamic shared size are there; only bounds are promised.
// launch: 2 x 64 shared 512
// bits: differ
// arg: out u32[128]
// expect: out = 15
extern __shared__ int pool[];
extern "C" __global__ void k(unsigned *out) {
    unsigned sm, sms, warps, bytes, total;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    asm volatile("mov.u32 %0, %%nsmid;" : "=r"(sms));
    asm volatile("mov.u32 %0, %%nwarpid;" : "=r"(warps));
    asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
    asm volatile("mov.u32 %0, %%total_smem_size;" : "=r"(total));
    pool[threadIdx.x] = 0;
    out[blockIdx.x * 64 + threadIdx.x] = (sm < sms) | (warps >= 2) << 1 | (bytes == 512) << 2 | (total >= 512) << 3;
}
