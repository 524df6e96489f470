//! A class graded by a stand-in grader: what is stored, what a second run does, what is published.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tempfile::TempDir;
use warpgrade::batch::store::{ManualScore, Store};
use warpgrade::batch::{Counts, End, Grades, Order, changes, discover, publish, run};
use warpgrade::exercise::{Catalogue, Exercise};
use warpgrade::record::{Criterion, CriterionState, Graded, Score, Status};
use warpgrade::report::{Audience, Shown};
use warpgrade::submission::{Limits, Submission};

/// Gives a point for every byte handed in, and counts how often it is asked.
struct Bytes {
    calls: Arc<AtomicUsize>,
    stop_after: Option<(usize, Arc<AtomicBool>)>,
}

impl Grades for Bytes {
    fn grade(&mut self, exercise: &str, submission: &Submission) -> Graded {
        let calls = self.calls.fetch_add(1, Ordering::SeqCst) + 1;
        if let Some((after, stop)) = &self.stop_after
            && calls >= *after
        {
            stop.store(true, Ordering::SeqCst);
        }
        let points = submission.inputs.iter().map(|input| input.bytes as f64).sum();
        let json = serde_json::json!({
            "schema": "warpgrade.result/1", "exercise": exercise, "status": "graded",
            "criteria": [], "edits": [], "ignored": [], "configurations": []
        });
        let mut graded: Graded = serde_json::from_value(json).expect("a small record");
        graded.criteria = vec![Criterion {
            id: "bytes".to_owned(),
            title: "Bytes handed in".to_owned(),
            points,
            max: 100.0,
            state: CriterionState::Provisional,
            reason: "counted".to_owned(),
            see: Vec::new(),
            questions: Vec::new(),
        }];
        graded.score = Some(Score { points, max: 100.0, provisional: true });
        if submission.inputs.iter().any(|input| input.file.contains("crash")) {
            graded.status = Status::Fault;
            graded.score = None;
            graded.criteria.clear();
        }
        graded
    }
}

struct Room {
    root: TempDir,
    exercises: Vec<Exercise>,
    calls: Arc<AtomicUsize>,
}

impl Room {
    fn new(files: &[(&str, &str)]) -> Room {
        let root = TempDir::new().expect("a temporary folder");
        for (path, text) in files {
            let file = root.path().join("class").join(path);
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            fs::write(file, text).expect("a file");
        }
        let exercises = vec![Catalogue::embedded().load("day62-racecheck").expect("a shipped exercise")];
        Room { root, exercises, calls: Arc::default() }
    }

    fn out(&self) -> std::path::PathBuf {
        self.root.path().join("out")
    }

    fn run(&self, basis: &str, workers: usize, stop_after: Option<usize>) -> End {
        let class = discover(&self.root.path().join("class"), None).expect("a class");
        let store = Store::create(&self.out()).expect("a store");
        store.remember(&class.students).expect("a writable store");
        let stop = Arc::new(AtomicBool::new(false));
        let order = Order {
            exercises: &self.exercises,
            basis: vec![basis.to_owned()],
            rubric: "r".to_owned(),
            now: || "2026-11-30T12:00:00Z".to_owned(),
            limits: Limits::default(),
            stop: &stop,
        };
        let graders = (0..workers).map(|_| {
            let stop_after = stop_after.map(|n| (n, Arc::clone(&stop)));
            Box::new(Bytes { calls: Arc::clone(&self.calls), stop_after }) as Box<dyn Grades>
        });
        let end = run(&class, &order, &Mutex::new(store), graders.collect(), |_, _| {})
            .expect("a store that holds");
        let store = Store::open(&self.out()).expect("the store");
        let entries = publish::entries(&store, "day62-racecheck", None).expect("entries");
        let pages = |_: &str| None::<String>;
        publish::class(&self.out(), "A class", &entries, &Shown::new(Audience::Student, &pages))
            .expect("files");
        end
    }

    fn calls(&self) -> usize {
        self.calls.swap(0, Ordering::SeqCst)
    }
}

/// Every published file with its bytes.
fn published(out: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = walkdir::WalkDir::new(out)
        .into_iter()
        .filter_map(Result::ok)
        .filter(|e| e.file_type().is_file() && !e.path().to_string_lossy().contains("class.sqlite"))
        .map(|e| {
            (
                e.path().strip_prefix(out).expect("below").display().to_string(),
                fs::read(e.path()).expect("bytes"),
            )
        })
        .collect();
    files.sort();
    files
}

const CLASS: [(&str, &str); 4] =
    [("ada/a.cu", "123"), ("grace/a.cu", "12345"), ("alan/a.cu", "1"), ("empty/.keep", "")];

#[test]
fn nothing_is_graded_twice() {
    let room = Room::new(&CLASS);
    assert!(matches!(room.run("v1", 2, None), End::Complete(Counts { graded: 4, .. })));
    assert_eq!(room.calls(), 4);
    let first = published(&room.out());
    assert!(matches!(room.run("v1", 2, None), End::Complete(Counts { known: 4, graded: 0, .. })));
    assert_eq!(room.calls(), 0, "everything was known");
    assert_eq!(published(&room.out()), first, "publishing again gives the same bytes");
}

#[test]
fn a_stopped_run_goes_on() {
    let undisturbed = Room::new(&CLASS);
    undisturbed.run("v1", 1, None);
    let room = Room::new(&CLASS);
    assert!(matches!(room.run("v1", 1, Some(2)), End::Stopped(Counts { graded: 2, .. })));
    assert_eq!(room.calls(), 2);
    assert!(matches!(room.run("v1", 1, None), End::Complete(Counts { known: 2, graded: 2, .. })));
    assert_eq!(room.calls(), 2);
    assert_eq!(published(&room.out()), published(&undisturbed.out()), "as if it had never been stopped");
}

#[test]
fn a_changed_file_is_a_new_attempt_and_the_old_score_stays() {
    let room = Room::new(&CLASS);
    room.run("v1", 1, None);
    room.calls();
    fs::write(room.root.path().join("class/ada/a.cu"), "1234567").expect("a file");
    room.run("v1", 1, None);
    assert_eq!(room.calls(), 1, "only what changed is graded");
    let store = Store::open(&room.out()).expect("the store");
    let gradings = store.gradings("day62-racecheck").expect("gradings");
    assert_eq!(gradings.len(), 5, "the old grading is still there");
    let changes = changes::changes(&gradings);
    assert_eq!(changes.len(), 1);
    assert_eq!(
        (changes[0].student.as_str(), changes[0].before, changes[0].after),
        ("ada", Some(3.0), Some(7.0))
    );
    assert!(changes::table(&changes).starts_with("rose  ada  3 -> 7"));
}

#[test]
fn an_attempt_that_comes_back_counts_again() {
    let room = Room::new(&CLASS);
    let file = room.root.path().join("class/ada/a.cu");
    for text in ["123", "1234567", "123"] {
        fs::write(&file, text).expect("a file");
        room.run("v1", 1, None);
    }
    assert_eq!(room.calls(), 5, "the third time nothing is new");
    let store = Store::open(&room.out()).expect("the store");
    let entries = publish::entries(&store, "day62-racecheck", None).expect("entries");
    let ada = entries.iter().find(|e| e.key == "ada").expect("ada");
    assert_eq!(ada.points(), Some(3.0), "what was handed in last");
}

#[test]
fn a_new_basis_grades_again() {
    let room = Room::new(&CLASS);
    room.run("v1", 1, None);
    room.calls();
    room.run("v2", 1, None);
    assert_eq!(room.calls(), 4);
}

#[test]
fn a_fault_has_no_score_and_is_tried_again() {
    let room = Room::new(&[("ada/a.cu", "123"), ("bug/crash.cu", "1")]);
    assert!(matches!(room.run("v1", 1, None), End::Complete(Counts { graded: 1, faults: 1, .. })));
    let grades = fs::read_to_string(room.out().join("grades.csv")).expect("a gradebook");
    let bug = grades.lines().find(|line| line.contains("bug")).expect("a line for everybody");
    assert!(!bug.contains(",0,") && !bug.contains(",0.00,"), "a fault is no zero: {bug}");
    room.calls();
    room.run("v1", 1, None);
    assert_eq!(room.calls(), 1, "the fault, and nothing else");
}

#[test]
fn a_persons_score_survives_a_regrade() {
    let room = Room::new(&CLASS);
    room.run("v1", 1, None);
    let score = ManualScore {
        student: "ada".to_owned(),
        exercise: "day62-racecheck".to_owned(),
        criterion: "bytes".to_owned(),
        points: Some(50.0),
        comment: "good".to_owned(),
        who: "kim".to_owned(),
        at: "2026-11-30T13:00:00Z".to_owned(),
    };
    Store::open(&room.out()).expect("the store").add_manual(&score).expect("a writable store");
    room.run("v2", 1, None);
    let store = Store::open(&room.out()).expect("the store");
    let entries = publish::entries(&store, "day62-racecheck", None).expect("entries");
    let ada = entries.iter().find(|e| e.key == "ada").expect("ada");
    assert_eq!(ada.points(), Some(50.0));
    assert_eq!(ada.graded.criteria[0].reason, "Scored by kim: good");
}

#[test]
fn a_store_that_is_none_is_said_to_be_none() {
    let root = TempDir::new().expect("a temporary folder");
    fs::write(root.path().join("class.sqlite"), "this is no database, it is a letter to a friend")
        .expect("a file");
    let error = Store::open(root.path()).expect_err("no database").to_string();
    assert!(error.contains("no store of this program"), "{error}");
    let error = Store::open(&root.path().join("none")).expect_err("nothing").to_string();
    assert!(error.contains("--out"), "{error}");
}
