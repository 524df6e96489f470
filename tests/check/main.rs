//! `warpgrade check` on files as people have them: whole programs, templates, namespaces, headers, several launches.

use std::path::Path;

mod forms;

use assert_cmd::Command;
use predicates::prelude::*;
use serde_json::Value;

/// A program with a host part of every kind that NVRTC lacks.
const WHOLE: &str = r#"#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <vector>
#include "cuda_runtime.h"
#include "scale.cuh"
#define CHECK(call) do { if ((call) != cudaSuccess) { std::exit(1); } } while (0)
using namespace std;
static std::vector<float> host_data(64);
struct Timer { cudaEvent_t begin, end; std::string name; };
typedef struct { uint32_t first; uint32_t count; } Span;
constexpr int kThreads = 32;
__constant__ float factors[2] = {2.0f, 3.0f};
__device__ unsigned int arrived;
namespace course {
int rounded(int n) { return (n + 31) / 32 * 32; }
template <int Width, typename T>
__global__ void shift(T* data, Span span) {
    __shared__ T tile[Width];
    tile[threadIdx.x] = scaled(data[threadIdx.x]);
#ifndef NO_BARRIER
    __syncthreads();
#endif
    if (threadIdx.x < span.count) {
        data[threadIdx.x] = tile[(threadIdx.x + 1) % Width];  // the read
    }
}
template __global__ void shift<64, float>(float*, Span);
}
__global__ void twice(int* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        data[i] *= 2;
        if (data[i] < 0) printf("negative at %d\n", i);
    }
}
void run(std::vector<float>& values) {
    float* data = nullptr;
    CHECK(cudaMalloc(&data, values.size() * sizeof(float)));
    course::shift<64, float><<<1, 64>>>(data, Span{0, 64});
    CHECK(cudaDeviceSynchronize());
}
int main(int argc, char** argv) {
    run(host_data);
    std::cout << "done" << std::endl;
    return 0;
}
"#;
const HEADER: &str = "#pragma once\n#include <string>\nstd::string name();\n__device__ inline float scaled(float x) { return 2.0f * x; }\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("whole.cu"), WHOLE).unwrap();
    std::fs::write(folder.path().join("scale.cuh"), HEADER).unwrap();
    folder
}

fn check(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("warpgrade").unwrap();
    command.current_dir(folder).arg("check").args(args);
    command
}

fn json(folder: &Path, args: &[&str]) -> (Value, i32) {
    let output = check(folder, args).args(["--format", "json"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr);
    let value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}{stderr}"));
    (value, output.status.code().unwrap())
}

#[test]
fn a_whole_program_is_checked_by_its_device_part() {
    let folder = folder();
    let args = [
        "whole.cu",
        "--kernel",
        "twice",
        "--grid",
        "2",
        "--block",
        "32",
        "--arg",
        "buf:i32:40:iota",
        "--arg",
        "i32:40",
    ];
    let (record, exit) = json(folder.path(), &args);
    assert_eq!(exit, 0, "{record}");
    assert_eq!(record["verdicts"][0]["kernel"], "twice");
    assert_eq!(record["verdicts"][0]["verdict"], "defined");
}

/// `Span` is passed as one 8-byte value.
const SHIFT: [&str; 11] = [
    "whole.cu",
    "--kernel",
    "course::shift<64, float>",
    "--grid",
    "1",
    "--block",
    "64",
    "--arg",
    "buf:f32:64:iota",
    "--arg",
    "u64:0x4000000000",
];

#[test]
fn a_template_in_a_namespace_goes_by_its_cpp_name() {
    let folder = folder();
    let (record, exit) = json(folder.path(), &SHIFT);
    assert_eq!(exit, 0, "{record}");
}

#[test]
fn a_define_changes_the_program_and_lines_are_the_files_own() {
    let folder = folder();
    let mut args = SHIFT.to_vec();
    args.extend(["--define", "NO_BARRIER"]);
    let (record, exit) = json(folder.path(), &args);
    assert_eq!(exit, 1, "{record}");
    let findings = record["verdicts"][0]["findings"].as_array().unwrap();
    let line = WHOLE.lines().position(|l| l.contains("// the read")).unwrap() as u64 + 1;
    let at_the_read = |f: &&Value| {
        ["first", "second"].iter().any(|s| f[s]["at"]["line"] == line && f[s]["at"]["file"] == "whole.cu")
    };
    assert!(findings.iter().any(|f| f["rule"] == "missing-barrier" && at_the_read(&f)), "{findings:?}");
}

#[test]
fn buffers_go_by_the_parameters_names() {
    let folder = folder();
    let args = [
        "whole.cu",
        "--kernel",
        "twice",
        "--grid",
        "2",
        "--block",
        "32",
        "--arg",
        "buf:i32:40:iota",
        "--arg",
        "i32:64",
    ];
    let output = check(folder.path(), &args);
    let mut output = output;
    output
        .assert()
        .code(1)
        .stdout(predicate::str::contains("out-of-bounds").and(predicate::str::contains("data")));
}

#[test]
fn wrong_use_exits_2_and_says_what_would_be_right() {
    let folder = folder();
    let cases: [(&[&str], &str); 7] = [
        (&["whole.cu", "--kernel", "thrice", "--grid", "1", "--block", "1"], "twice"),
        (&["whole.cu", "--kernel", "twice", "--block", "1"], "--grid"),
        (&["whole.cu", "--kernel", "twice", "--grid", "0", "--block", "1"], "--grid"),
        (&["whole.cu", "--kernel", "twice", "--grid", "1", "--block", "1", "--arg", "i33:4"], "i33"),
        (&["whole.cu", "--kernel", "twice", "--grid", "1", "--block", "1", "--arg", "i32:4"], "2 arguments"),
        (
            &[
                "whole.cu",
                "--kernel",
                "twice",
                "--grid",
                "1",
                "--block",
                "1",
                "--arg",
                "buf:i32:4",
                "--arg",
                "i64:4",
            ],
            "argument 2",
        ),
        (&["none.cu", "--kernel", "k", "--grid", "1", "--block", "1"], "none.cu"),
    ];
    for (args, says) in cases {
        check(folder.path(), args).assert().code(2).stderr(predicate::str::contains(says));
    }
}

#[test]
fn what_does_not_compile_is_unknown() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("broken.cu"),
        "__global__ void k(int* a) {\n    a[0] = undeclared;\n}\n",
    )
    .unwrap();
    let (record, exit) = json(
        folder.path(),
        &["broken.cu", "--kernel", "k", "--grid", "1", "--block", "1", "--arg", "buf:i32:1"],
    );
    assert_eq!(exit, 3, "{record}");
    assert_eq!(record["verdicts"][0]["verdict"], "unknown");
    let diagnostic = &record["diagnostics"][0];
    assert_eq!((diagnostic["file"].as_str(), diagnostic["line"].as_u64()), (Some("broken.cu"), Some(2)));
}

#[test]
fn other_kernels_that_do_not_compile_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <curand_kernel.h>\n__global__ void random(curandState* s) { s->x = 1; }\n\
                __global__ void plain(int* a) { a[threadIdx.x] = 1; }\n";
    std::fs::write(folder.path().join("two.cu"), text).unwrap();
    let (record, exit) = json(
        folder.path(),
        &["two.cu", "--kernel", "plain", "--grid", "1", "--block", "32", "--arg", "buf:i32:32"],
    );
    assert_eq!(exit, 0, "{record}");
}

#[test]
fn cooperative_groups_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n\
                __global__ void k(int* a, int* b) {\n    auto block = cg::this_thread_block();\n\
                \x20   a[threadIdx.x] = 1;\n    block.sync();\n    b[threadIdx.x] = a[31 - threadIdx.x];\n}\n";
    std::fs::write(folder.path().join("groups.cu"), text).unwrap();
    let args = [
        "groups.cu",
        "--kernel",
        "k",
        "--grid",
        "1",
        "--block",
        "32",
        "--arg",
        "buf:i32:32",
        "--arg",
        "buf:i32:32",
    ];
    let (record, exit) = json(folder.path(), &args);
    assert_eq!(exit, 0, "{record}");
}

#[test]
fn explain_prints_pages_and_lists_them() {
    let explain = || {
        let mut command = Command::cargo_bin("warpgrade").unwrap();
        command.arg("explain");
        command
    };
    explain().assert().code(0).stdout(predicate::str::contains("fence-after-announcement"));
    explain().arg("missing-fence").assert().code(0).stdout(predicate::str::contains("missing-fence"));
    explain().arg("no-such-rule").assert().code(2).stderr(predicate::str::contains("missing-fence"));
}
