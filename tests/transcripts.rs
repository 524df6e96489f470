//! The contract's transcripts of the reference solutions on the embedded device, beside the contract itself:
//! `reference/harness/transcripts/`. `INSTA_UPDATE=always cargo test --test transcripts` writes them anew.

use assert_cmd::Command;
use serde_json::Value;

/// Every configuration's transcript, `runs` launches a row.
fn transcripts(exercise: &str, runs: &str) -> String {
    let solution = format!("{}/reference/{exercise}/solution.cu", env!("CARGO_MANIFEST_DIR"));
    let output = Command::cargo_bin("warpgrade")
        .expect("the program is built")
        .args(["grade", exercise, &solution, "--device", "embedded", "--format", "json"])
        .args(["--runs", runs, "--seeds", "1", "--instance-seed", "1"])
        .output()
        .expect("it runs");
    let graded: Value = serde_json::from_slice(&output.stdout).expect("one object on stdout");
    let configurations = graded["configurations"].as_array().expect("configurations");
    let shown = configurations.iter().filter(|c| c["hidden"] != true).map(|c| {
        let (name, text) = (&c["name"], c["transcript"].as_str().expect("a transcript"));
        format!("== {}\n{text}\n", name.as_str().expect("a name"))
    });
    shown.collect()
}

fn golden(exercise: &str, runs: &str) {
    let text = transcripts(exercise, runs);
    insta::with_settings!({
        snapshot_path => "../reference/harness/transcripts",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, { insta::assert_snapshot!(exercise, text) });
}

#[test]
fn day_27() {
    golden("day27-memory-model", "4");
}

#[test]
fn day_62() {
    golden("day62-racecheck", "10");
}

#[test]
fn block_reverse() {
    golden("syncthreads-reverse", "20");
}
