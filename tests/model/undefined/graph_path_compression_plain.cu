// Paths to the root are followed and shortened at the same time, without atomics.
// check: --kernel compress --grid 2 --block 32 --arg buf:i32:64:values=0,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62 --arg i32:64
// expect: undefined missing-atomic|missing-fence|missing-barrier *
__global__ void compress(int* parent, int n) {
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        int v = i;
        while (v > parent[v]) {  //! race
            v = parent[v];
        }
        parent[i] = v;  //! race
    }
}
