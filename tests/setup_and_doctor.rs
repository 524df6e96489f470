//! The command line around the grader: setup, doctor, exit codes, broken pipes.

use assert_cmd::Command;
use predicates::prelude::*;

fn warpgrade() -> Command {
    Command::cargo_bin("warpgrade").expect("the binary is built with the tests")
}

/// An environment in which nothing of CUDA is found.
fn bare() -> (Command, tempfile::TempDir) {
    let empty = tempfile::tempdir().unwrap();
    let mut command = warpgrade();
    command.env_clear().env("WARPGRADE_CACHE", empty.path()).env("PATH", empty.path());
    command.env("WARPGRADE_NVRTC", empty.path().join("libnvrtc.so.12"));
    (command, empty)
}

#[test]
fn setup_makes_nvrtc_ready_and_doctor_finds_it() {
    warpgrade().arg("setup").assert().code(0).stdout(predicate::str::contains("is ready"));
    let output =
        warpgrade().args(["doctor", "--format", "json"]).assert().code(0).get_output().stdout.clone();
    let report: serde_json::Value = serde_json::from_slice(&output).unwrap();
    assert_eq!(report["works"], true);
    let part =
        |name: &str| report["parts"].as_array().unwrap().iter().find(|p| p["name"] == name).unwrap().clone();
    assert_eq!(part("NVRTC")["found"], true);
    assert_eq!(part("CUDA headers")["found"], true);
    for name in [
        "NVIDIA driver",
        "GPUs",
        "compute-sanitizer",
        "sandbox: Landlock",
        "sandbox: seccomp",
        "sandbox: tried",
    ] {
        assert!(!part(name)["purpose"].as_str().unwrap().is_empty(), "{name}");
    }
}

#[test]
fn doctor_without_nvrtc_says_how_to_get_it_and_exits_3() {
    let (mut command, _dir) = bare();
    command
        .arg("doctor")
        .assert()
        .code(3)
        .stdout(predicate::str::contains("NO  NVRTC").and(predicate::str::contains("get: warpgrade setup")));
}

#[test]
fn setup_without_python_is_a_grader_fault_with_advice() {
    let (mut command, _dir) = bare();
    let result = command.arg("setup").assert().code(3);
    result.stderr(
        predicate::str::contains("grader fault").and(predicate::str::contains("Install Python 3 with pip")),
    );
}

#[test]
fn wrong_use_exits_2() {
    warpgrade().arg("no-such-command").assert().code(2);
    warpgrade().args(["doctor", "--format", "poem"]).assert().code(2);
    warpgrade().assert().code(2);
}

#[test]
fn help_has_examples_and_the_exit_codes() {
    let help = predicate::str::contains("Examples:").and(predicate::str::contains("Exit codes:"));
    warpgrade().arg("--help").assert().code(0).stdout(help);
    for command in ["setup", "doctor"] {
        warpgrade().args([command, "--help"]).assert().code(0).stdout(predicate::str::contains("Examples:"));
    }
}

#[cfg(unix)]
#[test]
fn a_reader_that_closes_early_is_no_fault() {
    use std::process::{Command, Stdio};
    let path = assert_cmd::cargo::cargo_bin("warpgrade");
    let mut child =
        Command::new(path).arg("doctor").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
