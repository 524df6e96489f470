//! Files as other tools' suites and samples have them, and the ways to give a kernel its arguments.

use predicates::prelude::*;

use super::check;

/// Checks `text` with words split at blanks; the exit code and what was said, both streams.
fn checked(text: &str, words: &str) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file.cu"), text).unwrap();
    std::fs::write(folder.path().join("numbers.txt"), "0 2, 3\n3 5\n").unwrap();
    let mut args = vec!["file.cu"];
    args.extend(words.split_whitespace());
    let output = check(folder.path(), &args).output().unwrap();
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    (output.status.code().unwrap(), said.concat())
}

fn expect(text: &str, words: &str, exit: i32) -> String {
    let (code, said) = checked(text, words);
    assert_eq!(code, exit, "{said}");
    said
}

/// CSR rows as lists of numbers, and a structure with pointers in it.
const GRAPH: &str = "struct Graph { int nodes; const int* first; const int* next; };\n\
    __global__ void degree(Graph g, int* out) {\n\
    int v = threadIdx.x;\n    if (v < g.nodes) {\n\
    int sum = 0;\n    for (int j = g.first[v]; j < g.first[v + 1]; ++j) { sum += g.next[j]; }\n\
    out[v] = sum;\n    }\n}\n";

#[test]
fn a_structure_may_hold_buffers() {
    let launch = "--kernel degree --grid 1 --block 32 --arg buf:i32:4";
    let graph = |nodes: u32, first: &str| {
        format!("--arg struct(i32:{nodes};buf:i32:5:{first};buf:i32:5:values=1,2,3,0,1)")
    };
    let with = |graph: String| launch.replacen("--arg", &format!("{graph} --arg"), 1);
    expect(GRAPH, &with(graph(4, "values=0,2,3,3,5")), 0);
    expect(GRAPH, &with(graph(4, "text=numbers.txt")), 0);
    let said = expect(GRAPH, &with(graph(4, "values=0,2,3,3,6")), 1);
    assert!(said.contains("out-of-bounds") && said.contains("g+16[5]"), "{said}");
    let said = expect(GRAPH, "--kernel degree --grid 1 --block 32 --arg i32:4 --arg buf:i32:4", 2);
    assert!(said.contains("(`g`)") && said.contains("struct("), "{said}");
}

#[test]
fn a_vector_is_a_list_of_numbers() {
    let text = "__global__ void k(float3 v, float* out) { out[threadIdx.x] = v.x + v.y * v.z; }\n";
    expect(text, "--kernel k --grid 1 --block 32 --arg f32:1,2,3 --arg buf:f32:32", 0);
}

#[test]
fn extern_c_before_a_host_function_goes_with_it() {
    let text = "template <int N> __global__ void sum(int* a) { a[threadIdx.x] += N; }\n\
                extern \"C\" void sum(int n, int* a) { sum<4><<<1, n>>>(a); }\n\
                extern \"C\" bool is_power(unsigned n);\n\
                template <class T> void start(T* a) { sum<4><<<1, 32>>>(a); }\n\
                template void start<int>(int* a);\n\
                extern \"C\" __global__ void plain(int* a) { a[threadIdx.x] = 1; }\n";
    expect(text, "--kernel sum<4> --grid 1 --block 32 --arg buf:i32:32", 0);
    expect(text, "--kernel plain --grid 1 --block 32 --arg buf:i32:32", 0);
}

#[test]
fn one_of_several_kernels_of_a_name_is_meant_by_its_parameters() {
    let text = "__global__ void f(int* a) { a[threadIdx.x] = 1; }\n\
                __global__ void f(const float* a, float* b) { b[0] = a[threadIdx.x]; }\n";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("two.cu"), text).unwrap();
    let run = |kernel: &str, args: &[&str]| {
        let mut all = vec!["two.cu", "--kernel", kernel, "--grid", "1", "--block", "32"];
        args.iter().for_each(|arg| all.extend(["--arg", arg]));
        check(folder.path(), &all).assert()
    };
    run("f(int*)", &["buf:i32:32"]).code(0);
    run("f(const float *, float *)", &["buf:f32:32:iota", "buf:f32:1"])
        .code(1)
        .stdout(predicate::str::contains("b[0]"));
}

#[test]
fn a_wrong_name_is_wrong_use() {
    let text = "// nope is not here\ntemplate <class T> __global__ void t(T* a) { a[threadIdx.x] = T(1); }\n";
    let said = expect(text, "--kernel nope --grid 1 --block 32 --arg buf:i32:32", 2);
    assert!(said.contains("no kernel `nope`; it defines t"), "{said}");
    let said = expect(text, "--kernel t --grid 1 --block 32 --arg buf:i32:32", 2);
    assert!(said.contains("is a template") && said.contains("t<float>"), "{said}");
}

#[test]
fn annotations_for_provers_are_left_out() {
    let text = "#include <cuda.h>\n__global__ void k(int* a, int n) {\n  __requires(n == 3 & __no_read(a));\n\
                for (int d = 1; __invariant(d <= 64), __global_invariant(__write_implies(a, d)), d < 64; d <<= 1) {\n\
                a[threadIdx.x] = d; }\n  __assert(n == 3);\n}\n";
    expect(text, "--kernel k --grid 1 --block 32 --arg buf:i32:32 --arg i32:3", 0);
}

#[test]
fn a_define_may_have_parameters() {
    let text = "__global__ void k(int* a) { a[PLUS(threadIdx.x, 1)] = 1; }\n";
    expect(text, "--kernel k --grid 1 --block 32 --arg buf:i32:33 --define PLUS(a,b)=((a)+(b))", 0);
    let said = expect(text, "--kernel k --grid 1 --block 32 --arg buf:i32:33 --define 1-2=3", 2);
    assert!(said.contains("NAME=VALUE"), "{said}");
}

#[test]
fn what_needs_a_later_architecture_is_compiled_for_one() {
    let text = "__global__ void k(unsigned* a) { a[threadIdx.x] = __reduce_add_sync(~0u, threadIdx.x); }\n";
    expect(text, "--kernel k --grid 1 --block 32 --arg buf:u32:32", 0);
}

#[test]
fn missing_dynamic_shared_memory_is_told() {
    let text = "extern __shared__ float s[];\n__global__ void k(float* a) { s[threadIdx.x] = a[threadIdx.x]; \
                __syncthreads(); a[threadIdx.x] = s[31 - threadIdx.x]; }\n";
    let said = expect(text, "--kernel k --grid 1 --block 32 --arg buf:f32:32", 1);
    assert!(said.contains("no dynamic shared memory"), "{said}");
    expect(text, "--kernel k --grid 1 --block 32 --arg buf:f32:32 --shared 128", 0);
}

#[test]
fn braces_may_open_in_one_branch_of_a_conditional() {
    let text = "#include <sys/time.h>\n__global__ void k(int* a, int n) {\n#ifdef PLAIN\n  if (a[0] < n) { a[0] = n;\n\
                #else\n  if (atomicMax(a, n + (int)blockIdx.x) < n) {\n#endif\n  }\n}\n\
                static double run(int* a) { k<<<1, 1>>>(a, 1); struct timeval t; gettimeofday(&t, NULL); return 0; }\n";
    expect(text, "--kernel k --grid 2 --block 1 --arg buf:i32:1 --arg i32:3", 0);
    let said = expect(text, "--kernel k --grid 2 --block 1 --arg buf:i32:1 --arg i32:3 --define PLAIN", 1);
    assert!(said.contains("file.cu:4"), "{said}");
}

#[test]
fn the_standard_librarys_device_part_is_there() {
    let text = "#include <type_traits>\n#include <limits>\n#include <algorithm>\n#include <cstdint>\n\
                template <typename T, typename = typename std::enable_if<std::is_integral<T>::value>::type>\n\
                __device__ T clamped(T x) { return std::min(x, std::numeric_limits<T>::max()); }\n\
                __global__ void k(int* a) { a[threadIdx.x] = clamped((int)threadIdx.x); }\n";
    expect(text, "--kernel k --grid 1 --block 32 --arg buf:i32:32", 0);
}
