//! Broken submissions: a clear answer and a documented exit code, never a panic.

use assert_cmd::Command;
use predicates::prelude::*;

use super::runs::{Run, Submission, exercise_file, grade, replace};

const DAY62: &str = "day62-racecheck";

fn day62() -> String {
    exercise_file("day62-racecheck/template.cu")
}

fn of_bytes(name: &str, bytes: &[u8]) -> Run {
    Submission::of_bytes(&[(name, bytes)]).grade(DAY62)
}

fn rejected(run: &Run) -> &str {
    assert_eq!(run.exit, 1, "{}", run.stderr);
    assert_eq!(run.record["status"], "rejected", "{}", run.record);
    assert_eq!(run.record["score"]["points"], 0.0);
    run.record["message"].as_str().expect("a message")
}

#[test]
fn an_empty_file_is_rejected_with_a_sentence() {
    assert!(rejected(&of_bytes("racecheck.cu", b"")).len() > 20);
}

#[test]
fn a_binary_file_is_rejected_with_a_sentence() {
    let bytes: Vec<u8> = (0..4096u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    assert!(rejected(&of_bytes("racecheck.cu", &bytes)).len() > 20);
}

#[test]
fn a_huge_file_is_rejected_by_its_size() {
    let run = of_bytes("racecheck.cu", &vec![b'a'; 50 << 20]);
    assert!(rejected(&run).contains("MB"), "{}", run.record["message"]);
}

#[test]
fn a_template_of_another_exercise_is_rejected() {
    let text = exercise_file("syncthreads-reverse/template.cu");
    assert!(rejected(&of_bytes("racecheck.cu", text.as_bytes())).len() > 20);
}

#[test]
fn utf16_and_crlf_are_read_like_any_other() {
    let plain = of_bytes("racecheck.cu", day62().as_bytes());
    let crlf = of_bytes("racecheck.cu", day62().replace('\n', "\r\n").as_bytes());
    let mut utf16 = vec![0xff, 0xfe];
    utf16.extend(day62().encode_utf16().flat_map(u16::to_le_bytes));
    let utf16 = of_bytes("racecheck.cu", &utf16);
    for other in [&crlf, &utf16] {
        assert_eq!(other.exit, plain.exit);
        assert_eq!(
            other.wrong("as-handed-in", "scanTileFixed"),
            plain.wrong("as-handed-in", "scanTileFixed")
        );
    }
}

#[test]
fn a_syntax_error_is_named_at_the_students_line() {
    let text = replace(&day62(), "tile[tid] += tile[tid - offset];", "tile[tid] += tile[tid - ofset];", 1);
    let line = text.lines().position(|l| l.contains("ofset")).unwrap() as u64 + 1;
    let run = of_bytes("mine.cu", text.as_bytes());
    assert_eq!(run.exit, 1, "{}", run.stderr);
    let notices = run.record["notices"].as_array().unwrap();
    let error = notices.iter().find(|n| n["kind"] == "compile-error").expect("a compile error");
    assert_eq!((error["file"].as_str(), error["line"].as_u64()), (Some("mine.cu"), Some(line)));
    assert!(error["message"].as_str().unwrap().contains("ofset"));
    assert_eq!(run.record["status"], "graded");
}

#[test]
fn an_endless_loop_is_stopped_and_named() {
    let text = replace(&day62(), "offset < blockDim.x; offset *= 2", "offset < blockDim.x; offset += 0", 1);
    let line = text.lines().position(|l| l.contains("offset += 0")).unwrap() + 1;
    let submission = Submission::new(&[("mine.cu", &text)]);
    let run = grade(DAY62, submission.path(), &["--runs", "2", "--seeds", "1", "--budget", "2000000"]);
    assert_eq!(run.exit, 1, "{}", run.stderr);
    let rows = run.rows("as-handed-in", "scanTileFixed");
    let stopped = rows[0]["stopped"].as_str().expect("the row was stopped");
    let named = (line..line + 6).any(|line| stopped.contains(&format!("line {line} of mine.cu")));
    assert!(named, "a line of the loop at {line}: {stopped}");
}

#[test]
fn an_access_past_the_end_names_array_index_and_line() {
    let text = replace(
        &day62(),
        "    if (i < n) {\n        out[i] = tile[tid];\n    }",
        "    out[i] = tile[tid];",
        1,
    );
    let line =
        text.lines().enumerate().filter(|(_, l)| l.contains("    out[i] = tile[tid];")).nth(1).unwrap().0 + 1;
    let run = of_bytes("mine.cu", text.as_bytes());
    assert_eq!(run.exit, 1, "{}", run.stderr);
    let rows = run.rows("as-handed-in", "scanTileFixed");
    let stopped = rows[0]["stopped"].as_str().expect("the row was stopped");
    assert!(
        stopped.contains("`out[8803]`") && stopped.contains(&format!("line {line} of mine.cu")),
        "{stopped}"
    );
    assert_eq!(
        run.verdict("as-handed-in", "scanTileFixed").iter().filter(|r| *r == "out-of-bounds").count(),
        1
    );
}

#[test]
fn answers_that_are_missing_or_of_the_wrong_type_are_said() {
    let missing = Submission::new(&[("racecheck.cu", &day62())]).grade(DAY62);
    assert!(missing.record["answers"].as_array().unwrap().iter().all(|a| a["form"] == "missing"));
    let text = "scan_tool = 3\nscan_severity_32 = [\n";
    let broken = Submission::new(&[("racecheck.cu", &day62()), ("answers.toml", text)]).grade(DAY62);
    assert_eq!(broken.record["status"], "graded");
    assert!(!broken.notices().is_empty());
    let typed =
        Submission::new(&[("racecheck.cu", &day62()), ("answers.toml", "scan_tool = 3\n")]).grade(DAY62);
    let answers = typed.record["answers"].as_array().unwrap();
    assert!(answers.iter().any(|a| a["id"] == "scan_tool" && a["form"] == "malformed"), "{answers:?}");
}

#[test]
fn wrong_use_exits_2() {
    let mut unknown = Command::cargo_bin("warpgrade").unwrap();
    unknown.args(["grade", "day99", env!("CARGO_MANIFEST_DIR")]);
    unknown.assert().code(2).stderr(predicate::str::contains("day62-racecheck"));
    let mut nothing = Command::cargo_bin("warpgrade").unwrap();
    nothing.args(["grade", DAY62, "no/such/file.cu"]);
    nothing.assert().code(2).stderr(predicate::str::contains("no/such/file.cu"));
}

#[test]
fn reports_are_written_and_hide_what_is_hidden() {
    let submission = Submission::new(&[("racecheck.cu", &day62())]);
    let out = tempfile::tempdir().unwrap();
    let mut command = Command::cargo_bin("warpgrade").unwrap();
    command.args(["grade", DAY62]).arg(submission.path()).args(["--runs", "2", "--seeds", "1", "--report"]);
    command.arg(out.path()).assert().code(1);
    for name in ["report.html", "report.md", "result.json"] {
        let text = std::fs::read_to_string(out.path().join(name)).unwrap();
        assert!(text.contains("scanTileFixed"), "{name}");
        assert!(!text.contains("one-short-tile"), "{name} names a hidden instance");
    }
}
