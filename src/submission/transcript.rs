//! Program output as students paste it: the rows of the contract's tables.

/// A row of one of the contract's tables, read back from text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TranscriptRow {
    pub kernel: String,
    /// `sum`, `tally`, `sweep`.
    pub table: &'static str,
    /// 1-based line in the text.
    pub line: u32,
    /// Blocks of the launch, from the last `N blocks x M threads` line above, where there is one.
    pub blocks: Option<u64>,
    /// Threads of a block: the row's own (sweep), or from the line above.
    pub threads: Option<u64>,
    pub runs: Option<u64>,
    pub wrong: Option<u64>,
    pub first_bad_run: Option<u64>,
    /// `total there`, as printed.
    pub total: Option<String>,
    pub lowest: Option<u64>,
    pub want: Option<u64>,
    pub mismatches: Option<u64>,
    pub first_bad: Option<u64>,
    pub gated: Option<bool>,
}

/// Longest line that can be a row, in bytes.
const LONGEST_ROW: usize = 400;

/// The table rows in a text, in order. Anything else in it is passed over.
pub fn rows(text: &str) -> Vec<TranscriptRow> {
    let mut found = Vec::new();
    let mut launch: (Option<u64>, Option<u64>) = (None, None);
    let mut tally = false;
    for (number, line) in (1u32..).zip(text.lines()) {
        if line.len() > LONGEST_ROW {
            continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        if let Some(sizes) = launch_sizes(&words) {
            launch = sizes;
            continue;
        }
        match words.as_slice() {
            ["kernel", ..] => tally = false,
            ["tally", "kernel", ..] | ["tally-kernel", ..] => tally = true,
            _ => {
                if let Some(mut row) = row(&words, tally) {
                    row.line = number;
                    row.blocks = launch.0;
                    row.threads = row.threads.or(launch.1);
                    found.push(row);
                }
            }
        }
    }
    found
}

/// `1024 blocks x 256 threads, 100 launches per kernel`.
fn launch_sizes(words: &[&str]) -> Option<(Option<u64>, Option<u64>)> {
    let [blocks, unit, "x", threads, rest, ..] = words else { return None };
    (unit.starts_with("block") && rest.starts_with("thread"))
        .then(|| (whole(blocks), whole(threads)))
        .filter(|sizes| sizes.0.is_some() && sizes.1.is_some())
}

fn row(words: &[&str], tally: bool) -> Option<TranscriptRow> {
    if let Some(row) = sweep_row(words) {
        return Some(row);
    }
    match words {
        [kernel, runs, wrong, third, fourth, ..] if is_kernel(kernel) => {
            let runs = whole(runs)?;
            let base = TranscriptRow {
                kernel: (*kernel).to_owned(),
                runs: Some(runs),
                wrong: Some(whole(wrong)?),
                ..TranscriptRow::default()
            };
            // A run's number is below the number of runs; a lowest count of a tally hardly ever is.
            let sum = *third == "-" || (!tally && whole(third)? < runs && !kernel.starts_with("tally"));
            if sum {
                Some(TranscriptRow {
                    table: "sum",
                    first_bad_run: dash_or(third)?,
                    total: is_number_or_dash(fourth).then(|| (*fourth).to_owned()).filter(|t| t != "-"),
                    ..base
                })
            } else {
                Some(TranscriptRow {
                    table: "tally",
                    lowest: Some(whole(third)?),
                    want: Some(whole(fourth)?),
                    ..base
                })
            }
        }
        _ => None,
    }
}

/// `256  scanTileFixed  0  -  yes`. A row's name may have more words than the kernel's: `reverseBlock -DSKIP_SYNC`.
fn sweep_row(words: &[&str]) -> Option<TranscriptRow> {
    let end = words.iter().position(|word| matches!(*word, "yes" | "no"))?;
    let [threads, name @ .., mismatches, first_bad] = &words[..end] else { return None };
    // What follows the kernel's name is an option or stands in brackets; anything else is prose.
    let added = |word: &&str| word.starts_with(['-', '(']);
    let labelled = name.len() <= 4 && name.get(1).is_none_or(added);
    if !name.first().is_some_and(|kernel| is_kernel(kernel)) || !labelled {
        return None;
    }
    Some(TranscriptRow {
        kernel: name.join(" "),
        table: "sweep",
        threads: Some(whole(threads)?),
        mismatches: Some(whole(mismatches)?),
        first_bad: dash_or(first_bad)?,
        gated: Some(words[end] == "yes"),
        ..TranscriptRow::default()
    })
}

fn is_kernel(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn whole(word: &str) -> Option<u64> {
    word.replace([',', '\''], "").parse().ok()
}

/// `-` is none; anything but it and a whole number is no row.
fn dash_or(word: &str) -> Option<Option<u64>> {
    if word == "-" { Some(None) } else { whole(word).map(Some) }
}

fn is_number_or_dash(word: &str) -> bool {
    word == "-" || word.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn both_tables_of_the_sums_are_read() {
        let text = "GPU: x\n8192 blocks x 256 threads, 100 launches per kernel\n\n\
            kernel                runs  wrong  first bad run     total there\n\
            sumLastBlockRacy       100      3             17         4190820\n\
            sumLastBlockFenced     100      0              -               -\n\n\
            tally kernel              runs  wrong   lowest count        want\n\
            tallyBlocksBlockScope      100     99             12      262144\n";
        let rows = rows(text);
        assert_eq!(rows.len(), 3);
        assert_eq!((rows[0].wrong, rows[0].first_bad_run, rows[0].blocks), (Some(3), Some(17), Some(8192)));
        assert_eq!(rows[0].total.as_deref(), Some("4190820"));
        assert_eq!((rows[1].table, rows[1].first_bad_run, rows[1].line), ("sum", None, 6));
        assert_eq!((rows[2].table, rows[2].lowest, rows[2].want), ("tally", Some(12), Some(262_144)));
    }

    #[test]
    fn the_sweep_is_read() {
        let text = "threads  kernel mismatches first bad gated\n-------  ---- --- --- ---\n\
            \x20    32  reverseTilesDivergentBarrier  3  8800  no\n    256  scanTileFixed  0  -  yes\n";
        let rows = rows(text);
        assert_eq!(rows.len(), 2);
        assert_eq!((rows[0].threads, rows[0].first_bad, rows[0].gated), (Some(32), Some(8800), Some(false)));
        assert_eq!((rows[1].mismatches, rows[1].first_bad, rows[1].gated), (Some(0), None, Some(true)));
    }

    #[test]
    fn a_rows_name_may_have_several_words() {
        let rows = rows(
            "    256  reverseBlock -DSKIP_SYNC   64   96   no\n256 reverseBlock (partial tile) 0 - no\n",
        );
        let names: Vec<&str> = rows.iter().map(|row| row.kernel.as_str()).collect();
        assert_eq!(names, ["reverseBlock -DSKIP_SYNC", "reverseBlock (partial tile)"]);
        assert_eq!(rows[0].mismatches, Some(64));
    }

    #[test]
    fn prose_is_no_row() {
        assert_eq!(rows("I saw 3 of 100 runs fail\nx 1 2\nkernel a b c d\n12 threads of 34 56 no\n"), []);
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "(\\PC|\n| ){0,300}") {
            rows(&text);
        }
    }
}
