//! Points: the shipped rubric against records made by hand, one claim a test.

use warpgrade::exercise::{Catalogue, Exercise};
use warpgrade::record::{
    AccessNote, AnswerRecord, ConfigurationRecord, Criterion, CriterionState, Diagnostic, Finding, Graded,
    InputFile, KernelVerdict, Row, SCHEMA, Score, Severity, SourceLine, Status, Verdict,
};
use warpgrade::rubric::{ExerciseRubric, Rubric, score};

const FENCED: &str = "sumLastBlockFenced";

fn shipped(id: &str) -> (Exercise, ExerciseRubric) {
    let catalogue = Catalogue::embedded();
    let exercise = catalogue.load(id).unwrap_or_else(|error| panic!("{error}"));
    let (file, text) = catalogue.rubric().expect("the rubric is embedded");
    let rubric = Rubric::parse(file, text).unwrap_or_else(|error| panic!("{error}"));
    let rubric = rubric.exercise(&exercise).unwrap_or_else(|error| panic!("{error}")).clone();
    (exercise, rubric)
}

fn row(kernel: &str, wrong: u32) -> Row {
    Row { kernel: kernel.to_owned(), gated: true, runs: 100, wrong, ..Row::default() }
}

fn verdict(kernel: &str, verdict: Verdict, rule: Option<&str>) -> KernelVerdict {
    let finding = |rule: &str| Finding {
        rule: rule.to_owned(),
        severity: Severity::Error,
        message: "the store of partials[3] is not ordered before its ticket".to_owned(),
        first: access(12),
        second: Some(access(14)),
        advice: String::new(),
        count: 1,
        seed: 0,
        witness: None,
    };
    KernelVerdict {
        kernel: kernel.to_owned(),
        verdict,
        reason: (verdict == Verdict::Unknown).then(|| "a texture is read".to_owned()),
        at: None,
        findings: rule.into_iter().map(finding).collect(),
        schedules: 100,
        launches: Vec::new(),
    }
}

fn access(line: u32) -> AccessNote {
    let at = SourceLine {
        file: "mine.cu".to_owned(),
        line,
        column: 0,
        text: String::new(),
        inlined_from: Vec::new(),
    };
    AccessNote {
        action: "write".into(),
        location: String::new(),
        space: String::new(),
        thread: String::new(),
        at,
    }
}

fn configuration(name: &str, origin: &str, fenced: (u32, Verdict, Option<&str>)) -> ConfigurationRecord {
    ConfigurationRecord {
        name: name.to_owned(),
        origin: origin.to_owned(),
        rows: vec![row(FENCED, fenced.0), row("tallyBlocksDeviceScope", 0)],
        verdicts: vec![
            verdict(FENCED, fenced.1, fenced.2),
            verdict("tallyBlocksDeviceScope", Verdict::Defined, None),
        ],
        ..ConfigurationRecord::default()
    }
}

/// All three configurations and all answers as they should be.
fn perfect() -> Graded {
    let right = (0, Verdict::Defined, None);
    let mut hidden = configuration("as-given", "a.cu", right);
    hidden.hidden = true;
    let answer = |id: &str, given: &str| AnswerRecord {
        id: id.to_owned(),
        question: String::new(),
        given: given.to_owned(),
        form: "ok".to_owned(),
    };
    Graded {
        schema: SCHEMA.to_owned(),
        exercise: "day27-memory-model".to_owned(),
        title: String::new(),
        status: Status::Graded,
        message: String::new(),
        score: None,
        criteria: Vec::new(),
        edits: Vec::new(),
        ignored: Vec::new(),
        notices: Vec::new(),
        configurations: vec![
            configuration("as-given", "a.cu", right),
            configuration("fence-below", "b.cu", (97, Verdict::Undefined, Some("fence-after-announcement"))),
            configuration("blocks-8192", "c.cu", right),
            hidden,
        ],
        answers: vec![
            answer("wrong_as_given", "0"),
            answer("wrong_fence_below", "0, 0, 0"),
            answer("wrong_blocks_8192", "0"),
            answer(
                "why",
                "The store is not ordered before the atomic, so the last block may read an old value.",
            ),
        ],
        hints: Vec::new(),
        sources: Vec::new(),
        sanitizer: None,
        inputs: ["a.cu", "b.cu", "c.cu"]
            .map(|file| InputFile { file: file.into(), bytes: 1, blake3: String::new() })
            .into(),
        versions: Default::default(),
        timing: Default::default(),
    }
}

fn scored(graded: &Graded) -> (Vec<Criterion>, Score) {
    let (exercise, rubric) = shipped("day27-memory-model");
    let (criteria, score) = score(&rubric, &exercise, graded);
    (criteria, score.expect("there is a score"))
}

fn of<'a>(criteria: &'a [Criterion], id: &str) -> &'a Criterion {
    criteria.iter().find(|criterion| criterion.id == id).unwrap_or_else(|| panic!("no criterion {id}"))
}

#[test]
fn every_shipped_rubric_fits_its_exercise() {
    for id in Catalogue::embedded().ids() {
        shipped(&id);
    }
}

#[test]
fn a_whole_submission_gets_everything_and_its_sentence_waits() {
    let (criteria, score) = scored(&perfect());
    assert_eq!((score.points, score.max, score.provisional), (100.0, 100.0, true));
    for criterion in &criteria {
        let expected = if criterion.id == "why" { CriterionState::Provisional } else { CriterionState::Auto };
        assert_eq!((criterion.state, criterion.points), (expected, criterion.max), "{}", criterion.id);
    }
}

#[test]
fn an_undefined_kernel_names_its_two_lines() {
    let mut graded = perfect();
    graded.configurations[0] =
        configuration("as-given", "a.cu", (80, Verdict::Undefined, Some("missing-fence")));
    let (criteria, score) = scored(&graded);
    assert_eq!(score.points, 75.0);
    let defined = of(&criteria, "fenced-defined");
    assert_eq!((defined.points, defined.state), (0.0, CriterionState::Auto));
    assert!(defined.reason.contains("mine.cu, line 12 and mine.cu, line 14"), "{}", defined.reason);
    assert_eq!(defined.see, ["missing-fence"]);
    assert!(of(&criteria, "fenced-exact").reason.contains("wrong on 80 of 100 runs"));
}

#[test]
fn a_lucky_run_does_not_stand_in_for_a_verdict_and_notes_cost_nothing() {
    let mut graded = perfect();
    graded.configurations[0] =
        configuration("as-given", "a.cu", (0, Verdict::Undefined, Some("missing-fence")));
    let (criteria, _) = scored(&graded);
    assert_eq!(of(&criteria, "fenced-exact").points, 10.0);
    assert_eq!(of(&criteria, "fenced-defined").points, 0.0);

    let mut noted = perfect();
    let mut verdict = verdict(FENCED, Verdict::Defined, Some("missing-consumer-fence"));
    verdict.findings[0].severity = Severity::Note;
    noted.configurations[0].verdicts[0] = verdict;
    assert_eq!(scored(&noted).1.points, 100.0);
}

#[test]
fn an_unknown_verdict_is_no_zero_and_waits() {
    let mut graded = perfect();
    graded.configurations[0] = configuration("as-given", "a.cu", (0, Verdict::Unknown, None));
    let (criteria, _) = scored(&graded);
    let defined = of(&criteria, "fenced-defined");
    assert_eq!((defined.points, defined.state), (7.5, CriterionState::Provisional));
    assert!(defined.reason.contains("a texture is read"), "{}", defined.reason);
}

#[test]
fn a_rule_found_for_another_reason_earns_half() {
    let mut graded = perfect();
    graded.configurations[1] =
        configuration("fence-below", "b.cu", (9, Verdict::Undefined, Some("missing-fence")));
    assert_eq!(of(&scored(&graded).0, "fence-below-shown").points, 5.0);
    graded.configurations[1] = configuration("fence-below", "b.cu", (0, Verdict::Defined, None));
    assert_eq!(of(&scored(&graded).0, "fence-below-shown").points, 0.0);
}

#[test]
fn an_experiment_without_its_program_counts_by_its_answer() {
    let mut graded = perfect();
    graded.configurations[1].origin = "template".to_owned();
    let (criteria, _) = scored(&graded);
    assert_eq!(of(&criteria, "fence-below-done").points, 5.0);
    graded.answers.retain(|answer| answer.id != "wrong_fence_below");
    let (criteria, _) = scored(&graded);
    assert_eq!(of(&criteria, "fence-below-done").points, 0.0);
    assert_eq!(of(&criteria, "counts").points, 6.67);
}

#[test]
fn a_program_that_the_grader_made_from_the_students_is_not_handed_in() {
    let mut graded = perfect();
    graded.configurations[2].origin = "a.cu".to_owned();
    graded.answers.retain(|answer| answer.id != "wrong_blocks_8192");
    assert_eq!(of(&scored(&graded).0, "blocks-8192-done").points, 0.0);
}

#[test]
fn a_compile_error_costs_the_gates_and_names_the_line() {
    let mut graded = perfect();
    graded.configurations = vec![ConfigurationRecord {
        name: "as-given".to_owned(),
        origin: "a.cu".to_owned(),
        diagnostics: vec![Diagnostic {
            level: "error".to_owned(),
            file: "a.cu".to_owned(),
            line: 31,
            message: "expected a \";\"".to_owned(),
            text: String::new(),
        }],
        ..ConfigurationRecord::default()
    }];
    let (criteria, score) = scored(&graded);
    for id in ["fenced-exact", "fenced-defined", "tally-exact", "other-data", "blocks-8192-exact"] {
        let criterion = of(&criteria, id);
        assert_eq!((criterion.points, criterion.state), (0.0, CriterionState::Auto), "{id}");
        assert!(criterion.reason.contains("a.cu, line 31"), "{id}: {}", criterion.reason);
    }
    assert_eq!(score.points, 35.0, "answers and experiments keep theirs");
}

#[test]
fn wrong_hidden_rows_cost_their_points_and_show_no_data() {
    let mut graded = perfect();
    let row = &mut graded.configurations[3].rows[0];
    (row.wrong, row.got, row.want) = (3, Some("1000003".to_owned()), Some("2000111".to_owned()));
    let (criteria, _) = scored(&graded);
    let hidden = of(&criteria, "other-data");
    assert_eq!(hidden.points, 0.0);
    assert!(!hidden.reason.contains("1000003") && !hidden.reason.contains("2000111"), "{}", hidden.reason);
}

#[test]
fn our_fault_is_nobodys_zero() {
    let mut graded = perfect();
    graded.status = Status::Fault;
    let (exercise, rubric) = shipped("day27-memory-model");
    assert_eq!(score(&rubric, &exercise, &graded), (Vec::new(), None));
}

#[test]
fn what_was_not_run_for_no_reason_of_the_students_waits() {
    let mut graded = perfect();
    graded.configurations.clear();
    let (criteria, score) = scored(&graded);
    assert!(score.provisional);
    for id in ["fenced-exact", "fenced-defined", "other-data"] {
        assert_eq!(of(&criteria, id).state, CriterionState::Provisional, "{id}");
    }
}
