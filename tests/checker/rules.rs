//! One kernel and one snapshot a rule: what a student reads.

use std::fmt::Write;

use warpgrade::model::Options;
use warpgrade::record::Finding;
use warpgrade::rules;

use crate::bench::{Argument, Bench, zeros};

fn told(finding: &Finding) -> String {
    let mut text = String::new();
    let mut line = |label: &str, value: &str| writeln!(text, "{label}: {value}").expect("a string grows");
    line("rule", &finding.rule);
    line("severity", &format!("{:?}", finding.severity));
    line("message", &finding.message);
    line("advice", &finding.advice);
    for side in [Some(&finding.first), finding.second.as_ref()].into_iter().flatten() {
        line(
            "side",
            &format!(
                "{} {} by {}, line {}: {}",
                side.action, side.location, side.thread, side.at.line, side.at.text
            ),
        );
    }
    if let Some(witness) = &finding.witness {
        for step in &witness.steps {
            line(
                "step",
                &format!(
                    "{} | {} | {} (line {})",
                    witness.lanes[step.lane], step.kind, step.label, step.at.line
                ),
            );
        }
        for edge in &witness.edges {
            let arrow = if edge.present { "->" } else { "-/->" };
            line("edge", &format!("{} {arrow} {}: {}", edge.from, edge.to, edge.label));
        }
        line("story", &witness.story);
    }
    text
}

/// Checks `tests/rules/<rule>.cu`, whose kernel is `k(unsigned* data, unsigned* flag, unsigned* out)`, with one seed
/// (the words name blocks, which depend on the schedule).
fn snapshot(rule: &str, grid: u32, block: u32, times: u32) {
    let source =
        std::fs::read_to_string(format!("tests/rules/{rule}.cu")).expect("a fixture of the rule's name");
    let mut bench = Bench::new(&source, "k", &[]);
    bench.times = times;
    let arguments = [zeros("data", 256), zeros("flag", 1), Argument::Words("out", 256, None)];
    let outcome = bench.check(grid, block, &arguments, 1..2, &|_| Options::default());
    let finding = outcome.verdict.findings.iter().find(|f| f.rule == rule);
    let finding = finding.unwrap_or_else(|| panic!("{rule} not found in {:#?}", outcome.verdict));
    insta::with_settings!({ snapshot_path => "../rules/snapshots", prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(rule, told(finding));
    });
}

macro_rules! rules {
    ($($name:ident $rule:literal $grid:literal $block:literal $times:literal;)*) => {
        $(#[test] fn $name() { snapshot($rule, $grid, $block, $times); })*

        #[test]
        fn every_rule_has_a_page_a_fixture_and_a_snapshot() {
            let covered = [$($rule),*];
            let pages: Vec<&str> = rules::all().iter().map(|p| p.rule).collect();
            assert_eq!(pages, covered);
            for page in rules::all() {
                assert_eq!(rules::page(page.rule), Some(page));
                for part in [page.summary, page.what, page.why, page.example, page.instead, page.guide] {
                    assert!(!part.trim().is_empty(), "{}", page.rule);
                }
                assert!(page.to_string().lines().all(|l| l.len() <= 130), "{}", page.rule);
            }
        }
    };
}

// Grid, block, launches in a row on the same buffers.
rules! {
    atomic_scope_too_narrow "atomic-scope-too-narrow" 2 1 1;
    barrier_skipped "barrier-skipped" 1 64 1;
    counter_not_reset "counter-not-reset" 3 32 2;
    divergent_barrier "divergent-barrier" 1 64 1;
    fence_after_announcement "fence-after-announcement" 2 1 1;
    fence_scope_too_narrow "fence-scope-too-narrow" 2 1 1;
    missing_atomic "missing-atomic" 2 1 1;
    missing_barrier "missing-barrier" 1 64 1;
    missing_consumer_fence "missing-consumer-fence" 2 1 1;
    missing_fence "missing-fence" 2 1 1;
    no_progress "no-progress" 2 1 1;
    out_of_bounds "out-of-bounds" 1 64 1;
    same_value_write "same-value-write" 2 1 1;
    uninitialised_read "uninitialised-read" 1 32 1;
    volatile_is_not_ordering "volatile-is-not-ordering" 2 1 1;
}
