//! What a teaching assistant does with a graded class: looks before grading, gives points, changes the rubric, asks what changed.

use std::fs;
use std::process::Output;

use crate::graded::{Room, said, warpgrade};
use crate::made_class::{class, file};

/// Three people with answers, graded.
fn room() -> Room {
    let people = class("day62-racecheck", 40, 5)
        .into_iter()
        .filter(|person| !person.odd && person.files.iter().any(|(name, _)| name == "answers.toml"));
    let mut people: Vec<_> = people.take(3).collect();
    for (person, name) in people.iter_mut().zip(["ada", "grace", "linus"]) {
        person.name = name.to_owned();
        person.late = name == "linus";
    }
    let room = Room::new(people);
    let output = room.batch(&room.out()).output().expect("it runs");
    assert!(output.status.success(), "{}", said(&output));
    room
}

fn run(words: &[&str], room: &Room) -> Output {
    warpgrade().arg(words[0]).arg(room.out()).args(&words[1..]).output().expect("it runs")
}

fn points(room: &Room, key: &str) -> f64 {
    let grades = fs::read_to_string(room.out().join("grades.csv")).expect("a gradebook");
    let mut reader = csv::Reader::from_reader(grades.as_bytes());
    let column = reader.headers().expect("a head").iter().position(|cell| cell == "points").expect("points");
    let row =
        reader.records().map(|row| row.expect("a row")).find(|row| &row[0] == key).expect("the student");
    row[column].parse().expect("points")
}

#[test]
fn a_dry_run_says_who_handed_in_what_and_writes_nothing() {
    let room = Room::new(class("day62-racecheck", 10, 5));
    let output = room.batch(&room.out()).arg("--dry-run").output().expect("it runs");
    let words = said(&output);
    assert!(output.status.success(), "{words}");
    for person in &room.class {
        assert!(
            words.contains(&person.id.to_string()) || words.contains(&person.name),
            "{}: {words}",
            person.name
        );
    }
    assert!(!room.out().exists());
}

#[test]
fn points_go_out_without_names_and_come_back() {
    let room = room();
    let sheet = room.folder.path().join("review.csv");
    let path = sheet.display().to_string();
    let output = run(&["review", "--to", &path], &room);
    assert!(output.status.success(), "{}", said(&output));
    let text = fs::read_to_string(&sheet).expect("a sheet");
    assert!(!["ada", "grace", "linus"].iter().any(|name| text.contains(name)), "names are hidden: {text}");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let head = reader.headers().expect("a head").clone();
    let column = |name: &str| head.iter().position(|cell| cell == name).expect("a column");
    let mut given = csv::Writer::from_writer(Vec::new());
    given.write_record(&head).expect("memory");
    for row in reader.records() {
        let row = row.expect("a row");
        // One question's answers alone stand beside it.
        if &row[column("criterion")] == "reverse-why" {
            assert!(!row[column("answer and reason")].contains("scan_tool"), "{row:?}");
        }
        let mut cells: Vec<String> = row.iter().map(str::to_owned).collect();
        cells[column("points")] = cells[column("max")].clone();
        given.write_record(&cells).expect("memory");
    }
    fs::write(&sheet, given.into_inner().expect("memory")).expect("a file");
    let before = points(&room, "ada");
    let output = run(&["review", "--from", &path, "--who", "kim"], &room);
    assert!(output.status.success(), "{}", said(&output));
    assert!(run(&["rescore"], &room).status.success());
    assert!(points(&room, "ada") >= before);
    let record = room.record("ada");
    let waits = record["criteria"].as_array().expect("criteria").iter().any(|c| c["state"] == "provisional");
    assert!(!waits && record.to_string().contains("Scored by kim"), "{record}");
    assert!(said(&run(&["review"], &room)).contains("nothing waits"));
}

#[test]
fn a_changed_rubric_with_a_late_policy_needs_no_run_and_totals_follow_everywhere() {
    let room = room();
    let before = points(&room, "ada");
    let rubric = room.folder.path().join("rubric.toml");
    let text = file("rubric.toml")
        .replacen(
            "format = 1",
            "format = 1\n\n[late]\ngrace-minutes = 10\nper-day-percent = 20\ncap-percent = 60",
            1,
        )
        .replacen(
            "id = \"scan-line\"\ntitle = \"The line of the scan's race\"\npoints = 5",
            "id = \"scan-line\"\ntitle = \"The line of the scan's race\"\npoints = 6",
            1,
        )
        .replacen(
            "id = \"reverse-why\"\ntitle = \"What is wrong with the barriers in the guard\"\npoints = 10",
            "id = \"reverse-why\"\ntitle = \"What is wrong with the barriers in the guard\"\npoints = 9",
            1,
        );
    fs::write(&rubric, text).expect("a file");
    let output = run(&["rescore", "--rubric", &rubric.display().to_string()], &room);
    let words = said(&output);
    assert!(output.status.success(), "{words}");
    assert!((points(&room, "ada") - before).abs() <= 1.0, "two criteria changed by a point");
    // Canvas says late and not by how much: nothing is taken off, and a person is told.
    let linus = room.record("linus");
    let notices = linus["notices"].as_array().expect("notices");
    assert!(notices.iter().any(|notice| notice["kind"] == "late"), "{notices:?}");
    let exported = String::from_utf8(run(&["export", "--format", "csv"], &room).stdout).expect("text");
    assert_eq!(exported, fs::read_to_string(room.out().join("grades.csv")).expect("a gradebook"));
    let diff = room.batch(&room.out()).arg("--diff").output().expect("it runs");
    let listed = said(&diff);
    assert!(
        listed.contains("scan-line") || listed.contains("no score changed") || listed.contains("reverse-why"),
        "{listed}"
    );
}

#[test]
fn two_runs_at_once_do_not_share_a_folder() {
    let room = room();
    let store = warpgrade::batch::store::Store::open(&room.out()).expect("a store");
    let held = store.hold().expect("nobody else");
    let output = room.batch(&room.out()).output().expect("it runs");
    assert_eq!(output.status.code(), Some(3));
    assert!(said(&output).contains("in use by another run"), "{}", said(&output));
    drop(held);
    assert!(room.batch(&room.out()).output().expect("it runs").status.success());
}
