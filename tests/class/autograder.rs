//! The archive for Gradescope, unpacked into a folder laid out as `/autograder`, and run.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use crate::graded::{said, warpgrade};
use crate::made_class::file;

/// The archive of an exercise, unpacked where Gradescope unpacks it.
fn installed(more: &[&str]) -> TempDir {
    let root = tempfile::tempdir().expect("a temporary folder");
    let archive = root.path().join("autograder.zip");
    let made = warpgrade().args(["autograder", "day62-racecheck", "--to"]).arg(&archive).args(more).output();
    let made = made.expect("it runs");
    assert!(made.status.success(), "{}", said(&made));
    let zip = fs::File::open(&archive).expect("an archive");
    zip::ZipArchive::new(zip).expect("a zip").extract(root.path().join("source")).expect("it unpacks");
    for folder in ["submission", "results"] {
        fs::create_dir(root.path().join(folder)).expect("a folder");
    }
    root
}

/// Gradescope starts the scripts by their names; ours is not at `/autograder`, which a variable says.
fn start(root: &Path, script: &str) -> Output {
    let mut command = Command::new(root.join("source").join(script));
    command.env("WARPGRADE_AUTOGRADER", root);
    // The compiler that the other tests use: an image's setup.sh would fetch it.
    command.env("WARPGRADE_CACHE", warpgrade::nvrtc::cache_dir().expect("a cache"));
    command.output().expect("the script runs")
}

fn results(root: &Path) -> Value {
    let text = fs::read_to_string(root.join("results/results.json")).expect("results");
    serde_json::from_str(&text).expect("results are JSON")
}

#[test]
fn the_scripts_stand_at_the_root_and_may_be_run() {
    let root = installed(&[]);
    for script in ["setup.sh", "run_autograder", "warpgrade"] {
        let mode = fs::metadata(root.path().join("source").join(script)).expect(script).permissions().mode();
        assert_eq!(mode & 0o111, 0o111, "{script}");
    }
    let run = fs::read_to_string(root.path().join("source/run_autograder")).expect("a script");
    assert!(!run.contains("{{") && run.contains("grade day62-racecheck"), "{run}");
}

#[test]
fn a_submission_is_set_up_and_graded() {
    let root = installed(&["--time-limit", "300"]);
    let setup = start(root.path(), "setup.sh");
    assert!(setup.status.success(), "{}", said(&setup));
    for name in ["racecheck.cu", "answers.toml"] {
        let text = file(&format!("exercises/day62-racecheck/examples/both-mended/{name}"));
        fs::write(root.path().join("submission").join(name), text).expect("a file");
    }
    let run = start(root.path(), "run_autograder");
    assert!(run.status.success(), "{}", said(&run));
    let results = results(root.path());
    let score = results["score"].as_f64().expect("a score");
    let tests = results["tests"].as_array().expect("tests");
    let sum: f64 = tests.iter().map(|test| test["score"].as_f64().expect("a score")).sum();
    let max: f64 = tests.iter().map(|test| test["max_score"].as_f64().expect("a maximum")).sum();
    assert!(score >= 0.9 * max && (sum - score).abs() < 0.011, "{score} {sum} {max}");
    assert!(!root.path().join("results/results.json.part").exists());
}

#[test]
fn a_submission_with_nothing_in_it_is_told_so() {
    let root = installed(&[]);
    let run = start(root.path(), "run_autograder");
    assert!(run.status.success(), "{}", said(&run));
    let results = results(root.path());
    assert_eq!(results["score"], 0.0);
    assert!(results["output"].as_str().expect("words").contains("there is no file to read"), "{results}");
}

#[test]
fn a_grader_that_does_not_run_gives_nobody_a_zero() {
    let root = installed(&[]);
    fs::write(root.path().join("source/warpgrade"), "#!/bin/sh\nexit 3\n").expect("a file");
    let run = start(root.path(), "run_autograder");
    assert!(!run.status.success());
    assert!(!root.path().join("results/results.json").exists(), "no results: Gradescope says that it failed");
}

#[test]
fn a_course_of_ones_own_travels_whole_and_its_solutions_stay_at_home() {
    let root = installed(&["--exercises", concat!(env!("CARGO_MANIFEST_DIR"), "/exercises")]);
    let course = root.path().join("source/course");
    for name in
        ["exercises/day62-racecheck/exercise.toml", "reference/day62-racecheck/oracle.cu", "rubric.toml"]
    {
        assert!(course.join(name).is_file(), "{name}");
    }
    assert!(!course.join("reference/day62-racecheck/solution.cu").exists());
    assert!(!course.join("exercises/day27-memory-model").exists());
    fs::write(root.path().join("submission/a.cu"), file("exercises/day62-racecheck/template.cu"))
        .expect("a file");
    let run = start(root.path(), "run_autograder");
    assert!(run.status.success(), "{}", said(&run));
    assert!(results(root.path())["score"].as_f64().is_some());
}
