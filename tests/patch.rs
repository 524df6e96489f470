//! Student files, as they are read: `tests/patch/*.cu`, each with its snapshot beside it; edits of the template; and
//! properties that hold of any text.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::LazyLock;

use proptest::prelude::*;
use warpgrade::exercise::{Catalogue, Exercise};
use warpgrade::patch::{self, Patched, RegionEdit};
use warpgrade::submission::{self, Limits, SourceFile, Submission};

static EXERCISES: LazyLock<Vec<Exercise>> = LazyLock::new(|| {
    let catalogue = Catalogue::embedded();
    catalogue.ids().iter().map(|id| catalogue.load(id).unwrap()).collect()
});

fn exercise(id: &str) -> &'static Exercise {
    EXERCISES.iter().find(|e| e.id == id).unwrap()
}

fn program(name: &str, text: &str) -> Submission {
    let file = SourceFile { name: name.into(), text: text.into(), cell: None };
    Submission { programs: vec![file], ..Submission::default() }
}

fn read(exercise: &Exercise, name: &str, text: &str) -> Patched {
    patch::read_edits_among(exercise, &EXERCISES, &program(name, text)).remove(0)
}

fn shown(exercise: &Exercise, p: &Patched) -> String {
    let mut out = String::new();
    let configuration = p.configuration.map(|c| exercise.configurations[c].name.as_str());
    let _ = writeln!(
        out,
        "{}: {}",
        p.file,
        if p.unusable { "unusable" } else { configuration.unwrap_or("usable") }
    );
    for e in &p.edits {
        let changed = if e.changed { "changed" } else { "as given" };
        let _ = writeln!(out, "edit    {:>3} {} {:?}, {changed}", e.line, e.region, e.part);
    }
    for n in &p.notes {
        let _ = writeln!(out, "note    {:>3}-{} {}: {}", n.line, n.last_line, n.region, n.summary);
    }
    for n in &p.ignored {
        let _ = writeln!(out, "ignored {:>3}-{} {}", n.line, n.last_line, n.reason);
    }
    for n in &p.notices {
        let _ = writeln!(out, "notice  {:>3} {}: {}", n.line, n.kind, n.message);
    }
    for e in p.edits.iter().filter(|e| e.changed) {
        let _ = writeln!(out, "--- {} line {}\n{}", e.region, e.line, e.text.trim_end());
    }
    out
}

#[test]
fn files() {
    insta::glob!("patch/*.cu", |path| {
        let text = std::fs::read_to_string(path).unwrap();
        let id = text.lines().next().unwrap().strip_prefix("// exercise: ").unwrap();
        let exercise = exercise(id);
        let p = read(exercise, path.file_name().unwrap().to_str().unwrap(), &text);
        insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!(shown(exercise, &p)) });
    });
}

/// Any file, by hand: `PATCH_SHOW=day27-memory-model=/path/x.cu cargo test --test patch show -- --nocapture`.
#[test]
fn show() {
    let Ok(list) = std::env::var("PATCH_SHOW") else { return };
    for item in list.split(',').filter(|item| !item.is_empty()) {
        let (id, path) = item.split_once('=').unwrap();
        let submission = submission::read(Path::new(path), &Limits::default());
        for notice in &submission.notices {
            println!("{notice:?}");
        }
        for p in patch::read_edits_among(exercise(id), &EXERCISES, &submission) {
            println!("{}", shown(exercise(id), &p));
            if let Ok(folder) = std::env::var("PATCH_WRITE") {
                let name = p.file.replace(['/', ' '], "_");
                std::fs::write(
                    Path::new(&folder).join(name),
                    patch::splice(exercise(id), &p.edits, None).text,
                )
                .unwrap();
            }
        }
    }
}

const FENCE: &str = "        __threadfence();\n";

/// The template with its one fence taken out, and put in again behind the line that `after` names: the first below where
/// it was, or the last above.
fn fence_moved(after: Option<&str>) -> String {
    let template = &exercise("day27-memory-model").template.text;
    let at = template.find(FENCE).unwrap();
    let text = template.replace(FENCE, "");
    let Some(after) = after else { return text };
    let above = after.starts_with("    if");
    let line = if above { text[..at].rfind(after) } else { text[at..].find(after).map(|i| at + i) }.unwrap();
    let end = line + text[line..].find('\n').unwrap() + 1;
    format!("{}{FENCE}{}", &text[..end], &text[end..])
}

fn notes(text: &str) -> Vec<String> {
    let p = read(exercise("day27-memory-model"), "memory_model.cu", text);
    assert!(!p.unusable, "{:?}", p.notices);
    assert_eq!(p.ignored, [], "nothing outside the regions is changed");
    p.notes.iter().map(|n| format!("{}: {}", n.region, n.summary)).collect()
}

#[test]
fn edits_of_the_template_are_named() {
    let template = exercise("day27-memory-model").template.text.clone();
    assert_eq!(notes(&template), [] as [&str; 0]);
    assert_eq!(notes(&template.replace("\n", "  // a remark\n").replace("#if", "\n#if")), [] as [&str; 0]);
    assert_eq!(notes(&fence_moved(None)), ["sumLastBlockFenced: `__threadfence()` removed"]);
    assert_eq!(
        notes(&fence_moved(Some("    if (tid == 0) {"))),
        ["sumLastBlockFenced: `__threadfence()` moved from below to above the store to `partials`"]
    );
    let below = fence_moved(Some("atomicAdd(counter, 1u);"));
    assert_eq!(
        notes(&below),
        ["sumLastBlockFenced: `__threadfence()` moved from above to below `atomicAdd`"]
    );
    let blocks = below.replace("kBlocks = 1024", "kBlocks = 8 * 1024");
    assert_eq!(notes(&blocks)[1], "kBlocks: kBlocks: 1024 -> 8192");
    let p = |text: &str| {
        let e = exercise("day27-memory-model");
        e.configurations[read(e, "x.cu", text).configuration.unwrap()].name.clone()
    };
    assert_eq!(
        (p(&template), p(&below), p(&blocks)),
        ("as-given".into(), "fence-below".into(), "blocks-8192".into())
    );
}

#[test]
fn changes_outside_the_regions_are_listed_and_ignored() {
    let e = exercise("day27-memory-model");
    let text = e
        .template
        .text
        .replace("kRepeats = 100", "kRepeats = 3")
        .replace("static_assert(kRepeats >= 2", "static_assert(kRepeats >= 1")
        .replace("return EXIT_FAILURE;", "return EXIT_SUCCESS;")
        .replace("if (o.runs == kRepeats && o.wrong == 0) return;", "return;");
    let p = read(e, "mine.cu", &text);
    let reasons: Vec<&str> = p.ignored.iter().map(|n| n.reason.as_str()).collect();
    assert_eq!(
        reasons,
        [
            "`kRepeats` is 3 here and 100 in the exercise, which is what is used",
            "a static assertion that is not the exercise's; the grader checks its own",
            "something is taken out of `gate`, outside the regions; the gates are the grader's own",
            "something is changed in `main`, outside the regions; the gates are the grader's own",
        ]
    );
    let spliced = patch::splice(e, &p.edits, None).text;
    assert!(spliced.contains("kRepeats = 100") && spliced.contains("return EXIT_FAILURE;"));
}

#[test]
fn a_diff_against_the_starter_is_its_edit() {
    let e = exercise("day27-memory-model");
    let below = fence_moved(Some("atomicAdd(counter, 1u);"));
    let diff = similar::TextDiff::from_lines(&e.template.text, &below)
        .unified_diff()
        .header("a/t.cu", "b/t.cu")
        .to_string();
    let file = SourceFile { name: "fence.diff".into(), text: diff, cell: None };
    let submission = Submission { diffs: vec![file], ..Submission::default() };
    let p = &patch::read_edits(e, &submission)[0];
    assert_eq!(p.text, below);
    assert_eq!(p.notes.len(), 1, "{}", shown(e, p));
    assert_eq!(p.file, "fence.diff");
}

#[test]
fn the_grader_has_the_last_word_on_constants() {
    let e = exercise("day27-memory-model");
    let p = read(e, "x.cu", &e.template.text.replace("kBlocks = 1024", "kBlocks = 8192"));
    let mut instance = e.instances[0].clone();
    instance.constants.insert("kBlocks".into(), 77);
    let text = patch::splice(e, &p.edits, Some(&instance)).text;
    assert!(text.contains("constexpr int kBlocks = 77;") && !text.contains("8192"));
}

#[test]
fn made_configurations_replace_the_regions_they_name() {
    let e = exercise("day27-memory-model");
    let catalogue = Catalogue::from_dir(&Path::new(env!("CARGO_MANIFEST_DIR")).join("exercises")).unwrap();
    let whole = catalogue.load(&e.id).unwrap();
    let below = whole.configurations.iter().find(|c| c.name == "fence-below").unwrap();
    let made = patch::made_edits(&whole, &below.edits);
    let text = patch::splice(&whole, &patch::with_made_edits(&[], &made), None).text;
    assert!(text.find("atomicAdd(counter, 1u);\n        __threadfence();").is_some(), "{text}");
}

/// The program without `#line`, as words.
fn words(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.starts_with("#line "));
    let apart = lines.map(|line| line.replace(';', " ; ")).collect::<Vec<_>>().join("\n");
    apart.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn the_unedited_template_is_itself() {
    for e in EXERCISES.iter() {
        let p = read(e, "x.cu", &e.template.text);
        assert_eq!((p.notes.len(), p.ignored.len(), p.notices.len()), (0, 0, 0), "{}", shown(e, &p));
        assert_eq!(words(&patch::splice(e, &p.edits, None).text), words(&e.template.text));
        assert_eq!(words(&patch::splice(e, &[], None).text), words(&e.template.text));
    }
}

/// What stands before the first region and from the host part on is the template's own, whatever was handed in.
fn template_is_whole(e: &Exercise, edits: &[RegionEdit]) -> Result<(), TestCaseError> {
    let program = patch::splice(e, edits, None).text;
    let host = e.template.text.find("#ifndef __CUDACC_RTC__").unwrap();
    prop_assert!(program.ends_with(&e.template.text[host..]), "the host part is changed");
    let asserts = e.template.text.lines().filter(|line| line.starts_with("static_assert"));
    for line in asserts {
        prop_assert!(program.lines().any(|l| l == line), "{line}");
    }
    Ok(())
}

fn pieces() -> impl Strategy<Value = String> {
    let fixed = prop::sample::select(vec![
        "__global__ void sumLastBlockFenced(const float* in, float* partials, float* total, unsigned int* counter, size_t n) {",
        "__global__ void tallyBlocksDeviceScope(unsigned int* tally) {",
        "__global__",
        "{",
        "}",
        "(",
        ")",
        ";",
        "\n",
        "\n",
        "/*",
        "*/",
        "//",
        "\"",
        "'",
        "R\"x(",
        ")x\"",
        "\\\n",
        "\\",
        "#if 0\n",
        "#if X\n",
        "#else\n",
        "#endif\n",
        "#define kBlocks 4\n",
        "#define T(x) x\n",
        "#define tile }\n",
        "T(1)",
        "constexpr int kBlocks = 2;",
        "// snippet: fenced-tail\n",
        "// end snippet\n",
        "<%",
        "%>",
        "%:",
        "namespace a {",
        "template <typename T>",
        "__threadfence();",
        "atomicAdd(tally, 1u);",
        "#line 3 \"x\"\n",
        "#include \"/etc/passwd\"\n",
        "_Pragma(\"x\")",
        "__has_include(<x>)",
        "é",
        "\u{202E}",
        "??/\n",
        "extern \"C\" {",
        "= [] {",
        "static",
        "kBlocks",
    ]);
    proptest::collection::vec(fixed, 0..60).prop_map(|parts| parts.join(" "))
}

/// `PROPTEST_CASES`, or 200 of each.
fn cases() -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig { cases: asked.unwrap_or(200), failure_persistence: None, ..ProptestConfig::default() }
}

/// Texts of a megabyte, each the worst of its kind, are answered in time that grows with their length.
#[test]
fn large_hostile_texts_are_answered() {
    let e = exercise("day27-memory-model");
    let kernel = "__global__ void tallyBlocksDeviceScope(unsigned int* tally) {";
    let repeated = [
        "{",
        "(",
        "[",
        "}",
        "<",
        "#if 1\n",
        "#if X\n#else\n",
        "#endif\n",
        "// snippet: fenced-tail\n",
        "// end snippet\n",
        "constexpr int kBlocks = 1;\n",
        "#define A 1\n",
    ];
    for piece in repeated {
        for (before, after) in
            [("", ""), (kernel, "}"), ("constexpr int kBlocks = ", ";\n"), ("#define T ", "\n")]
        {
            let text = format!("{before}{}{after}", piece.repeat((1 << 20) / piece.len()));
            let start = std::time::Instant::now();
            let p = read(e, "x.cu", &text);
            let spent = start.elapsed();
            if std::env::var("PATCH_TIMES").is_ok() {
                println!("{:6} ms  {before:.12} {piece:?}", spent.as_millis());
            }
            assert!(spent.as_secs() < 20, "{spent:?} for {before}{piece:?}");
            assert!(p.notices.len() + p.ignored.len() < 2_000, "{} notes on {piece:?}", p.notices.len());
        }
    }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn any_text_leaves_the_template_whole(text in pieces()) {
        let e = exercise("day27-memory-model");
        let p = read(e, "x.cu", &text);
        if !p.unusable {
            template_is_whole(e, &p.edits)?;
        }
        prop_assert!(!p.unusable || !p.notices.is_empty(), "what cannot be used is explained");
    }

    #[test]
    fn pieces_within_the_template_leave_it_whole(text in pieces(), at in 0usize..10_000, e in 0usize..3) {
        let e = &EXERCISES[e];
        let template = &e.template.text;
        let at = (0..=at % template.len()).rev().find(|i| template.is_char_boundary(*i)).unwrap();
        let p = read(e, "x.cu", &format!("{}{text}{}", &template[..at], &template[at..]));
        if !p.unusable {
            template_is_whole(e, &p.edits)?;
        }
    }

    #[test]
    fn reading_a_spliced_program_gives_it_again(drop in proptest::collection::vec(0usize..400, 0..4), twice in 0usize..400, e in 0usize..3) {
        let e = &EXERCISES[e];
        let mut lines: Vec<&str> = e.template.text.lines().collect();
        let doubled = lines[twice % lines.len()];
        lines.insert(twice % lines.len(), doubled);
        let kept: Vec<&str> = lines.iter().enumerate().filter(|(i, _)| !drop.contains(i)).map(|(_, l)| *l).collect();
        let p = read(e, "x.cu", &kept.join("\n"));
        if !p.unusable {
            let once = patch::splice(e, &p.edits, None).text;
            let again = read(e, "x.cu", &once);
            prop_assert!(!again.unusable, "{}", shown(e, &again));
            prop_assert_eq!(words(&patch::splice(e, &again.edits, None).text), words(&once));
        }
    }
}
