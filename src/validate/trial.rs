//! One submission of an author's with its known outcome.

use std::time::{Duration, Instant};

use crate::exercise::{Exercise, Expected, TextFile};
use crate::grade::exit_code;
use crate::record::{CriterionState, Graded};
use crate::submission::{self, Limits, Submission};

/// A submission and what it must give.
#[derive(Debug, Clone)]
pub struct Trial {
    /// `solution`, `mutants/fence-below.cu`, `examples/right`.
    pub name: String,
    pub files: Vec<TextFile>,
    pub expect: Expected,
    /// Every criterion that the grader decides alone must earn all its points.
    pub full_marks: bool,
}

/// What a trial gave.
#[derive(Debug, Clone)]
pub struct Outcome {
    pub graded: Graded,
    pub exit: i32,
    /// What was not as it should be, one sentence each.
    pub unmet: Vec<String>,
    pub time: Duration,
}

/// The solution, then the mutants (each with the staff's answers), then the examples.
pub fn trials(exercise: &Exercise) -> Vec<Trial> {
    let mut trials = Vec::new();
    let solution = exercise.solution_submission();
    if !solution.is_empty() {
        let expect = Expected { exit: Some(0), ..Expected::default() };
        trials.push(Trial { name: "solution".to_owned(), files: solution, expect, full_marks: true });
    }
    for mutant in &exercise.mutants {
        let mut files = vec![mutant.file.clone()];
        files.extend(exercise.answers.clone());
        let (name, expect) = (mutant.file.name.clone(), mutant.expect.clone());
        trials.push(Trial { name, files, expect, full_marks: false });
    }
    for example in &exercise.examples {
        let (name, files, expect) = (example.name.clone(), example.files.clone(), example.expect.clone());
        trials.push(Trial { name, files, expect, full_marks: false });
    }
    trials
}

/// Grades one trial as any submission is graded: `grade` is how.
pub fn try_out(trial: &Trial, exercise: &Exercise, grade: impl FnOnce(&Submission) -> Graded) -> Outcome {
    let begun = Instant::now();
    let files = trial.files.iter().map(|file| (file.name.as_str(), file.text.as_bytes()));
    let graded = grade(&submission::read_in_memory(files, &Limits::default()));
    let exit = i32::from(exit_code(&graded));
    let mut unmet = trial.expect.unmet(&graded, exit);
    if trial.full_marks {
        unmet.extend(marks_lost(&graded));
        unmet.extend(constants_differ(exercise, &graded));
    }
    if exit == 3 {
        unmet.push(format!("the grader failed: {}", graded.message));
    }
    Outcome { graded, exit, unmet, time: begun.elapsed() }
}

fn marks_lost(graded: &Graded) -> Vec<String> {
    let lost = graded.criteria.iter().filter(|c| c.state == CriterionState::Auto && c.points < c.max);
    let mut lost: Vec<String> =
        lost.map(|c| format!("{} has {} of {}: {}", c.id, c.points, c.max, c.reason)).collect();
    if graded.criteria.is_empty() {
        lost.push(format!("nothing was scored: {}", graded.message));
    }
    lost
}

/// Constants that `exercise.toml` declares otherwise than the template does.
fn constants_differ(exercise: &Exercise, graded: &Graded) -> Vec<String> {
    let Some(record) =
        graded.configurations.iter().find(|record| !record.hidden && !record.constants.is_empty())
    else {
        return Vec::new();
    };
    let differ = |(name, declared): (&String, &i64)| {
        let compiled = record.constants.get(name)?;
        (*compiled != declared.to_string()).then(|| {
            format!("exercise.toml says {name} = {declared}, and the compiled program has {compiled}")
        })
    };
    exercise.constants.iter().filter_map(differ).collect()
}
