//! What is fuzzed: one function a reader of strangers' bytes. The fuzzers in `fuzz_targets/` and `tests/fuzz.rs` call
//! the same functions. A target finds a fault when it panics, hangs, or takes memory without bound.

use std::sync::OnceLock;

use warpgrade::exercise::{Buffer, Catalogue, Exercise, Scope};
use warpgrade::harness;
use warpgrade::nvrtc::refused_includes;
use warpgrade::patch::{TEMPLATE_NAME, read_edits_among, splice};
use warpgrade::ptx;
use warpgrade::rubric::{Rubric, record_answers};
use warpgrade::simt::Program;
use warpgrade::submission::{Limits, SourceFile, Submission, read_in_memory};

/// A target's name, which is also its corpus folder's, and its function.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: [Target; 8] = [
    ("ptx", ptx),
    ("patch", patch),
    ("diff", diff),
    ("notebook", notebook),
    ("answers", answers),
    ("archive", archive),
    ("exercise", exercise),
    ("rubric", rubric),
];

/// The built-in exercises, loaded once.
fn exercises() -> &'static [Exercise] {
    static EXERCISES: OnceLock<Vec<Exercise>> = OnceLock::new();
    EXERCISES.get_or_init(|| {
        let catalogue = Catalogue::embedded();
        let load = |id: &String| catalogue.load(id).expect("the built-in exercises are in order");
        catalogue.ids().iter().map(load).collect()
    })
}

/// The exercise that the first byte picks, and the rest.
fn picked(data: &[u8]) -> Option<(&'static Exercise, &[u8])> {
    let (first, rest) = data.split_first()?;
    Some((&exercises()[usize::from(*first) % exercises().len()], rest))
}

/// Small, so that an input at a limit is as quick as another.
fn limits() -> Limits {
    Limits { source_bytes: 64 << 10, archive_bytes: 64 << 10, unpacked_bytes: 1 << 20, ..Limits::default() }
}

/// PTX text: parsed, printed, parsed again to the same, decoded for the embedded device.
pub fn ptx(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let Ok(module) = ptx::parse(&text) else { return };
    let printed = module.to_string();
    let again = ptx::parse(&printed);
    assert!(again.is_ok(), "what was printed does not parse: {again:?}\n{printed}");
    if let Ok(program) = Program::load(&module) {
        for kernel in program.kernels() {
            program.unsupported(&kernel.name);
        }
        for site in 0..program.sites().min(64) {
            program.source(site);
        }
    }
}

/// A handed-in program: edits found, spliced, and the includes of the outcome judged.
pub fn patch(data: &[u8]) {
    let Some((exercise, rest)) = picked(data) else { return };
    let text = String::from_utf8_lossy(rest).into_owned();
    let file = SourceFile { name: "student.cu".to_owned(), text, cell: None };
    edits(exercise, &Submission { programs: vec![file], ..Submission::default() });
}

/// A handed-in diff against the starter.
pub fn diff(data: &[u8]) {
    let Some((exercise, rest)) = picked(data) else { return };
    let text = String::from_utf8_lossy(rest).into_owned();
    let file = SourceFile { name: "student.diff".to_owned(), text, cell: None };
    edits(exercise, &Submission { diffs: vec![file], ..Submission::default() });
}

fn edits(exercise: &Exercise, submission: &Submission) {
    for patched in read_edits_among(exercise, exercises(), submission) {
        let program = splice(exercise, &patched.edits, exercise.instances.first());
        refused_includes(&program.text, TEMPLATE_NAME, &exercise.compile.headers);
    }
}

/// A notebook as handed in.
pub fn notebook(data: &[u8]) {
    read_in_memory([("hw.ipynb", data)], &limits());
}

/// `answers.toml`, against an exercise's questions.
pub fn answers(data: &[u8]) {
    let Some((exercise, rest)) = picked(data) else { return };
    let submission = read_in_memory([("answers.toml", rest)], &limits());
    record_answers(exercise, &submission);
}

/// An archive of any kind: what it is, is told from its bytes and the first one here.
pub fn archive(data: &[u8]) {
    const NAMES: [&str; 5] = ["hw.zip", "hw.tar", "hw.tar.gz", "hw.gz", "hw"];
    let Some((first, rest)) = data.split_first() else { return };
    let name = NAMES[usize::from(*first) % NAMES.len()];
    let submission = read_in_memory([(name, rest)], &limits());
    let kept: usize = submission.programs.iter().map(|program| program.text.len()).sum();
    // UTF-16 may grow by half again as UTF-8, Windows-1252 to three times its size.
    assert!(kept as u64 <= 3 * limits().unpacked_bytes + limits().source_bytes, "{kept} bytes were kept");
    let names = submission.programs.iter().map(|program| &program.name);
    for name in names.chain(submission.notices.iter().map(|notice| &notice.file)) {
        assert!(!name.chars().any(char::is_control), "{name:?}");
    }
}

/// `exercise.toml` of an exercise whose other files are in order.
pub fn exercise(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let catalogue = Catalogue::from_files([
        ("exercises/syncthreads-reverse/exercise.toml", &*text),
        (
            "exercises/syncthreads-reverse/template.cu",
            include_str!("../exercises/syncthreads-reverse/template.cu"),
        ),
        (
            "exercises/syncthreads-reverse/examples/with-barrier/reverse.cu",
            include_str!("../exercises/syncthreads-reverse/template.cu"),
        ),
        ("exercises/syncthreads-reverse/examples/barrier-in-guard.cu", "// nothing\n"),
        (
            "reference/syncthreads-reverse/oracle.cu",
            include_str!("../reference/syncthreads-reverse/oracle.cu"),
        ),
    ]);
    let Ok(exercise) = catalogue.load("syncthreads-reverse") else { return };
    for instance in [None].into_iter().chain(exercise.instances.iter().map(Some)) {
        let mut constants = exercise.constants.clone();
        constants.extend(instance.iter().flat_map(|own| own.constants.clone()));
        let constants = Scope::from(&constants);
        // A plan makes its buffers; large ones are in order and only slow.
        let large = |buffer: &Buffer| buffer.len.eval(&constants).is_ok_and(|len| len > 1 << 16);
        if !exercise.buffers.iter().any(large) {
            let _ = harness::plan(&exercise, &constants, instance, 7);
        }
    }
}

/// `rubric.toml`, and the exercises that it is for.
pub fn rubric(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let Ok(rubric) = Rubric::parse("rubric.toml", &text) else { return };
    for exercise in exercises() {
        let _ = rubric.exercise(exercise);
    }
}
