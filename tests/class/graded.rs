//! Runs `warpgrade batch` on made classes, and reads what it leaves.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use serde_json::Value;
use tempfile::TempDir;

use crate::made_class::{HandedIn, canvas_zip, class};

/// Few launches and schedules, and data that are the same each time: quick, and comparable.
pub const QUICK: [&str; 8] = ["--device", "embedded", "--runs", "2", "--seeds", "1", "--instance-seed", "27"];

/// A class, its zip, and the folder that it was graded into.
pub struct Room {
    pub class: Vec<HandedIn>,
    pub folder: TempDir,
}

impl Room {
    pub fn new(class: Vec<HandedIn>) -> Room {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join("submissions.zip"), canvas_zip(&class)).expect("a file can be written");
        Room { class, folder }
    }

    pub fn zip(&self) -> PathBuf {
        self.folder.path().join("submissions.zip")
    }

    pub fn out(&self) -> PathBuf {
        self.folder.path().join("graded")
    }

    /// The command that grades the class into `out`.
    pub fn batch(&self, out: &Path) -> Command {
        let mut command = warpgrade();
        command.arg("batch").arg(self.zip()).args(["--exercise", "day62-racecheck", "--out"]).arg(out);
        command.args(QUICK);
        command
    }

    /// A person's key in the class: what their folder is called.
    pub fn key_of(&self, person: &HandedIn) -> String {
        let mut grades = csv::Reader::from_path(self.out().join("grades.csv")).expect("a gradebook");
        let id = grades.headers().expect("a head").iter().position(|cell| cell == "id").expect("ids");
        let mut rows = grades.records().map(|row| row.expect("a row"));
        let row = rows.find(|row| row[id] == person.id.to_string()).expect("everybody has a row");
        row[0].to_owned()
    }

    pub fn record(&self, key: &str) -> Value {
        let file = self.out().join("students").join(key).join("result.json");
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        serde_json::from_str(&text).expect("a record is JSON")
    }
}

pub fn warpgrade() -> Command {
    Command::new(env!("CARGO_BIN_EXE_warpgrade"))
}

pub fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// A class that has every odd kind, graded once for all tests that only look.
pub static GRADED: LazyLock<Room> = LazyLock::new(|| {
    let room = Room::new(class("day62-racecheck", 160, 27));
    let output = room.batch(&room.out()).output().expect("warpgrade runs");
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    room
});

/// Everything that a store says, times and order of completion apart.
pub fn store(out: &Path) -> Vec<String> {
    let database = rusqlite::Connection::open(out.join("class.sqlite")).expect("a store");
    let mut lines = Vec::new();
    for (table, columns) in [
        ("meta", "key, value"),
        ("students", "key, identity"),
        ("attempts", "student, exercise, number, content, handed, late, late_by, files"),
        (
            "gradings",
            "student, exercise, number, content, basis, rubric, origin, status, points, max, result",
        ),
        ("counting", "student, exercise, number, content"),
        ("manual", "student, exercise, criterion, points, comment, who, at"),
    ] {
        let mut query = database.prepare(&format!("SELECT {columns} FROM {table}")).expect("a table");
        let width = query.column_count();
        let rows = query.query_map([], |row| {
            (0..width).map(|at| row.get::<_, rusqlite::types::Value>(at)).collect::<Result<Vec<_>, _>>()
        });
        for row in rows.expect("rows") {
            lines.push(format!("{table}: {:?}", row.expect("a row")));
        }
    }
    lines.sort();
    lines
}

/// Every published file with its bytes, the store apart and times taken out.
pub fn published(out: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = walkdir::WalkDir::new(out).into_iter().filter_map(Result::ok);
    files
        .filter(|entry| entry.file_type().is_file())
        .filter_map(|entry| {
            let name = entry.path().strip_prefix(out).expect("below").display().to_string();
            (!name.starts_with("class.sqlite")).then(|| {
                let bytes = fs::read(entry.path()).expect("bytes");
                (name, without_times(bytes))
            })
        })
        .collect()
}

/// Seconds that a grading took stand in `result.json` and at the foot of a report.
fn without_times(bytes: Vec<u8>) -> Vec<u8> {
    let Ok(text) = String::from_utf8(bytes.clone()) else { return bytes };
    if let Ok(Value::Object(mut record)) = serde_json::from_str::<Value>(&text) {
        record.remove("timing");
        return Value::Object(record).to_string().into_bytes();
    }
    let foot = |line: &&str| !(line.contains("nvrtc") && line.contains(" s"));
    text.lines().filter(foot).collect::<Vec<_>>().join("\n").into_bytes()
}
