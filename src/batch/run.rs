//! Grades a class: a thread a worker, one store, nothing graded twice, nothing lost.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::content::{basis_hash, content_hash};
use super::store::{AttemptRow, NewGrading, Store, StoreError};
use super::{Attempt, Class, Student, which};
use crate::exercise::Exercise;
use crate::record::{Graded, Status};
use crate::submission::{self, Limits, Submission};

/// Grades submissions one after another; never fails, a failure of ours is a record with status `fault`.
pub trait Grades: Send {
    fn grade(&mut self, exercise: &str, submission: &Submission) -> Graded;
}

/// What a run is told besides the class.
#[derive(Debug)]
pub struct Order<'a> {
    /// The exercises that a submission can be for; with one, all are for it.
    pub exercises: &'a [Exercise],
    /// What decides results besides submission and exercise: versions, seeds, options.
    pub basis: Vec<String>,
    /// Hash of the rubric.
    pub rubric: String,
    /// The time now, as it is stored: `2026-11-30T12:00:00Z`.
    pub now: fn() -> String,
    pub limits: Limits,
    /// Set by Ctrl-C: no new grading begins.
    pub stop: &'a AtomicBool,
}

/// What has been done so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub graded: usize,
    /// Found in the store from an earlier run.
    pub known: usize,
    pub rejected: usize,
    pub faults: usize,
    pub total: usize,
}

impl Counts {
    pub fn done(&self) -> usize {
        self.graded + self.known + self.rejected + self.faults
    }
}

/// How a run ended.
#[derive(Debug)]
pub enum End {
    Complete(Counts),
    /// Stopped by Ctrl-C; the same command goes on.
    Stopped(Counts),
}

/// One submission is through: who, how, and how long it took.
#[derive(Debug)]
pub struct Step {
    pub student: String,
    pub status: Status,
    pub known: bool,
    pub took: Duration,
}

/// A student's attempt, read.
struct Read {
    exercise: String,
    attempt: AttemptRow,
    submission: Submission,
    basis: String,
}

/// Grades everybody's current attempt. `graders` has one entry a thread; `on_step` is called on this thread.
///
/// # Errors
/// The store's: a full disk, a folder that became read-only. What was graded before is in it.
pub fn run(
    class: &Class,
    order: &Order<'_>,
    store: &Mutex<Store>,
    graders: Vec<Box<dyn Grades>>,
    mut on_step: impl FnMut(&Step, &Counts),
) -> Result<End, StoreError> {
    let mut counts = Counts { total: class.students.len(), ..Counts::default() };
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let (send, receive) = channel::<Result<Step, StoreError>>();
    let failure = std::thread::scope(|scope| {
        for mut grader in graders {
            let send = send.clone();
            let (next, failed) = (&next, &failed);
            scope.spawn(move || {
                while !order.stop.load(Ordering::SeqCst) && !failed.load(Ordering::SeqCst) {
                    let Some(student) = class.students.get(next.fetch_add(1, Ordering::SeqCst)) else {
                        break;
                    };
                    one(student, order, store, grader.as_mut(), failed, &send);
                }
            });
        }
        drop(send);
        let mut failure = None;
        for step in receive {
            match step {
                Ok(step) => {
                    match (step.known, step.status) {
                        (true, _) => counts.known += 1,
                        (_, Status::Fault) => counts.faults += 1,
                        (_, Status::Rejected) => counts.rejected += 1,
                        _ => counts.graded += 1,
                    }
                    on_step(&step, &counts);
                }
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        failure
    });
    match failure {
        Some(error) => Err(error),
        None if counts.done() < counts.total => Ok(End::Stopped(counts)),
        None => Ok(End::Complete(counts)),
    }
}

fn lock(store: &Mutex<Store>) -> MutexGuard<'_, Store> {
    // A panic while the lock is held leaves SQLite's own state whole.
    store.lock().unwrap_or_else(PoisonError::into_inner)
}

fn one(
    student: &Student,
    order: &Order<'_>,
    store: &Mutex<Store>,
    grader: &mut dyn Grades,
    failed: &AtomicBool,
    send: &Sender<Result<Step, StoreError>>,
) {
    let begun = Instant::now();
    let read = read(student, order);
    let known = lock(store).graded_already(&read.attempt, &read.basis);
    let step = known.and_then(|known| {
        if let Some(known) = known {
            lock(store).count(&read.attempt)?;
            return Ok((known.graded.status, true));
        }
        let graded = grader.grade(&read.exercise, &read.submission);
        let store = lock(store);
        store.add_grading(&NewGrading {
            attempt: &read.attempt,
            basis: &read.basis,
            rubric: &order.rubric,
            origin: "grade",
            at: &(order.now)(),
            graded: &graded,
        })?;
        Ok((graded.status, false))
    });
    let step = step.map(|(status, known)| Step {
        student: student.key.clone(),
        status,
        known,
        took: begun.elapsed(),
    });
    if step.is_err() {
        failed.store(true, Ordering::SeqCst);
    }
    // The receiver lives until all threads have ended.
    let _ = send.send(step);
}

/// Reads a student's current attempt. A student who handed nothing in is read too, so that the class is complete.
fn read(student: &Student, order: &Order<'_>) -> Read {
    let attempt = student.current().cloned().unwrap_or_default();
    let submission = read_files(&attempt, &order.limits);
    let exercise = match order.exercises {
        [only] => Some(only),
        several => which(several, &submission).or(several.first()),
    };
    let exercise = exercise.map(|e| e.id.clone()).unwrap_or_default();
    let content = content_hash(&submission.inputs);
    let basis = basis_hash(order.basis.iter().map(String::as_str).chain([exercise.as_str()]));
    let attempt = AttemptRow {
        student: student.key.clone(),
        exercise: exercise.clone(),
        number: attempt.number,
        content,
        handed: attempt.when,
        late: attempt.late,
        late_by: attempt.late_by,
        files: attempt.names.iter().map(submission::safe_name).collect(),
    };
    Read { exercise, attempt, submission, basis }
}

/// Reads files as one submission. A reader that panics is our fault, but must not end the class: the submission is then
/// empty with a notice, and so looked at by a person.
fn read_files(attempt: &Attempt, limits: &Limits) -> Submission {
    let named = attempt.files.iter().zip(&attempt.names);
    let named = named.map(|(path, name)| (path.as_path(), submission::safe_name(name)));
    let work = std::panic::AssertUnwindSafe(|| submission::read_named(named, limits));
    std::panic::catch_unwind(work).unwrap_or_else(|_| Submission {
        notices: vec![crate::record::Notice {
            kind: "reader-failed".to_owned(),
            message: "The grader could not read these files; this is the grader's fault. Please report it."
                .to_owned(),
            file: String::new(),
            line: 0,
        }],
        ..Submission::default()
    })
}
