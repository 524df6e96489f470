//! `warpgrade start` and `warpgrade hint`, as a student calls them.

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;

fn warpgrade() -> Command {
    Command::cargo_bin("warpgrade").expect("the program is built")
}

#[test]
fn start_lists_what_there_is() {
    warpgrade()
        .arg("start")
        .assert()
        .success()
        .stdout(contains("day27-memory-model").and(contains("syncthreads-reverse")));
}

#[test]
fn start_writes_the_program_and_the_questions_and_never_over_a_students_work() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let work = folder.path().join("work");
    let start = || warpgrade().arg("start").arg("day62-racecheck").arg(&work).assert().success();
    start().stdout(contains("Mend `scanTileFixed`").and(contains("warpgrade grade day62-racecheck")));
    let program = work.join("day62-racecheck.cu");
    assert!(std::fs::read_to_string(&program).expect("it was written").contains("TODO"));
    let answers = std::fs::read_to_string(work.join("answers.toml")).expect("it was written");
    assert!(
        answers.contains("#scan_severity_32 =") && answers.contains("One of: warning, error, nothing."),
        "{answers}"
    );
    let parsed: toml::Table = answers.parse().expect("an empty form is TOML");
    assert!(parsed.is_empty(), "no answer is given away");

    std::fs::write(&program, "mine").expect("the program is edited");
    start().stdout(contains("left as it was"));
    assert_eq!(std::fs::read_to_string(&program).expect("it is there"), "mine");
}

#[test]
fn an_unknown_exercise_is_wrong_use() {
    for command in ["start", "hint"] {
        let unknown = contains("no exercise `day28`").and(contains("day27-memory-model"));
        warpgrade().args([command, "day28"]).assert().code(2).stderr(unknown);
    }
}

#[test]
fn hints_come_one_at_a_time() {
    let first = warpgrade().args(["hint", "day27-memory-model"]).assert().success();
    first.stdout(contains("Name two lines (1 of").and(contains("hint day27-memory-model 2")));
    warpgrade().args(["hint", "day27-memory-model", "2"]).assert().success().stdout(contains("(2 of"));
    for number in ["0", "99"] {
        let error = contains("day27-memory-model has hints 1 to");
        warpgrade().args(["hint", "day27-memory-model", number]).assert().code(2).stderr(error);
    }
}

#[test]
fn a_broken_exercise_is_told_with_its_line() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mine = folder.path().join("exercises/mine");
    std::fs::create_dir_all(&mine).expect("the folder is made");
    std::fs::write(mine.join("exercise.toml"), "format = 1\nid = 3\n").expect("the file is written");
    let exercises = folder.path().join("exercises");
    let error = contains("exercise.toml:2:").and(contains("expected a string"));
    warpgrade().args(["start", "mine", "--exercises"]).arg(exercises).assert().code(2).stderr(error);
}
