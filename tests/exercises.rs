//! The shipped exercises: their files load, and what is embedded gives no solution away.

use std::path::Path;

use warpgrade::exercise::{Catalogue, CatalogueError, Exercise};

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

/// Day 27's files in a folder of their own, with one edit, and what loading them says.
fn mistake(file: &str, from: &str, to: &str) -> (String, u32) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for room in ["exercises", "reference"] {
        let source = root().join(room).join("day27-memory-model");
        for entry in walkdir::WalkDir::new(&source)
            .into_iter()
            .filter_map(Result::ok)
            .filter(|e| e.file_type().is_file())
        {
            let below = entry.path().strip_prefix(root()).expect("below the root");
            let target = folder.path().join(below);
            std::fs::create_dir_all(target.parent().expect("it has a parent")).expect("folders are made");
            std::fs::copy(entry.path(), target).expect("the file is copied");
        }
    }
    let path = folder.path().join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(text.contains(from), "{file} has no `{from}`");
    std::fs::write(&path, text.replacen(from, to, 1)).expect("the file is written");
    match Catalogue::from_dir(&folder.path().join("exercises")).and_then(|c| c.load("day27-memory-model")) {
        Err(CatalogueError::Broken(error)) => (error.to_string(), error.line),
        Err(other) => panic!("{file}, `{to}`: another error, {other}"),
        Ok(_) => panic!("{file}, `{to}`: it loads"),
    }
}

/// The 1-based line of `exercise.toml` on which some text stands first.
fn line_of(text: &str) -> u32 {
    let file = std::fs::read_to_string(root().join("exercises/day27-memory-model/exercise.toml"))
        .expect("it is there");
    let line = file.lines().position(|line| line.contains(text)).expect("the text is there");
    u32::try_from(line + 1).expect("few lines")
}

#[test]
fn every_mistake_in_an_exercise_says_where_and_what_was_expected() {
    let toml = "exercises/day27-memory-model/exercise.toml";
    let cases = [
        ("format = 1", "format = 7", "format 7 is not known, expected 1"),
        ("id = \"day27", "id = \"day28", "the folder is `day27-memory-model`"),
        ("title = \"Day", "titel = \"Day", "titel"),
        ("arch = \"compute_75\"", "arch = \"sm_20\"", "expected compute_70 or later"),
        ("len = \"kElems\"", "len = \"kElem\"", "no constant `kElem`"),
        ("len = \"kElems\"", "len = \"kElems - kElems\"", "is 0, expected 1 to"),
        ("len = \"kElems\"", "len = \"kElems +\"", "is not an expression"),
        ("len = \"kElems\"", "len = true", "an expression in quotes, or a whole number"),
        ("type = \"f32\"", "type = \"float\"", "unknown element type `float`"),
        ("reset = \"ones\"", "reset = \"one\"", "poison"),
        ("grid = \"kBlocks\"", "grid = \"-kBlocks\"", "is -1024, expected 1 to"),
        ("block = \"kThreadsPerBlock\"", "block = \"kThreadsPerBlock * 5\"", "is 1280, expected 1 to 1024"),
        ("runs = \"kRepeats\"", "runs = 1", "expected 2 to"),
        (
            "args = [\"in\", \"partials\"",
            "args = [\"inn\", \"partials\"",
            "there is no buffer `inn`; known: in, partials",
        ),
        (
            "{ u64 = \"kElems\" }]\nexpect",
            "{ size_t = \"kElems\" }]\nexpect",
            "unknown element type `size_t`",
        ),
        ("table = \"sum\"", "table = \"sums\"", "sums"),
        ("edit-file = \"configurations/fence-below.cu\"", "edit-file = \"x.cu\"", "`x.cu` is not there"),
        ("kernel = \"sumLastBlockFenced\" }", "kernel = \"sumFenced\" }", "there is no row `sumFenced`"),
        ("set = { kBlocks = 8192 }", "set = { kBlock = 8192 }", "there is no constant `kBlock`"),
        ("set = { kBlocks = 8192 }", "set = { kBlocks = 0 }", "is 0, expected 1 to"),
        ("in = \"sumLastBlockRacy\"", "in = \"sumRacy\"", "there is no kernel region `sumRacy`"),
        (
            "configurations = [\"as-given\"]",
            "configurations = [\"given\"]",
            "there is no configuration `given`",
        ),
        ("fills = { in = {", "fills = { input = {", "there is no buffer `input`"),
        ("{ random-below = 5 }", "{ random-below = 1 }", "N at least 2"),
        ("max = \"kRepeats\"\n", "", "a count has max, configuration and kernel"),
        (
            "path = \"examples/no-fence\"",
            "path = \"examples/none\"",
            "the example `examples/none` has no files",
        ),
    ];
    for (from, to, expected) in cases {
        let (message, line) = mistake(toml, from, to);
        assert!(message.contains(expected), "`{to}`: {message}");
        assert!(message.contains("exercise.toml:") && line > 0, "`{to}`: {message}");
    }
    assert_eq!(mistake(toml, "reset = \"ones\"", "reset = \"one\"").1, line_of("reset = \"ones\""));
    assert_eq!(
        mistake(toml, "edit-file = \"configurations/fence-below.cu\"", "edit-file = \"x.cu\"").1,
        line_of("edit-file")
    );
}

#[test]
fn every_mistake_beside_the_exercise_is_told_as_well() {
    let oracle = mistake("reference/day27-memory-model/oracle.cu", "oracleSum", "oracle");
    assert!(oracle.0.contains("the oracle kernel `oracleSum` is not there"), "{}", oracle.0);
    let mutant = mistake(
        "reference/day27-memory-model/mutants/fence-removed.cu",
        "// expect: exit 1",
        "// expect: leave 1",
    );
    assert!(mutant.0.contains("fence-removed.cu:1: cannot read the expectation `leave 1`"), "{}", mutant.0);
    let constant =
        mistake("exercises/day27-memory-model/exercise.toml", "[constants]", "[constants]\nkNowhere = 3");
    assert!(constant.0.contains("`kNowhere` does not stand in template.cu"), "{}", constant.0);
}
