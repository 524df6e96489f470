//! The exercises' own programs, edited as the exercises ask.

use super::runs::{Run, Submission, exercise_file, replace};

const DAY27: &str = "day27-memory-model";
const DAY62: &str = "day62-racecheck";
const REVERSE: &str = "syncthreads-reverse";
const STORE: &str = "        partials[blockIdx.x] = blockSum;\n";
const FENCE: &str = "        __threadfence();\n";
const TICKET: &str = "        const unsigned int ticket = atomicAdd(counter, 1u);\n";

fn day27() -> String {
    exercise_file("day27-memory-model/template.cu")
}

fn day27_with(tail: &str) -> String {
    replace(&day27(), &format!("{STORE}{FENCE}{TICKET}"), tail, 0)
}

fn grade27(text: &str) -> Run {
    Submission::new(&[("memory_model.cu", text)]).grade(DAY27)
}

fn grade62(text: &str) -> Run {
    Submission::new(&[("racecheck.cu", text)]).grade(DAY62)
}

#[test]
fn day27_unedited_holds_and_its_racy_row_is_wrong() {
    let run = grade27(&day27());
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert!(run.edited_regions().is_empty());
    assert_eq!(run.wrong("as-given", "sumLastBlockFenced"), [0]);
    assert_eq!(run.wrong("as-given", "tallyBlocksDeviceScope"), [0]);
    assert!(run.wrong("as-given", "sumLastBlockRacy")[0] > 0);
    assert_eq!(run.verdict("as-given", "sumLastBlockRacy"), ["missing-fence"]);
    assert_eq!(run.verdict("as-given", "sumLastBlockFenced"), ["defined"]);
    assert_eq!(run.verdict("as-given", "tallyBlocksBlockScope"), ["atomic-scope-too-narrow"]);
    let row = run.rows("as-given", "tallyBlocksDeviceScope")[0];
    assert_eq!(row["want"], "262144");
    let made = run.rows("blocks-8192", "tallyBlocksDeviceScope")[0];
    assert_eq!(made["want"], "2097152");
    assert_eq!(run.notices().iter().filter(|kind| **kind == "configuration-made").count(), 2);
}

#[test]
fn day27_fence_below_is_its_own_configuration_and_gates_nothing() {
    let run = grade27(&day27_with(&format!("{STORE}{TICKET}{FENCE}")));
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert_eq!(run.configuration("fence-below")["origin"], "memory_model.cu");
    assert_eq!(run.configuration("as-given")["origin"], "template");
    assert_eq!(run.verdict("fence-below", "sumLastBlockFenced"), ["fence-after-announcement"]);
    let rows = run.rows("fence-below", "sumLastBlockFenced");
    assert_eq!(rows.len(), 3, "the program is run three times");
    assert!(rows.iter().all(|row| row["gated"] == false));
    assert!(run.wrong("fence-below", "sumLastBlockFenced").iter().sum::<u64>() > 0);
    assert_eq!(run.rows("fence-below", "sumLastBlockRacy")[0]["same_as"], "as-given");
    assert!(run.edited_regions().iter().any(|r| *r == "fenced-tail" || *r == "sumLastBlockFenced"));
}

#[test]
fn day27_8192_blocks_derive_the_count() {
    let run = grade27(&replace(&day27(), "kBlocks = 1024", "kBlocks = 8192", 0));
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert_eq!(run.configuration("blocks-8192")["origin"], "memory_model.cu");
    assert_eq!(run.rows("blocks-8192", "tallyBlocksDeviceScope")[0]["want"], "2097152");
    assert_eq!(run.configuration("blocks-8192")["constants"]["kBlocks"], "8192");
    assert_eq!(run.edited_regions(), ["kBlocks"]);
}

#[test]
fn day27_both_edits_at_once_fail_the_gate() {
    let text =
        replace(&day27_with(&format!("{STORE}{TICKET}{FENCE}")), "kBlocks = 1024", "kBlocks = 8192", 0);
    let run = grade27(&text);
    assert_eq!(run.exit, 1, "{}", run.stderr);
    assert_eq!(run.verdict("blocks-8192", "sumLastBlockFenced"), ["fence-after-announcement"]);
    let failures = run.configuration("blocks-8192")["failures"].to_string();
    assert!(failures.contains("sumLastBlockFenced") && failures.contains("got"), "{failures}");
}

#[test]
fn day27_without_or_above_the_store_the_fence_orders_nothing() {
    for tail in [format!("{STORE}{TICKET}"), format!("{FENCE}{STORE}{TICKET}")] {
        let run = grade27(&day27_with(&tail));
        assert_eq!(run.exit, 1, "{tail}\n{}", run.stderr);
        assert_eq!(run.verdict("as-given", "sumLastBlockFenced"), ["missing-fence"], "{tail}");
        assert!(run.wrong("as-given", "sumLastBlockFenced")[0] > 0);
    }
}

#[test]
fn day27_atomic_ref_is_right_without_a_note() {
    let tail = format!(
        "{STORE}        cuda::atomic_ref<unsigned int, cuda::thread_scope_device> announced(*counter);\n\
         \x20       const unsigned int ticket = announced.fetch_add(1u, cuda::memory_order_acq_rel);\n"
    );
    let run = grade27(&format!("#include <cuda/atomic>\n{}", day27_with(&tail)));
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert_eq!(run.wrong("as-given", "sumLastBlockFenced"), [0]);
    let verdicts = run.configuration("as-given")["verdicts"].as_array().unwrap();
    let fenced = verdicts.iter().find(|v| v["kernel"] == "sumLastBlockFenced").unwrap();
    assert_eq!(fenced["verdict"], "defined");
    assert_eq!(fenced["findings"].as_array().unwrap().len(), 0);
}

#[test]
fn day27_three_programs_are_told_apart_by_their_edits() {
    let below = day27_with(&format!("{STORE}{TICKET}{FENCE}"));
    let large = replace(&day27(), "kBlocks = 1024", "kBlocks = 8192", 0);
    let run = Submission::new(&[("a.cu", &large), ("b.cu", &below), ("c.cu", &day27())]).grade(DAY27);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    for (configuration, file) in [("as-given", "c.cu"), ("fence-below", "b.cu"), ("blocks-8192", "a.cu")] {
        assert_eq!(run.configuration(configuration)["origin"], file);
    }
    // A kernel that is the same program in two files is judged once and told with each file's own lines.
    let racy = run.configuration("fence-below")["verdicts"].as_array().unwrap();
    let racy = racy.iter().find(|v| v["kernel"] == "sumLastBlockRacy").unwrap();
    assert_eq!(racy["findings"][0]["first"]["at"]["file"], "b.cu");
}

#[test]
fn day27_a_constant_answer_fails_on_other_data() {
    let body =
        "    if (blockIdx.x == 0 && threadIdx.x == 0) { total[0] = static_cast<float>(n); }\n    return;\n";
    let text = replace(&day27(), "    __shared__ float tile[kThreadsPerBlock];\n", body, 1);
    let text = replace(&text, "return;\n", "return;\n    __shared__ float tile[kThreadsPerBlock];\n", 0);
    let run = grade27(&text);
    assert_eq!(run.exit, 1, "{}", run.stderr);
    assert_eq!(run.wrong("as-given", "sumLastBlockFenced"), [0]);
    let hidden = run.record["configurations"].as_array().unwrap();
    assert!(hidden.iter().any(|c| c["hidden"] == true && c["gates_held"] == false));
}

const RACY_STEP: &str = "        if (tid >= offset) {\n            tile[tid] += tile[tid - offset];\n        }\n        __syncthreads();\n";
const MENDED_STEP: &str = "        float left = 0.0f;\n        if (tid >= offset) {\n            left = tile[tid - offset];\n        }\n        __syncthreads();\n        tile[tid] += left;\n        __syncthreads();\n";
const GUARDED: &str = "        if (i < n) {\n            tile[tid] = in[i];\n            __syncthreads();\n            out[i] = tile[width - 1u - tid];\n            __syncthreads();\n        }\n";
const HOISTED: &str = "        tile[tid] = (i < n) ? in[i] : 0.0f;\n        __syncthreads();\n        if (i < n) {\n            out[i] = tile[width - 1u - tid];\n        }\n        __syncthreads();\n";

/// Day 62's template with other text for the second scan's step and the second reverse's loop.
fn day62_with(step: &str, tiles: &str) -> String {
    let text = replace(&exercise_file("day62-racecheck/template.cu"), RACY_STEP, step, 1);
    replace(&text, GUARDED, tiles, 1)
}

#[test]
fn day62_mended_holds_at_both_sizes() {
    let run = grade62(&day62_with(MENDED_STEP, HOISTED));
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert_eq!(run.wrong("as-handed-in", "scanTileFixed"), [0, 0]);
    assert_eq!(run.wrong("as-handed-in", "reverseTilesFixed"), [0, 0]);
    assert_eq!(run.verdict("as-handed-in", "scanTileFixed"), ["defined"]);
    assert_eq!(run.verdict("as-handed-in", "reverseTilesFixed"), ["defined"]);
    for row in run.rows("as-handed-in", "scanTileRacy") {
        assert!(row["wrong"].as_u64().unwrap() > 0, "the racy scan is wrong at every size: {row}");
        assert_eq!(row["gated"], false);
    }
    assert!(run.verdict("as-handed-in", "scanTileRacy").iter().all(|rule| rule == "missing-barrier"));
    assert!(
        run.verdict("as-handed-in", "reverseTilesDivergentBarrier")
            .iter()
            .all(|r| r == "barrier-skipped" || r == "divergent-barrier")
    );
}

#[test]
fn day62_as_given_to_the_student_fails() {
    let run = grade62(&exercise_file("day62-racecheck/template.cu"));
    assert_eq!(run.exit, 1, "{}", run.stderr);
    let failures = run.configuration("as-handed-in")["failures"].to_string();
    assert!(failures.contains("scanTileFixed at 32 threads"), "{failures}");
    assert!(failures.contains("first at index"), "{failures}");
}

#[test]
fn day62_a_step_with_one_barrier_in_the_wrong_place_fails() {
    let wrong = "        if (tid >= offset) {\n            tile[tid] += tile[tid - offset];\n        }\n        __syncthreads();\n        __syncthreads();\n";
    let run = grade62(&day62_with(wrong, HOISTED));
    assert_eq!(run.exit, 1, "{}", run.stderr);
    assert!(run.verdict("as-handed-in", "scanTileFixed").contains(&"missing-barrier".to_owned()));
}

#[test]
fn the_block_reverse_needs_its_barrier() {
    let template = exercise_file("syncthreads-reverse/template.cu");
    let run = Submission::new(&[("reverse.cu", &template)]).grade(REVERSE);
    assert_eq!(run.exit, 1, "{}", run.stderr);
    assert!(run.verdict("as-handed-in", "reverseBlock").contains(&"missing-barrier".to_owned()));
    assert!(run.verdict("as-handed-in", "reverseBlock -DSKIP_SYNC").contains(&"missing-barrier".to_owned()));
}
