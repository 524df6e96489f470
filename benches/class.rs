//! How long a class takes, from the zip to the gradebook: the figures of `docs/tas.md`.
//!
//! ```sh
//! cargo bench --bench class                                  # day 62 with 300 and 1,000, day 27 with 300
//! cargo bench --bench class -- day27-memory-model 40         # one class
//! cargo bench --bench class -- day62-racecheck 300 class.zip # writes the class and grades nothing
//! ```

#[path = "../tests/made_class/mod.rs"]
#[expect(dead_code, unused_imports, reason = "tests look at more of a class")]
mod made_class;

use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// Every class is made from this.
const SEED: u64 = 27;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    match words.as_slice() {
        [exercise, size, file] => {
            std::fs::write(file, zip(exercise, number(size))).expect("a file can be written")
        }
        [exercise, size] => measure(exercise, number(size)),
        _ => {
            for (exercise, size) in
                [("day62-racecheck", 300), ("day62-racecheck", 1000), ("day27-memory-model", 300)]
            {
                measure(exercise, size);
            }
        }
    }
}

fn number(word: &str) -> usize {
    word.parse().expect("a class's size is a number")
}

fn zip(exercise: &str, size: usize) -> Vec<u8> {
    made_class::canvas_zip(&made_class::class(exercise, size, SEED))
}

fn measure(exercise: &str, size: usize) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("submissions.zip");
    std::fs::write(&file, zip(exercise, size)).expect("a file can be written");
    let (begun, cpu) = (Instant::now(), cpu_seconds());
    let status = Command::new(env!("CARGO_BIN_EXE_warpgrade"))
        .arg("batch")
        .arg(&file)
        .args(["--exercise", exercise, "--device", "embedded", "--out"])
        .arg(folder.path().join("graded"))
        .status()
        .expect("warpgrade can be started");
    let (wall, cpu) = (begun.elapsed().as_secs_f64(), cpu_seconds() - cpu);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    println!("{exercise}, {size} submissions, {cores} cores: {wall:.1} s, {cpu:.1} CPU seconds ({status})");
}

/// CPU seconds of all processes that this one has started and that have ended (Linux; elsewhere 0).
fn cpu_seconds() -> f64 {
    // Fields 16 and 17 of proc(5)'s stat: user and system time of children, in hundredths of a second.
    let stat = std::fs::read_to_string(Path::new("/proc/self/stat")).unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or_default();
    let ticks: f64 = after.split_whitespace().skip(13).take(2).filter_map(|t| t.parse::<f64>().ok()).sum();
    ticks / 100.0
}
