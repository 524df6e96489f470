//! Gradings in their worker, from the command line: bombs, missing devices, protections.

use std::time::{Duration, Instant};

use assert_cmd::Command;
use predicates::prelude::*;

/// Grades `body` as the kernel of the block reverse, quickly.
fn grade(body: &str, more: &[&str]) -> assert_cmd::assert::Assert {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("reverse.cu");
    std::fs::write(
        &file,
        format!("__global__ void reverseBlock(float* out, const float* in, int n) {{\n{body}\n}}\n"),
    )
    .unwrap();
    let mut command = Command::cargo_bin("warpgrade").unwrap();
    command
        .args(["grade", "syncthreads-reverse"])
        .arg(&file)
        .args(["--runs", "2", "--seeds", "1"])
        .args(more);
    command.assert()
}

const RIGHT: &str = "__shared__ float tile[BLOCK];
const int t = threadIdx.x;
const int gid = blockIdx.x * blockDim.x + t;
tile[t] = (gid < n) ? in[gid] : 0.0f;
#ifndef SKIP_SYNC
__syncthreads();
#endif
const float mirrored = tile[blockDim.x - 1 - t];
if (gid < n) { out[gid] = mirrored; }";

#[test]
fn a_right_kernel_is_graded_with_every_protection_in_force() {
    let more: &[&str] = if cfg!(target_os = "linux") { &["--require-sandbox"] } else { &[] };
    grade(RIGHT, more).code(0);
}

#[test]
fn a_macro_bomb_is_the_programs_own_compile_error() {
    let doubling: String = (0..40).map(|k| format!("#define A{} A{k} A{k}\n", k + 1)).collect();
    let begun = Instant::now();
    let result = grade(&format!("#define A0 1+\n{doubling}int z = A40 0;\n{RIGHT}"), &["--format", "json"]);
    let output = result.code(1).get_output().stdout.clone();
    let graded: serde_json::Value = serde_json::from_slice(&output).unwrap();
    assert_eq!(graded["status"], "graded");
    let notices = graded["notices"].as_array().unwrap();
    let told = notices.iter().any(|n| {
        n["kind"] == "compile-error" && n["message"].as_str().unwrap().contains("did not finish this program")
    });
    assert!(told, "{notices:?}");
    assert!(begun.elapsed() < Duration::from_secs(120), "{:?}", begun.elapsed());
}

#[test]
fn a_card_that_is_not_there_is_said_in_one_sentence() {
    // Nothing here has this number.
    let result = grade(RIGHT, &["--device", "cuda", "--gpu", "4096"]).code(3);
    let said = String::from_utf8_lossy(&result.get_output().stderr).into_owned();
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains("no NVIDIA driver") || said.contains("no GPU"), "{said}");
}

#[test]
fn a_tool_that_cannot_run_is_said_in_one_sentence() {
    let result = grade(RIGHT, &["--device", "embedded", "--sanitizer"]).code(3);
    result.stderr(predicate::str::contains("compute-sanitizer needs a GPU"));
}
