//! Imports point one way: each room uses only rooms below it (`docs/architecture.md`).

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Rooms in the order of `docs/architecture.md`: a room may import those named before it.
const ROOMS: [&str; 19] = [
    "record",
    "sandbox",
    "ptx",
    "exercise",
    "submission",
    "patch",
    "nvrtc",
    "simt",
    "model",
    "rules",
    "device",
    "harness",
    "rubric",
    "grade",
    "check",
    "validate",
    "report",
    "batch",
    "cli",
];

fn rust_files() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    walkdir::WalkDir::new(&root)
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| entry.path().extension().is_some_and(|e| e == "rs"))
        .map(|entry| {
            let name = entry.path().strip_prefix(&root).expect("below src").display().to_string();
            (name, fs::read_to_string(entry.path()).expect("a source file is text"))
        })
        .collect()
}

#[test]
fn imports_point_downwards() {
    let place: BTreeMap<&str, usize> = ROOMS.iter().enumerate().map(|(i, r)| (*r, i)).collect();
    let mut wrong = Vec::new();
    for (file, text) in rust_files() {
        let room = file.split(['/', '.']).next().unwrap_or_default();
        let Some(&own) = place.get(room) else { continue };
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            for used in code.split("crate::").skip(1) {
                let used = used.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
                if place.get(used).is_some_and(|&other| other > own) {
                    wrong.push(format!("src/{file}:{}: {room} uses {used}", number + 1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "imports that point up:\n{}", wrong.join("\n"));
}

#[test]
fn every_room_is_in_the_list() {
    for (file, _) in rust_files() {
        let room = file.split(['/', '.']).next().unwrap_or_default();
        assert!(
            ROOMS.contains(&room) || room == "lib" || room == "main",
            "{room} is in no list (src/{file})"
        );
    }
}

/// STYLE: `unsafe` stands in few rooms, and every block says why it is sound (clippy checks the latter).
#[test]
fn unsafe_stands_where_it_may() {
    for (file, text) in rust_files() {
        let allowed = ["nvrtc/", "device/cuda", "sandbox/", "simt/lanes/prefetch.rs"]
            .iter()
            .any(|room| file.starts_with(room));
        let found = text.lines().any(|line| {
            let code = line.split("//").next().unwrap_or_default();
            code.contains("unsafe {") || code.contains("unsafe fn") || code.contains("unsafe impl")
        });
        assert!(allowed || !found, "unsafe in src/{file}");
    }
}

/// The rooms alone print: everything else returns what is to be said.
#[test]
fn only_the_command_line_prints() {
    for (file, text) in rust_files() {
        if file.starts_with("cli/") || file == "main.rs" {
            continue;
        }
        for (number, line) in text.lines().enumerate().take_while(|(_, line)| line.trim() != "#[cfg(test)]") {
            let code = line.split("//").next().unwrap_or_default();
            let prints = ["println!(", "print!(", "eprintln!(", "eprint!("].iter().any(|m| {
                code.find(m)
                    .is_some_and(|at| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
            });
            assert!(!prints, "src/{file}:{} prints", number + 1);
        }
    }
}
