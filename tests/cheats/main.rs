//! Ways to points that were not earned, each beside an honest twin that looks much like it, through the real program.
//!
//! `tests/cheats/<exercise>/<name>/` holds `cheat.cu` and `honest.cu`. Their head lines say what must come of them:
//! `// exit: N`, `// says: words of the report`, `// not: words that must not be there`.

mod archives;
mod batch;
mod bombs;
mod graded;
mod leaks;
mod outputs;

use std::path::{Path, PathBuf};

use graded::{Graded, grade};

/// What a file's head lines ask for.
struct Expected {
    exit: i32,
    says: Vec<String>,
    not: Vec<String>,
}

impl Expected {
    fn of(text: &str) -> Expected {
        let head: Vec<&str> = text.lines().take_while(|line| line.starts_with("// ")).collect();
        let all = |key: &str| -> Vec<String> {
            head.iter().filter_map(|line| line.strip_prefix(key)).map(str::to_owned).collect()
        };
        let exit = all("// exit: ");
        assert_eq!(exit.len(), 1, "a file says how the grading ends: {head:?}");
        Expected { exit: exit[0].parse().unwrap(), says: all("// says: "), not: all("// not: ") }
    }

    /// What is not as it should be.
    fn unmet(&self, graded: &Graded) -> Vec<String> {
        let mut unmet = Vec::new();
        if graded.exit != self.exit {
            unmet.push(format!("exit {}, expected {}", graded.exit, self.exit));
        }
        let said = graded.words();
        unmet.extend(
            self.says.iter().filter(|words| !said.contains(*words)).map(|w| format!("never says {w:?}")),
        );
        unmet.extend(self.not.iter().filter(|words| said.contains(*words)).map(|w| format!("says {w:?}")));
        unmet
    }
}

/// The folders of one exercise's cheats.
fn cheats(exercise: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cheats").join(exercise);
    let mut all: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all
}

fn all_are_caught(exercise: &str) {
    let folders = cheats(exercise);
    assert!(!folders.is_empty());
    let files: Vec<PathBuf> =
        folders.iter().flat_map(|folder| ["cheat.cu", "honest.cu"].map(|name| folder.join(name))).collect();
    let wrong: Vec<String> = graded::side_by_side(&files, |file| {
        let text = std::fs::read_to_string(file).unwrap();
        let graded = grade(exercise, file, &[]);
        let mut unmet = Expected::of(&text).unmet(&graded);
        unmet.extend(leaks::in_outputs(&graded));
        let name: Vec<_> = file.iter().rev().take(2).map(|part| part.to_string_lossy()).collect();
        let told: Vec<String> = unmet.iter().map(|what| format!("{}/{}: {what}", name[1], name[0])).collect();
        if told.is_empty() { String::new() } else { format!("{}\n{}", told.join("\n"), graded.text) }
    });
    let wrong: Vec<String> = wrong.into_iter().filter(|told| !told.is_empty()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn block_reverse() {
    all_are_caught("syncthreads-reverse");
}

#[test]
fn day_62() {
    all_are_caught("day62-racecheck");
}

#[test]
fn day_27() {
    all_are_caught("day27-memory-model");
}
