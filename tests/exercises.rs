//! The shipped exercises: their files load, and what is embedded gives no solution away.

use std::path::Path;

use warpgrade::exercise::{Catalogue, Exercise};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn shipped() -> Vec<Exercise> {
    let catalogue = Catalogue::from_dir(&root().join("exercises")).expect("the exercises are there");
    catalogue.ids().iter().map(|id| catalogue.load(id).unwrap_or_else(|error| panic!("{error}"))).collect()
}

#[test]
fn every_shipped_exercise_loads() {
    let ids: Vec<String> = shipped().into_iter().map(|exercise| exercise.id).collect();
    assert_eq!(ids, ["day27-memory-model", "day62-racecheck", "syncthreads-reverse"]);
}

#[test]
fn every_exercise_has_what_its_author_must_give() {
    for exercise in shipped() {
        let id = &exercise.id;
        assert!(exercise.solution.is_some() && exercise.answers.is_some(), "{id}: a solution with answers");
        assert!(exercise.mutants.len() >= 12, "{id}: {} mutants", exercise.mutants.len());
        assert!(exercise.examples.len() >= 2, "{id}: examples");
        assert!(exercise.hints.len() >= 2, "{id}: hints");
        assert!(!exercise.instances.is_empty(), "{id}: a hidden instance");
        let exits: Vec<_> = exercise.examples.iter().filter_map(|example| example.expect.exit).collect();
        assert!(exits.contains(&0) && exits.contains(&1), "{id}: one right example and one wrong");
    }
}

#[test]
fn the_binary_holds_what_grading_needs_and_no_solution() {
    let catalogue = Catalogue::embedded();
    for complete in shipped() {
        let embedded = catalogue.load(&complete.id).unwrap_or_else(|error| panic!("{error}"));
        assert!(embedded.solution.is_none() && embedded.answers.is_none() && embedded.mutants.is_empty());
        assert_eq!(embedded.template, complete.template);
        assert_eq!(embedded.oracle, complete.oracle);
        assert_eq!(embedded.configurations, complete.configurations);
        assert_eq!(embedded.examples, complete.examples);
    }
}
