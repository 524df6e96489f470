//! The course's kernels, from the exercises' templates: verdicts, and rows on the strictest GPU.

use warpgrade::model::{Adversary, Options};
use warpgrade::record::{Severity, Verdict};

use crate::bench::{Argument, Bench, Outcome, zeros};

const DAY27: &str = include_str!("../../exercises/day27-memory-model/template.cu");
const DAY62: &str = include_str!("../../exercises/day62-racecheck/template.cu");

fn ones(_: u64) -> u32 {
    1f32.to_bits()
}

fn iota(i: u64) -> u32 {
    (i as f32).to_bits()
}

/// The verdict by two seeds, then five rows with the adversary at the places that raced.
fn check_and_run(bench: &Bench, grid: u32, block: u32, arguments: &[Argument]) -> (Outcome, Vec<Vec<u32>>) {
    let verdict = bench.check(grid, block, arguments, 0..2, &|_| Options::default());
    let rows = bench.check(grid, block, arguments, 0..5, &|seed| Options {
        adversary: Adversary::Mixed(seed),
        watch: Some(verdict.plan.watch.clone()),
        splits: verdict.plan.splits.clone(),
        ..Options::default()
    });
    (verdict, rows.outputs)
}

fn sum_of(source: &str, kernel: &str) -> (Outcome, Vec<Vec<u32>>) {
    let n = 20_003;
    let arguments = [
        Argument::Words("in", n, Some(ones)),
        zeros("partials", 64),
        zeros("total", 1),
        zeros("counter", 1),
        Argument::Scalar(n.to_le_bytes().to_vec()),
    ];
    check_and_run(&Bench::new(source, kernel, &[]), 64, 256, &arguments)
}

fn rules(outcome: &Outcome) -> Vec<&str> {
    outcome.verdict.findings.iter().map(|f| f.rule.as_str()).collect()
}

#[test]
fn day27_fenced_is_defined_with_the_note_and_always_exact() {
    let (outcome, rows) = sum_of(DAY27, "sumLastBlockFenced");
    assert_eq!(outcome.verdict.verdict, Verdict::Defined);
    assert_eq!(rules(&outcome), ["missing-consumer-fence"]);
    assert!(outcome.plan.is_empty(), "nothing needs to be watched");
    assert!(rows.iter().all(|total| f32::from_bits(total[0]) == 20_003.0), "{rows:?}");
}

#[test]
fn day27_racy_lacks_a_fence_and_is_always_wrong() {
    let (outcome, rows) = sum_of(DAY27, "sumLastBlockRacy");
    assert_eq!(outcome.verdict.verdict, Verdict::Undefined);
    assert_eq!(rules(&outcome), ["missing-fence"]);
    assert!(rows.iter().all(|total| f32::from_bits(total[0]) != 20_003.0), "{rows:?}");
}

/// The fenced kernel's fence, moved or written otherwise.
#[test]
fn day27_fences_are_judged_by_what_they_do_and_not_by_how_they_are_written() {
    let fence = "        __threadfence();\n";
    let at = DAY27.find(fence).expect("the template's one fence");
    let below = |line: &str, after: &str| {
        let without = DAY27.replacen(fence, "", 1);
        let (head, tail) = without.split_at(at);
        let end = tail.find(after).expect("the place to move it to") + after.len();
        format!("{head}{}{line}{}", &tail[..end], &tail[end..])
    };
    let instead = |text: &str| DAY27.replacen(fence, text, 1);
    let ticket = "atomicAdd(counter, 1u);\n";
    let cases = [
        (instead(fence), None),
        (instead("        asm volatile(\"membar.gl;\" ::: \"memory\");\n"), None),
        (instead("        __threadfence_system();\n"), None),
        (format!("#define PUBLISH __threadfence()\n{}", instead("        PUBLISH;\n")), None),
        (
            format!(
                "__device__ inline void publish() {{ __threadfence(); }}\n{}",
                instead("        publish();\n")
            ),
            None,
        ),
        (
            format!(
                "#include <cuda/atomic>\n{}",
                instead(
                    "        cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_device);\n"
                )
            ),
            None,
        ),
        (instead(""), Some("missing-fence")),
        (instead("        __threadfence_block();\n"), Some("fence-scope-too-narrow")),
        (below(fence, ticket), Some("fence-after-announcement")),
        (below("    __threadfence();\n", "    }\n"), Some("fence-after-announcement")),
    ];
    for (source, want) in cases {
        let (outcome, rows) = sum_of(&source, "sumLastBlockFenced");
        let wrong = rows.iter().filter(|total| f32::from_bits(total[0]) != 20_003.0).count();
        match want {
            None => {
                assert_eq!(outcome.verdict.verdict, Verdict::Defined);
                assert_eq!(wrong, 0);
            }
            Some(rule) => {
                assert_eq!(rules(&outcome), [rule]);
                assert_eq!(wrong, 5, "{rule}");
            }
        }
    }
}

#[test]
fn day27_tallies() {
    for (kernel, rule) in
        [("tallyBlocksDeviceScope", None), ("tallyBlocksBlockScope", Some("atomic-scope-too-narrow"))]
    {
        let bench = Bench::new(DAY27, kernel, &[]);
        let (outcome, rows) = check_and_run(&bench, 32, 256, &[zeros("tally", 1)]);
        assert_eq!(rules(&outcome), Vec::from_iter(rule));
        assert_eq!(rows.iter().all(|tally| tally[0] == 32 * 256), rule.is_none(), "{rows:?}");
    }
}

fn day62(kernel: &str, threads: u32) -> (Outcome, Vec<Vec<u32>>) {
    let n = 8803u64;
    let tiles = n.div_ceil(u64::from(threads));
    let mut arguments = vec![
        Argument::Words("in", n, Some(iota)),
        Argument::Words("out", n, None),
        Argument::Scalar(n.to_le_bytes().to_vec()),
    ];
    let mut grid = tiles;
    if kernel.starts_with("reverse") {
        arguments.push(Argument::Scalar(tiles.to_le_bytes().to_vec()));
        grid = tiles.div_ceil(4);
    }
    check_and_run(&Bench::new(DAY62, kernel, &[]), grid as u32, threads, &arguments)
}

fn scan_is_right(out: &[u32], threads: u64) -> bool {
    let mut sum = 0.0;
    out.iter().zip(0..).all(|(word, i): (_, u64)| {
        sum = if i.is_multiple_of(threads) { i as f32 } else { sum + i as f32 };
        f32::from_bits(*word) == sum
    })
}

#[test]
fn day62_racy_scan_is_found_and_wrong_inside_a_warp_and_across_warps() {
    let line =
        1 + DAY62.lines().position(|l| l.contains("tile[tid] += tile[tid - offset]")).expect("the racy line");
    for (threads, severity) in [(32, Severity::WithinWarp), (256, Severity::Error)] {
        let (outcome, rows) = day62("scanTileRacy", threads);
        assert_eq!(rules(&outcome), ["missing-barrier"]);
        let finding = &outcome.verdict.findings[0];
        assert_eq!(finding.severity, severity);
        assert_eq!(finding.first.at.line as usize, line);
        let wrong = rows.iter().filter(|out| !scan_is_right(out, u64::from(threads))).count();
        assert_eq!(wrong, 5, "at {threads} threads");
    }
}

#[test]
fn day62_divergent_reverse_is_found_at_both_sizes() {
    for threads in [32, 256] {
        let (outcome, _) = day62("reverseTilesDivergentBarrier", threads);
        assert_eq!(outcome.verdict.verdict, Verdict::Undefined);
        assert!(rules(&outcome).iter().all(|r| matches!(*r, "barrier-skipped" | "divergent-barrier")));
    }
}
