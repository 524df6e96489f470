//! Every row of the ticket's truth table as a whole kernel: `tests/model/truth_table/*.cu`, by both clocks.
//!
//! The head of each file says what either clock must find, and whether the strictest GPU gives wrong totals.

use warpgrade::model::{Adversary, Options};
use warpgrade::record::{KernelVerdict, Severity, Verdict};

use crate::bench::{Bench, zeros};

const BLOCKS: u32 = 16;

fn expected<'a>(text: &'a str, what: &str) -> &'a str {
    let start = format!("// {what}: ");
    text.lines().find_map(|l| l.strip_prefix(&start)).unwrap_or_else(|| panic!("no `{start}` line"))
}

fn described(verdict: &KernelVerdict) -> String {
    let mut words = vec![match verdict.verdict {
        Verdict::Defined => "defined".to_owned(),
        Verdict::Undefined => "undefined".to_owned(),
        Verdict::Unknown => "unknown".to_owned(),
    }];
    let mut rules: Vec<String> = verdict
        .findings
        .iter()
        .map(|f| match f.severity {
            Severity::Note => format!("note:{}", f.rule),
            _ => f.rule.clone(),
        })
        .collect();
    rules.sort();
    rules.dedup();
    words.append(&mut rules);
    words.join(" ")
}

#[test]
fn every_row_by_both_clocks_and_with_old_values() {
    let mut rows = 0;
    for entry in std::fs::read_dir("tests/model/truth_table").expect("the folder is there") {
        let file = entry.expect("a file").path();
        let text = std::fs::read_to_string(&file).expect("readable");
        let bench = Bench::new(&text, "sum", &[]);
        let arguments = [zeros("partials", u64::from(BLOCKS)), zeros("counter", 1), zeros("total", 1)];
        for strict in [false, true] {
            let what = if strict { "strict" } else { "lenient" };
            let options = |_| Options { strict, ..Options::default() };
            let outcome = bench.check(BLOCKS, 16, &arguments, 0..10, &options);
            assert_eq!(described(&outcome.verdict), expected(&text, what), "{} {what}", file.display());
        }
        let nasty = |_| Options { adversary: Adversary::Oldest, ..Options::default() };
        let outcome = bench.check(BLOCKS, 16, &arguments, 0..10, &nasty);
        let exact = BLOCKS * (BLOCKS + 1) / 2;
        let wrong = outcome.outputs.iter().filter(|total| total[0] != exact).count();
        match expected(&text, "stale") {
            "never" => assert_eq!(wrong, 0, "{}", file.display()),
            "always" => assert_eq!(wrong, 10, "{}", file.display()),
            other => panic!("`{other}` is neither `never` nor `always`"),
        }
        rows += 1;
    }
    assert_eq!(rows, 10);
}
