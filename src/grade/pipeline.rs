//! The whole line, in order.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::assign::{Assigned, TEMPLATE, assign};
use super::blank::{blank, fault, rejected};
use super::hints;
use super::options::Options;
use crate::device::Device;
use crate::device::embedded::{Embedded, Sources};
use crate::exercise::{Exercise, Instance};
use crate::harness::{BuildError, Builder, BuiltProgram, Oracle, PlanError, PlannedRow, Prepared, Session};
use crate::patch::{Patched, read_edits, splice};
use crate::record::{ConfigurationRecord, Diagnostic, ExpectedFinding, Graded, Notice, SourceText};
use crate::rubric;
use crate::submission::Submission;

/// Compile errors that become notices of their own; the rest stand with the configuration.
const MOST_ERROR_NOTICES: usize = 3;

/// Grades one submission. Never fails and never panics: a failure of ours is a record with status `fault`.
pub fn grade(exercise: &Exercise, submission: &Submission, options: &Options) -> Graded {
    let begun = Instant::now();
    let work = AssertUnwindSafe(|| Grading::new(exercise, submission, options, begun).run());
    let mut graded = catch_unwind(work).unwrap_or_else(|panic| {
        let what = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let what = what.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        fault(start(exercise, submission), format!("the grader failed on this submission: {what}"))
    });
    graded.timing.insert("total".to_owned(), seconds(begun.elapsed()));
    graded
}

/// What is known before anything was done.
fn start(exercise: &Exercise, submission: &Submission) -> Graded {
    let mut graded = blank(&exercise.id, &exercise.title);
    graded.inputs.clone_from(&submission.inputs);
    graded.notices.clone_from(&submission.notices);
    graded.ignored.clone_from(&submission.ignored);
    graded.versions.insert("warpgrade".to_owned(), env!("CARGO_PKG_VERSION").to_owned());
    graded
}

fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e4).round() / 1e4
}

/// Why a grading ends early, with nobody's fault but ours or the exercise author's.
struct Fault(String);

impl<E: std::error::Error> From<E> for Fault {
    fn from(error: E) -> Self {
        Fault(error.to_string())
    }
}

/// Names and values of `-D` options.
type Defines = Vec<(String, String)>;

/// One grading under way.
struct Grading<'a> {
    exercise: &'a Exercise,
    submission: &'a Submission,
    options: &'a Options,
    graded: Graded,
    deadline: Instant,
    compile: Duration,
    check: Duration,
    run: Duration,
}

impl<'a> Grading<'a> {
    fn new(exercise: &'a Exercise, submission: &'a Submission, options: &'a Options, begun: Instant) -> Self {
        let mut graded = start(exercise, submission);
        let (major, minor) = options.nvrtc.version();
        graded.versions.insert("nvrtc".to_owned(), format!("{major}.{minor}"));
        Grading {
            exercise,
            submission,
            options,
            graded,
            deadline: begun + options.time_limit,
            compile: Duration::ZERO,
            check: Duration::ZERO,
            run: Duration::ZERO,
        }
    }

    fn run(mut self) -> Graded {
        let begun = Instant::now();
        let patched = read_edits(self.exercise, self.submission);
        self.note(&patched);
        self.graded.timing.insert("patch".to_owned(), seconds(begun.elapsed()));
        if patched.iter().all(|program| program.unusable) {
            let message = self.nothing_usable(&patched);
            self.graded = rejected(self.graded, message);
            return self.scored();
        }
        let (assigned, notices) = assign(self.exercise, &patched);
        self.graded.notices.extend(notices);
        if let Err(Fault(message)) = self.configurations(&patched, &assigned) {
            return fault(self.graded, message);
        }
        for (stage, time) in [("compile", self.compile), ("check", self.check), ("run", self.run)] {
            self.graded.timing.insert(stage.to_owned(), seconds(time));
        }
        self.graded.hints = hints::fitting(self.exercise, &self.graded);
        self.scored()
    }

    /// Adds the answers and the points.
    fn scored(mut self) -> Graded {
        let (answers, notices) = rubric::record_answers(self.exercise, self.submission);
        self.graded.answers = answers;
        self.graded.notices.extend(notices);
        match self.options.rubric.exercise(self.exercise) {
            Ok(rubric) => {
                let (criteria, score) = rubric::score(rubric, self.exercise, &self.graded);
                self.graded.criteria = criteria;
                self.graded.score = score;
                self.graded
            }
            Err(error) => fault(self.graded, error.to_string()),
        }
    }

    /// Takes over what patching has to say.
    fn note(&mut self, patched: &[Patched]) {
        for program in patched {
            self.graded.edits.extend(program.notes.iter().cloned());
            self.graded.ignored.extend(program.ignored.iter().cloned());
            self.graded.notices.extend(program.notices.iter().cloned());
            let source = SourceText { file: program.file.clone(), text: program.text.clone() };
            if !self.graded.sources.contains(&source) {
                self.graded.sources.push(source);
            }
        }
    }

    fn nothing_usable(&self, patched: &[Patched]) -> String {
        let reason = patched.iter().flat_map(|program| &program.notices).next();
        match (patched.is_empty(), reason.or(self.graded.notices.first())) {
            (true, None) => {
                "There is no CUDA program in this submission: hand in the .cu file that you edited."
                    .to_owned()
            }
            (true, Some(notice)) => {
                format!("There is no CUDA program that could be read in this submission. {}", notice.message)
            }
            (false, Some(notice)) => {
                format!("None of the programs in this submission could be used. {}", notice.message)
            }
            (false, None) => "None of the programs in this submission could be used.".to_owned(),
        }
    }

    fn configurations(&mut self, patched: &[Patched], assigned: &[Assigned]) -> Result<(), Fault> {
        let embedded = Embedded::new(Arc::new(self.sources(patched, assigned)));
        let mut devices: Vec<Arc<dyn Device>> = Vec::new();
        if self.options.embedded {
            devices.push(Arc::new(embedded.clone()));
        }
        devices.extend(self.options.gpus.iter().cloned());
        let builder = Builder {
            nvrtc: &self.options.nvrtc,
            exercise: self.exercise,
            embedded: &embedded,
            devices: &devices,
        };
        let begun = Instant::now();
        let work = self.work(assigned);
        let (oracle, built) = rayon::join(
            || self.oracle(),
            || work.par_iter().map(|&(own, hidden)| self.build(&builder, own, hidden)).collect::<Vec<_>>(),
        );
        let oracle = oracle?;
        self.compile = begun.elapsed();
        let mut session = Session::new(&devices, oracle.as_ref());
        session.verdicts = self.options.verdicts;
        session.terms = self.options.terms(self.exercise, self.deadline);
        session.elsewhere = self.options.elsewhere.as_deref().map(|elsewhere| (self.exercise, elsewhere));
        let mut failed: Vec<&str> = Vec::new();
        for (&(own, hidden), built) in work.iter().zip(built) {
            // What is made from a program that does not compile would only repeat its errors.
            if failed.contains(&own.origin.as_str()) {
                continue;
            }
            match built {
                Ok(programs) => self.configuration(&session, own, hidden, &programs)?,
                Err(BuildError::Source(diagnostics)) => {
                    if own.origin != TEMPLATE {
                        failed.push(&own.origin);
                    }
                    self.not_compiled(own, hidden.is_some(), diagnostics);
                }
                Err(BuildError::Fault(message)) => return Err(Fault(message)),
            }
        }
        Ok(())
    }

    /// Every program to be built: each configuration, and then the same on its hidden instances.
    fn work<'w>(&self, assigned: &'w [Assigned]) -> Vec<(&'w Assigned, Option<&'a Instance>)> {
        let mut work = Vec::new();
        for own in assigned {
            work.push((own, None));
            let name = &self.exercise.configurations[own.configuration].name;
            let instances = self.exercise.instances.iter().filter(|i| i.configurations.contains(name));
            work.extend(instances.map(|instance| (own, Some(instance))));
        }
        work
    }

    /// The programs of one configuration, one for each set of defines that its rows need. The first has none.
    fn build(
        &self,
        builder: &Builder,
        own: &Assigned,
        hidden: Option<&Instance>,
    ) -> Result<Vec<(Defines, BuiltProgram)>, BuildError> {
        let changes = own.changes(hidden);
        let program = splice(self.exercise, &own.edits, changes.as_ref());
        let mut defines: Vec<Vec<(String, String)>> = vec![Vec::new()];
        for row in self.exercise.rows.iter().filter(|row| hidden.is_none() || row.gated) {
            if !defines.contains(&row.defines) {
                defines.push(row.defines.clone());
            }
        }
        defines.into_iter().map(|set| builder.build(&program, &set).map(|built| (set, built))).collect()
    }

    fn sources(&self, patched: &[Patched], assigned: &[Assigned]) -> Sources {
        let mut sources = Sources::default();
        let template = splice(self.exercise, &[], None);
        sources.add_ours(&template.name, &self.exercise.template.text);
        for (name, text) in assigned.iter().flat_map(|own| &own.ours) {
            sources.add_ours(name, text);
        }
        for program in patched {
            sources.add_students(&program.file, &program.text);
        }
        sources
    }

    /// The oracle, unless whoever runs the rows has it.
    fn oracle(&self) -> Result<Option<Oracle>, Fault> {
        if self.options.elsewhere.is_some() && self.options.gpus.is_empty() {
            return Ok(None);
        }
        Ok(Oracle::of(self.exercise, &self.options.nvrtc)?)
    }

    /// Runs one configuration, or the same on a hidden instance.
    fn configuration(
        &mut self,
        session: &Session,
        own: &Assigned,
        hidden: Option<&Instance>,
        programs: &[(Vec<(String, String)>, BuiltProgram)],
    ) -> Result<(), Fault> {
        let rows = match self.planned(programs, hidden) {
            Ok(rows) => rows,
            Err(error @ PlanError::Range { .. }) if !own.edits.is_empty() => {
                self.not_planned(own, hidden.is_some(), &error);
                return Ok(());
            }
            Err(error) => {
                return Err(Fault(format!("the exercise `{}` is broken: {error}", self.exercise.id)));
            }
        };
        let configuration = &self.exercise.configurations[own.configuration];
        let expects = configuration.expect_rule.iter();
        let prepared = Prepared {
            name: hidden.map_or_else(
                || configuration.name.clone(),
                |i| format!("{} on {}", configuration.name, i.name),
            ),
            title: configuration.title.clone(),
            origin: own.origin.clone(),
            programs,
            rows,
            repeat: if hidden.is_some() { 1 } else { configuration.repeat },
            expects: expects
                .map(|(rule, kernel)| ExpectedFinding { kernel: kernel.clone(), rule: rule.clone() })
                .collect(),
            hidden: hidden.is_some(),
            instance: hidden.map(|instance| instance.name.clone()),
        };
        let ran = session.run(&prepared)?;
        self.check += ran.check;
        self.run += ran.run;
        self.graded.configurations.extend(ran.records);
        match ran.beyond_us {
            Some(reason) => {
                Err(Fault(format!("this program needs a GPU to be graded (--device cuda): {reason}")))
            }
            None => Ok(()),
        }
    }

    fn planned(
        &self,
        programs: &[(Vec<(String, String)>, BuiltProgram)],
        hidden: Option<&Instance>,
    ) -> Result<Vec<PlannedRow>, PlanError> {
        let (_, first) = &programs[0];
        let (constants, terms) = (&first.constants.whole, self.options.plan_terms());
        let rows = self.options.plans.of(self.exercise, constants, hidden, terms)?;
        Ok(rows.as_ref().clone())
    }

    fn not_compiled(&mut self, own: &Assigned, hidden: bool, diagnostics: Vec<Diagnostic>) {
        let errors: Vec<&Diagnostic> =
            diagnostics.iter().filter(|d| d.level != "warning" && d.level != "note").collect();
        for error in errors.iter().take(MOST_ERROR_NOTICES).filter(|_| !hidden) {
            self.graded.notices.push(Notice {
                kind: "compile-error".to_owned(),
                message: error.message.clone(),
                file: error.file.clone(),
                line: error.line,
            });
        }
        let failure = match errors.first() {
            Some(e) if e.line > 0 => {
                format!("the program does not compile: line {} of {}: {}", e.line, e.file, e.message)
            }
            Some(e) => format!("the program does not compile: {}", e.message),
            None => "the program does not compile".to_owned(),
        };
        let mut record = self.empty_record(own, hidden, failure);
        record.diagnostics = diagnostics;
        self.graded.configurations.push(record);
    }

    fn not_planned(&mut self, own: &Assigned, hidden: bool, error: &PlanError) {
        let message = format!("a constant makes a launch impossible: {error}");
        self.graded.notices.push(Notice {
            kind: "impossible-launch".to_owned(),
            message: message.clone(),
            file: own.origin.clone(),
            line: 0,
        });
        let record = self.empty_record(own, hidden, message);
        self.graded.configurations.push(record);
    }

    /// A configuration that was not run, with the reason as its failure.
    fn empty_record(&self, own: &Assigned, hidden: bool, failure: String) -> ConfigurationRecord {
        let configuration = &self.exercise.configurations[own.configuration];
        ConfigurationRecord {
            name: configuration.name.clone(),
            title: configuration.title.clone(),
            device: crate::device::embedded::NAME.to_owned(),
            origin: own.origin.clone(),
            gates_held: false,
            failures: vec![failure],
            hidden,
            ..ConfigurationRecord::default()
        }
    }
}
