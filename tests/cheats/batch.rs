//! Cheats and bombs among honest submissions: those are graded as without them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Instant;

use assert_cmd::Command;
use serde_json::Value;

use super::graded::{SEED, reverse};

/// Grades a class and gives every student's record, by name.
fn graded(class: &Path, out: &Path) -> BTreeMap<String, Value> {
    let mut command = Command::cargo_bin("warpgrade").unwrap();
    command.arg("batch").arg(class).arg("--out").arg(out);
    command.args(["--exercise", "syncthreads-reverse", "--device", "embedded", "--instance-seed", SEED]);
    command.args(["--runs", "3", "--seeds", "2", "--time-limit", "120", "--compile-limit", "5", "--quiet"]);
    command.assert().code(0);
    let students = fs::read_dir(out.join("students")).unwrap().map(|entry| entry.unwrap());
    students
        .map(|student| {
            let record = fs::read_to_string(student.path().join("result.json")).unwrap();
            (student.file_name().to_string_lossy().into_owned(), serde_json::from_str(&record).unwrap())
        })
        .collect()
}

/// The record without what the clock says.
fn timeless(record: &Value) -> Value {
    let mut record = record.clone();
    record.as_object_mut().unwrap().remove("timing");
    record
}

fn honest(number: usize) -> String {
    // A right one, a racy one, a wrong one, one that does not compile: all of them honest.
    match number % 4 {
        0 => reverse(&format!("// student {number}\n"), ""),
        1 => reverse("", &format!("    // {number}")).replace("    __syncthreads();\n", ""),
        2 => reverse("", "").replace("blockDim.x - 1 - t", &format!("(t + {number}) % blockDim.x")),
        _ => reverse("", &format!("    nothing{number}();")),
    }
}

fn write_honest(class: &Path, count: usize) {
    for number in 0..count {
        let folder = class.join(format!("honest-{number:03}"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("reverse.cu"), honest(number)).unwrap();
    }
}

/// Every cheat of this exercise, and a bomb of each kind.
fn write_hostile(class: &Path) -> usize {
    let cheats = super::cheats("syncthreads-reverse");
    for cheat in &cheats {
        let folder = class.join(format!("cheat-{}", cheat.file_name().unwrap().to_string_lossy()));
        fs::create_dir_all(&folder).unwrap();
        fs::copy(cheat.join("cheat.cu"), folder.join("reverse.cu")).unwrap();
    }
    let doubling: String = (0..40).map(|k| format!("#define A{} A{k} A{k}\n", k + 1)).collect();
    let deep = format!("    int z = {}1{};", "(".repeat(50_000), ")".repeat(50_000));
    let bombs = [
        ("macro", reverse(&format!("#define A0 1+\n{doubling}"), "    int z = A40 0;")),
        ("nesting", reverse("", &deep)),
        ("memory", reverse("__device__ char huge[1ull << 40];\n", "    huge[gid] = 1;")),
        (
            "stack",
            reverse("", "    volatile char big[1 << 20]; big[t] = 1; if (big[t] == 2) { out[0] = 0; }"),
        ),
        ("endless", reverse("", "    while (true) {}")),
        ("output", reverse("", "    for (int i = 0; i < 100000; ++i) { printf(\"%d\\n\", i); }")),
    ];
    for (name, program) in &bombs {
        let folder = class.join(format!("bomb-{name}"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("reverse.cu"), program).unwrap();
    }
    cheats.len() + bombs.len()
}

fn honest_ones_are_graded_as_if_alone(count: usize) {
    let room = tempfile::tempdir().unwrap();
    let (alone, mixed) = (room.path().join("alone"), room.path().join("mixed"));
    write_honest(&alone, count);
    write_honest(&mixed, count);
    let hostile = write_hostile(&mixed);
    let begun = Instant::now();
    let alone = graded(&alone, &room.path().join("alone-out"));
    println!("{count} honest submissions alone: {:?}", begun.elapsed());
    let begun = Instant::now();
    let mixed = graded(&mixed, &room.path().join("mixed-out"));
    println!("with {hostile} hostile ones among them: {:?}", begun.elapsed());
    assert_eq!((alone.len(), mixed.len()), (count, count + hostile));
    for (name, record) in &alone {
        assert_eq!(timeless(record), timeless(&mixed[name]), "{name}");
    }
    let status = |record: &&Value| record["status"] == "fault";
    assert_eq!(mixed.values().filter(status).count(), 0);
    assert!(alone.values().any(|record| record["configurations"][0]["gates_held"] == true));
}

#[test]
fn twenty() {
    honest_ones_are_graded_as_if_alone(20);
}

#[test]
#[ignore = "takes minutes: cargo test --test cheats hundred -- --ignored --nocapture"]
fn a_hundred() {
    honest_ones_are_graded_as_if_alone(100);
}
