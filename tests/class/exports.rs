//! Every export of the made class, read back by a parser of its ecosystem or checked against its schema.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::Path;

use pulldown_cmark::{Event, Parser};
use serde_json::Value;

use crate::graded::{GRADED, Room, said, warpgrade};
use crate::schema::violations;

/// What the command prints of the class.
fn export(room: &Room, format: &str, more: &[&str]) -> String {
    let output = warpgrade().arg("export").arg(room.out()).args(["--format", format]).args(more).output();
    let output = output.expect("it runs");
    assert!(output.status.success(), "{format}: {}", said(&output));
    String::from_utf8(output.stdout).expect("exports are UTF-8")
}

fn schema(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/schema").join(name);
    serde_json::from_str(&fs::read_to_string(path).expect("a schema")).expect("a schema is JSON")
}

/// Rows as a spreadsheet's importer reads them: all of one width, none a formula.
fn rows(text: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    let rows: Vec<Vec<String>> =
        reader.records().map(|row| row.expect("an even table").iter().map(str::to_owned).collect()).collect();
    for cell in rows.iter().flatten() {
        let number = cell.parse::<f64>().is_ok() || cell == "-";
        assert!(number || !cell.starts_with(['=', '+', '-', '@', '\t', '\r']), "{cell} would be run");
    }
    rows
}

#[test]
fn canvas_has_a_row_for_every_person_by_id() {
    let room = &*GRADED;
    let rows = rows(&export(room, "canvas", &["--title", "Day 62 (4711)"]));
    assert_eq!(rows[0], ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Day 62 (4711)"]);
    assert_eq!((rows[1][0].as_str(), rows[1][5].as_str()), ("    Points Possible", "100.00"));
    let ids: BTreeSet<&str> = rows[2..].iter().map(|row| row[1].as_str()).collect();
    let wanted: BTreeSet<String> = room.class.iter().map(|person| person.id.to_string()).collect();
    assert_eq!(ids, wanted.iter().map(String::as_str).collect());
    assert_eq!(rows.len() - 2, room.class.len());
    for row in &rows[2..] {
        let points: f64 = row[5].parse().unwrap_or_else(|_| panic!("nobody is without points: {row:?}"));
        assert!((0.0..=100.0).contains(&points), "{row:?}");
    }
}

#[test]
fn the_plain_table_names_everybody() {
    let room = &*GRADED;
    let rows = rows(&export(room, "csv", &[]));
    assert_eq!(rows.len() - 1, room.class.len());
    let column = |title: &str| rows[0].iter().position(|cell| cell == title).expect(title);
    let statuses: BTreeSet<&str> = rows[1..].iter().map(|row| row[column("status")].as_str()).collect();
    assert_eq!(statuses, BTreeSet::from(["graded", "rejected"]));
    let keys: BTreeSet<&str> = rows[1..].iter().map(|row| row[0].as_str()).collect();
    assert_eq!(keys.len(), room.class.len(), "two people of one name stay two");
    assert_eq!(
        fs::read_to_string(room.out().join("grades.csv")).expect("a gradebook"),
        export(room, "csv", &[])
    );
}

#[test]
fn moodle_takes_the_worksheet_and_the_feedback() {
    let room = &*GRADED;
    let to = room.folder.path().join("moodle");
    export(room, "moodle", &["--to", &to.display().to_string()]);
    let rows = rows(&fs::read_to_string(to.join("grades.csv")).expect("a worksheet"));
    assert_eq!(rows.len() - 1, room.class.len());
    assert!(rows[1..].iter().all(|row| row[0].starts_with("Participant ")), "matched by participant");
    let file = fs::File::open(to.join("feedback.zip")).expect("an archive");
    let mut archive = zip::ZipArchive::new(file).expect("a zip");
    assert_eq!(archive.len(), room.class.len());
    let mut folders = BTreeSet::new();
    for at in 0..archive.len() {
        let mut member = archive.by_index(at).expect("a member");
        let path = member.enclosed_name().expect("no path leads out");
        assert_eq!(path.components().count(), 2, "{path:?}");
        folders.insert(path.parent().expect("a folder").to_owned());
        let mut page = String::new();
        member.read_to_string(&mut page).expect("a page is text");
        assert!(page.starts_with("<!doctype html>"));
    }
    assert_eq!(folders.len(), room.class.len(), "a folder each");
}

#[test]
fn gradescope_has_valid_results_for_everybody() {
    let room = &*GRADED;
    let to = room.folder.path().join("gradescope");
    export(room, "gradescope", &["--to", &to.display().to_string()]);
    let schema = schema("gradescope-results.json");
    let mut seen = 0;
    for entry in fs::read_dir(&to).expect("results") {
        let file = entry.expect("an entry").path().join("results.json");
        let results: Value =
            serde_json::from_str(&fs::read_to_string(&file).expect("results")).expect("JSON");
        assert_eq!(violations(&schema, &results), Vec::<String>::new(), "{}", file.display());
        seen += 1;
    }
    assert_eq!(seen, room.class.len());
}

#[test]
fn junit_is_read_by_its_parser() {
    let room = &*GRADED;
    let report = quick_junit::Report::deserialize_from_str(&export(room, "junit", &[])).expect("JUnit");
    assert_eq!(report.test_suites.len(), room.class.len());
    assert!(report.test_suites.iter().all(|suite| suite.errors == 0), "an error is ours, and there was none");
    assert!(report.test_suites.iter().any(|suite| suite.failures > 0));
}

#[test]
fn sarif_is_valid() {
    let room = &*GRADED;
    let log: Value = serde_json::from_str(&export(room, "sarif", &[])).expect("JSON");
    assert_eq!(violations(&schema("sarif-2.1.0.json"), &log), Vec::<String>::new());
    let results = log["runs"][0]["results"].as_array().expect("results");
    assert!(results.len() > room.class.len() / 4, "{}", results.len());
}

#[test]
fn nothing_hidden_and_nothing_live_is_in_a_students_files() {
    let room = &*GRADED;
    for entry in walkdir::WalkDir::new(room.out().join("students")).into_iter().filter_map(Result::ok) {
        let text_only = entry.path().extension().is_some_and(|e| e == "json");
        if entry.file_type().is_file() {
            let text = fs::read_to_string(entry.path()).expect("text");
            let name = entry.path().display();
            for hidden in ["oracleScan", "\"5003\"", "root:x:0"] {
                assert!(!text.contains(hidden), "{hidden} in {name}");
            }
            if entry.path().extension().is_some_and(|e| e == "md") {
                // In code, text is text; nothing may stand as HTML.
                let html = |e: &Event| matches!(e, Event::Html(_) | Event::InlineHtml(_));
                assert_eq!(Parser::new(&text).find(html), None, "{name}");
                continue;
            }
            for live in ["<img src=x", "<script>alert"] {
                assert!(text_only || !text.contains(live), "{live} in {name}");
            }
        }
    }
    let page = fs::read_to_string(room.out().join("index.html")).expect("a page");
    assert!(!page.contains("<img src=x") && !page.contains("<script>alert"), "live markup");
}
