//! Students whose programs are the same share what their kernels gave, and each reads of their own lines.

use std::process::Command;

use serde_json::Value;

use crate::graded::{QUICK, Room, said, warpgrade};
use crate::made_class::{HandedIn, file};

fn person(name: &str, id: u32, program: String) -> HandedIn {
    HandedIn {
        name: name.to_owned(),
        id,
        late: false,
        kind: String::new(),
        odd: false,
        files: vec![(format!("{name}.cu"), program.into_bytes())],
    }
}

/// The starter, whose two kernels to mend are the buggy ones, moved down by some lines.
fn moved(lines: usize) -> String {
    format!("{}{}", "// mine\n".repeat(lines), file("exercises/day62-racecheck/template.cu"))
}

/// Rule, file and line of each finding in what the students wrote, and the line's text there.
fn findings(record: &Value) -> Vec<(String, String, u64, String)> {
    let mut found = Vec::new();
    for configuration in record["configurations"].as_array().expect("configurations") {
        for finding in configuration["verdicts"]
            .as_array()
            .into_iter()
            .flatten()
            .flat_map(|v| v["findings"].as_array().expect("findings"))
        {
            for side in [&finding["first"], &finding["second"]].into_iter().filter(|side| !side.is_null()) {
                let at = &side["at"];
                found.push((
                    finding["rule"].as_str().expect("a rule").to_owned(),
                    at["file"].as_str().expect("a file").to_owned(),
                    at["line"].as_u64().expect("a line"),
                    at["text"].as_str().unwrap_or_default().to_owned(),
                ));
            }
        }
    }
    found
}

#[test]
fn the_same_kernel_at_other_lines_is_run_once_and_told_of_each_ones_own_lines() {
    let room = Room::new(vec![person("ada", 1, moved(0)), person("grace", 2, moved(31))]);
    let output = room.batch(&room.out()).args(["--jobs", "1"]).output().expect("it runs");
    let words = said(&output);
    assert!(output.status.success(), "{words}");
    let (ada, grace) = (findings(&room.record("ada")), findings(&room.record("grace")));
    assert!(ada.len() >= 4, "{ada:?}");
    assert_eq!(ada.len(), grace.len());
    let texts = [moved(0), moved(31)];
    for (one, other) in ada.iter().zip(&grace) {
        assert_eq!((&one.0, &one.3), (&other.0, &other.3), "the same rule at the same text");
        if one.1 == "ada.cu" {
            assert_eq!((other.1.as_str(), other.2), ("grace.cu", one.2 + 31));
            for ((_, _, line, text), whole) in [(one, &texts[0]), (other, &texts[1])] {
                let there = whole.lines().nth(*line as usize - 1).expect("a line");
                assert_eq!(there.trim(), text, "line {line}");
            }
        }
    }
    assert!(ada.iter().any(|one| one.1 == "ada.cu"));
    // Everything that the second asked was known from the first.
    let shared = words.lines().find(|line| line.contains("were the same as another's")).expect("it is told");
    let numbers: Vec<usize> =
        shared.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect();
    assert_eq!(numbers[1] * 2, numbers[0], "{shared}");
}

/// A fault's line is told in the student's own words, too.
#[test]
fn a_stop_names_each_ones_own_line() {
    let wrong = |lines: usize| {
        moved(lines).replace("tile[tid] = (i < n) ? in[i] : 0.0f;", "tile[tid] = in[i + (1u << 30)];")
    };
    let room = Room::new(vec![person("ada", 1, wrong(0)), person("grace", 2, wrong(9))]);
    assert!(room.batch(&room.out()).args(["--jobs", "1"]).output().expect("it runs").status.success());
    let stop = |key: &str| {
        let record = room.record(key);
        let rows = record["configurations"][0]["rows"].as_array().expect("rows").clone();
        let row = rows.into_iter().find(|row| row["kernel"] == "scanTileFixed").expect("a row");
        row["stopped"].as_str().expect("it was stopped").to_owned()
    };
    let (ada, grace) = (stop("ada"), stop("grace"));
    let line = |words: &str| -> u64 {
        let after = words.split("at line ").nth(1).expect("a line");
        after.split(' ').next().expect("a number").parse().expect("a number")
    };
    assert!(ada.contains("of ada.cu") && grace.contains("of grace.cu"), "{ada}\n{grace}");
    assert_eq!(line(&grace), line(&ada) + 9);
}

/// What a class's worker says is what `grade` says.
#[test]
fn a_class_and_a_single_grading_agree() {
    let program = file("exercises/day62-racecheck/examples/scan-only/racecheck.cu");
    let room = Room::new(vec![person("ada", 1, program)]);
    assert!(room.batch(&room.out()).output().expect("it runs").status.success());
    let mut alone: Command = warpgrade();
    let handed_in = room.folder.path().join("ada.cu");
    std::fs::write(&handed_in, &room.class[0].files[0].1).expect("a file");
    alone.args(["grade", "day62-racecheck"]).arg(&handed_in).args(["--format", "json"]).args(QUICK);
    let alone: Value = serde_json::from_slice(&alone.output().expect("it runs").stdout).expect("a record");
    let class = room.record("ada");
    for part in ["score", "criteria", "configurations", "edits", "hints"] {
        assert_eq!(class[part], alone[part], "{part}");
    }
}
