//! The shipped exercises, as `warpgrade validate` tries them: solutions earn full marks, every mutant and every example
//! gives what it must. Real NVRTC, the embedded device, the checker.

use std::path::Path;
use std::sync::Arc;

use warpgrade::device::{Device, DeviceError, LoadedProgram};
use warpgrade::exercise::{Catalogue, Exercise};
use warpgrade::grade::{Options, grade};
use warpgrade::nvrtc::{Compiled, Nvrtc};
use warpgrade::record::Status;
use warpgrade::rubric::Rubric;
use warpgrade::submission::{self, Limits};
use warpgrade::validate::{Trial, trials, try_out};

fn shipped(id: &str) -> (Exercise, Options) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("exercises");
    let catalogue = Catalogue::from_dir(&folder).expect("the exercises are there");
    let exercise = catalogue.load(id).unwrap_or_else(|error| panic!("{error}"));
    let (file, text) = catalogue.rubric().expect("there is a rubric");
    let rubric = Rubric::parse(file, text).unwrap_or_else(|error| panic!("{error}"));
    let nvrtc = Nvrtc::find_or_fetch(&mut |_| {}).unwrap_or_else(|error| panic!("{error}"));
    let mut options = Options::new(nvrtc, rubric);
    // Few launches a row: a wrong kernel is wrong on nearly every one here, and the verdict needs none.
    options.runs = Some(2);
    options.seeds = Some(2);
    (exercise, options)
}

/// Tries every trial that is wanted, and tells of all that went wrong together.
fn all_as_expected(id: &str, wanted: impl Fn(&Trial) -> bool) {
    let (exercise, options) = shipped(id);
    let mut wrong = Vec::new();
    let mut tried = 0;
    for trial in trials(&exercise).iter().filter(|trial| wanted(trial)) {
        let outcome = try_out(trial, &exercise, |submission| grade(&exercise, submission, &options));
        wrong.extend(outcome.unmet.iter().map(|unmet| format!("{}: {unmet}", trial.name)));
        tried += 1;
    }
    assert!(tried >= 5, "only {tried} trials of {id}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn block_reverse() {
    all_as_expected("syncthreads-reverse", |_| true);
}

#[test]
fn day_62() {
    all_as_expected("day62-racecheck", |_| true);
}

/// One trial of each kind; a grading of day 27 sums four million floats some hundred times.
#[test]
fn day_27_in_short() {
    let short =
        ["solution", "fence-removed", "fence-below.cu", "atomic-ref-acq-rel", "known-answer", "syntax-error"];
    all_as_expected("day27-memory-model", |trial| short.iter().any(|word| trial.name.contains(word)));
}

#[test]
#[ignore = "takes minutes: cargo test --release --test validate -- --ignored"]
fn day_27_in_full() {
    all_as_expected("day27-memory-model", |_| true);
}

/// A card that takes no program: what NVIDIA's assembler says comes first.
struct NoCard;

impl Device for NoCard {
    fn name(&self) -> String {
        "a card".to_owned()
    }

    fn architecture(&self, _floor: &str) -> String {
        "sm_75".to_owned()
    }

    fn load(&self, _: &Compiled) -> Result<Box<dyn LoadedProgram>, DeviceError> {
        Err(DeviceError::Failed("nothing was to be loaded".to_owned()))
    }
}

#[test]
fn a_program_that_only_the_cards_assembler_refuses_is_the_students() {
    let (exercise, options) = shipped("syncthreads-reverse");
    let options = Options { gpus: vec![Arc::new(NoCard)], embedded: false, ..options };
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("reference/syncthreads-reverse/mutants/shared-memory-too-large.cu");
    let submission = submission::read(&file, &Limits::default());
    let graded = grade(&exercise, &submission, &options);
    assert_eq!(graded.status, Status::Graded, "{:?}", graded.message);
    let rows = graded.configurations.iter().flat_map(|c| &c.rows);
    let stopped: Vec<&str> = rows.filter_map(|row| row.stopped.as_deref()).collect();
    assert!(!stopped.is_empty());
    assert!(stopped.iter().all(|s| s.contains("cannot be built for this card")), "{stopped:?}");
}
