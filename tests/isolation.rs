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

#[test]
fn a_fault_before_the_grading_is_a_record_too() {
    let result = grade(RIGHT, &["--device", "cuda", "--gpu", "4096", "--format", "json"]).code(3);
    let record: serde_json::Value = serde_json::from_slice(&result.get_output().stdout).unwrap();
    assert_eq!(record["status"], "fault");
    assert_eq!(record["exercise"], "syncthreads-reverse");
    assert!(record["score"].is_null());
    let reason = record["message"].as_str().unwrap();
    assert!(!reason.is_empty());
    let said = String::from_utf8_lossy(&result.get_output().stderr).into_owned();
    assert!(said.contains(reason), "{said}");
}

/// Checks a file's kernel `k(int*)`, with other files beside it.
fn check(file: &str, text: &str, beside: &[(&str, &str)], more: &[&str]) -> assert_cmd::assert::Assert {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in beside.iter().chain(&[(file, text)]) {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let mut command = Command::cargo_bin("warpgrade").unwrap();
    command.arg("check").arg(dir.path().join(file)).args(["--kernel", "k", "--grid", "1", "--block", "32"]);
    command.args(["--arg", "buf:i32:32", "--seeds", "1"]).args(more).assert()
}

#[test]
fn a_check_reads_the_files_own_folder_and_no_other() {
    let secret = "int secret_of_a_neighbour = nothing;\n";
    let kernel = "__global__ void k(int* p) { p[threadIdx.x] = VALUE; }\n";
    let own = [("mine/value.cuh", "#define VALUE 3\n"), ("value.cuh", secret)];
    let more: &[&str] = if cfg!(target_os = "linux") { &["--require-sandbox"] } else { &[] };
    check("mine/k.cu", &format!("#include \"value.cuh\"\n{kernel}"), &own, more).code(0);
    for target in ["../value.cuh", "/etc/passwd"] {
        for program in [
            format!("#include \"{target}\"\n{kernel}"),
            format!("__global__ void k(int* p) {{\n#include \"{target}\"\n    p[threadIdx.x] = 1;\n}}\n"),
            format!("#define FILE \"{target}\"\n#include FILE\n{kernel}"),
        ] {
            let result = check("mine/k.cu", &program, &own, &[]);
            let output = result.get_output();
            let said = String::from_utf8_lossy(&[output.stdout.clone(), output.stderr.clone()].concat())
                .into_owned();
            if cfg!(target_os = "linux") {
                assert!(!said.contains("secret_of_a_neighbour") && !said.contains("root:"), "{said}");
            }
        }
    }
}

#[test]
fn a_check_ends_when_the_compiler_does_not() {
    let doubling: String = (0..40).map(|k| format!("#define A{} A{k} A{k}\n", k + 1)).collect();
    let begun = Instant::now();
    let bomb = format!("#define A0 1+\n{doubling}__global__ void k(int* p) {{ p[0] = A40 0; }}\n");
    check("k.cu", &bomb, &[], &[]).code(3).stdout(predicate::str::contains("did not finish this program"));
    assert!(begun.elapsed() < Duration::from_secs(120), "{:?}", begun.elapsed());
    // Too deep for some compilers and some stacks: compiled or not, but never a crash of ours.
    let (open, close) = ("(".repeat(200_000), ")".repeat(200_000));
    let deep = format!("__global__ void k(int* p) {{ p[0] = {open}1{close}; }}\n");
    let output = check("k.cu", &deep, &[], &[]).get_output().clone();
    assert!(matches!(output.status.code(), Some(0 | 1 | 3)), "{:?}", output.status);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!said.contains("grader fault"), "{said}");
}

#[test]
fn a_buffers_file_is_read_before_the_worker_is_closed_in() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data.bin");
    std::fs::write(&data, 7i32.to_le_bytes().repeat(32)).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("k.cu");
    let kernel =
        "__global__ void k(const int* in, int* out) { if (in[threadIdx.x] != 7) { out[1 << 20] = 1; } }\n";
    std::fs::write(&file, kernel).unwrap();
    let mut command = Command::cargo_bin("warpgrade").unwrap();
    command.arg("check").arg(&file).args(["--kernel", "k", "--grid", "1", "--block", "32", "--seeds", "1"]);
    command
        .args(["--arg", &format!("buf:i32:32:file={}", data.display()), "--arg", "buf:i32:32"])
        .assert()
        .code(0);
}

/// Whose first run is wrong and whose runs are long makes fewer, as many on one core as on two; a right row makes them all.
#[test]
fn a_row_that_races_with_everything_stops_when_it_is_wrong() {
    let mutant = "reference/day62-racecheck/mutants/scan-first-barrier-missing.cu";
    let rows = |jobs: &str| {
        let grade = ["grade", "day62-racecheck", mutant, "--device", "embedded", "--format", "json"];
        let output = Command::cargo_bin("warpgrade")
            .unwrap()
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .args(grade)
            .args(["--runs", "400", "--jobs", jobs])
            .output()
            .unwrap();
        let record: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        record["configurations"][0]["rows"].as_array().unwrap().clone()
    };
    let one = rows("1");
    let fewer = |row: &serde_json::Value| row["asked"] == 400 && row["runs"].as_u64() < Some(400);
    for row in &one {
        let right = row["kernel"] == "reverseTilesFixed";
        assert_eq!(row["runs"] == 400, !fewer(row), "{row}");
        assert!(!right || (row["runs"] == 400 && row["wrong"] == 0), "{row}");
    }
    let scans = one.iter().filter(|row| row["kernel"] == "scanTileFixed");
    assert!(scans.clone().count() == 2 && scans.clone().all(|row| fewer(row) && row["wrong"] == row["runs"]));
    assert_eq!(one, rows("2"));
}
