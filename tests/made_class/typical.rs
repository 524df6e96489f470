//! What most people hand in: the exercise, done well, or with one of the usual misconceptions.

use super::Dice;
use super::programs::{file, in_own_style, starter, with_kernel, with_own_statement};

/// Names and bytes.
pub type Files = Vec<(String, Vec<u8>)>;

pub const DAY62: &str = "day62-racecheck";
pub const DAY27: &str = "day27-memory-model";

pub fn hand_in(exercise: &str, dice: &mut Dice) -> (String, Files) {
    match exercise {
        DAY27 => day27(dice),
        _ => day62(dice),
    }
}

/// Where a kernel comes from, by how many of a class write it so; `solution` is the usual right one.
const SCANS: [(usize, &str); 12] = [
    (40, "solution"),
    (9, "unmended"),
    (6, "scan-two-buffers"),
    (3, "scan-warp-shuffles"),
    (5, "scan-second-barrier-missing"),
    (5, "scan-first-barrier-missing"),
    (4, "scan-barrier-in-guard"),
    (3, "scan-warp-barrier"),
    (3, "scan-fence-instead"),
    (2, "scan-two-buffers-no-barrier"),
    (2, "scan-wrong-offset"),
    (1, "scan-writes-nothing"),
];
const REVERSES: [(usize, &str); 7] = [
    (45, "solution"),
    (12, "reverse-barrier-in-guard"),
    (4, "reverse-first-barrier-missing"),
    (5, "reverse-second-barrier-missing"),
    (6, "reverse-registers"),
    (4, "reverse-early-exit"),
    (3, "reverse-wrong-index"),
];

fn day62(dice: &mut Dice) -> (String, Files) {
    let (scan, reverse) = (dice.weigh(&SCANS), dice.weigh(&REVERSES));
    let mut program = starter(DAY62);
    program = with_kernel(&program, "scanTileFixed", &source(DAY62, scan));
    program = with_kernel(&program, "reverseTilesFixed", &source(DAY62, reverse));
    let mut kind = format!("{scan} {reverse}");
    if dice.one_in(8) {
        program = with_own_statement(&program, "scanTileFixed", dice);
        kind.push_str(" own");
    }
    let name = dice.pick(&["racecheck.cu", "day62.cu", "my solution.cu", "Racecheck_final(2).cu"]);
    let mut files = vec![(name.to_owned(), in_own_style(&program, "somebody", dice))];
    if !dice.one_in(12) {
        files.push(("answers.toml".to_owned(), answers62(dice).into_bytes()));
    }
    (kind, files)
}

fn source(exercise: &str, name: &str) -> String {
    match name {
        "solution" => file(&format!("reference/{exercise}/solution.cu")),
        mutant => file(&format!("reference/{exercise}/mutants/{mutant}.cu")),
    }
}

fn answers62(dice: &mut Dice) -> String {
    const WHY: [&str; 7] = [
        "The barriers stand inside the guard if (i < n), so on the partial tile some threads of the block never reach them.",
        "The barriers are inside of the guard if (i < n), so on the partial tile some threads of the block never reach them!",
        "In the last tile not every thread enters the if, but __syncthreads() must be reached by all of them.",
        "It diverges.",
        "The memory is not initialised.",
        "Threads past the end skip the barrier that others wait at (line 101, the condition i < n).",
        "Ein Teil der Threads erreicht die Barriere nicht, weil sie im if steht.",
    ];
    let answers = [
        ("scan_tool", dice.weigh(&[(8, "racecheck"), (1, "both"), (1, "synccheck")])),
        ("scan_line", "the line tile[tid] += tile[tid - offset]; in the step's if"),
        ("scan_severity_32", dice.weigh(&[(6, "warning"), (3, "error"), (1, "nothing")])),
        ("scan_severity_256", dice.weigh(&[(9, "error"), (1, "warning")])),
        ("reverse_tool", dice.weigh(&[(5, "neither"), (4, "synccheck")])),
        ("reverse_why", dice.pick(&WHY)),
    ];
    // Here and there one is forgotten.
    let given = answers.into_iter().filter(|_| !dice.one_in(15));
    given.map(|(id, value)| format!("{id} = \"{value}\"\n")).collect()
}

const FENCED: [(usize, &str); 13] = [
    (60, "solution"),
    (6, "fence-both-sides"),
    (4, "fence-system-scope"),
    (3, "atomic-ref-acq-rel"),
    (2, "fence-thread-fence-cpp"),
    (2, "fence-inline-assembly"),
    (4, "fence-removed"),
    (5, "fence-above-the-store"),
    (3, "fence-block-scope"),
    (2, "volatile-instead-of-fence"),
    (2, "missing-barrier"),
    (2, "counter-reset-inside"),
    (2, "ticket-block-scope"),
];

fn day27(dice: &mut Dice) -> (String, Files) {
    let fenced = dice.weigh(&FENCED);
    let below = dice.weigh(&[(8, "fence-below"), (2, "fence-below-the-if")]);
    let mut own = with_kernel(&starter(DAY27), "sumLastBlockFenced", &source(DAY27, fenced));
    let mut kind = fenced.to_owned();
    if dice.one_in(10) {
        own = with_own_statement(&own, "sumLastBlockFenced", dice);
        kind.push_str(" own");
    }
    let moved = with_kernel(&starter(DAY27), "sumLastBlockFenced", &source(DAY27, below));
    let large = own.replacen("constexpr int kBlocks = 1024;", "constexpr int kBlocks = 8192;", 1);
    let named = dice.pick(&[["a.cu", "b.cu", "c.cu"], ["day27.cu", "day27_below.cu", "day27_8192.cu"]]);
    let handed = dice.weigh(&[(14, 3), (3, 2), (3, 1)]);
    let mut files: Files = [own, moved, large]
        .into_iter()
        .zip(named)
        .take(handed)
        .map(|(program, name)| (name.to_owned(), in_own_style(&program, "somebody", dice)))
        .collect();
    if !dice.one_in(12) {
        files.push(("answers.toml".to_owned(), answers27(dice).into_bytes()));
    }
    (kind, files)
}

fn answers27(dice: &mut Dice) -> String {
    const WHY: [&str; 6] = [
        "The fence below the atomic leaves the store of the partial sum and the atomic that announces it without an order, so the last block may read an old partial sum.",
        "The fence below the atomic leaves the store of the partial sum and the atomic which announces it without any order, so the last block may read an old partial sum",
        "The ticket is already out before the fence, so another block can see the ticket and not yet the stored partial.",
        "A fence costs time, so moving it makes no difference.",
        "Because the order matters.",
        "Nothing orders the write of partials before the atomicAdd any more.",
    ];
    let count = dice.weigh(&[(8, 0), (1, 3), (1, 100)]);
    let mut text = format!("wrong_as_given = {count}\n");
    if !dice.one_in(8) {
        text.push_str("wrong_fence_below = [0, 0, 0]\n");
    }
    text.push_str("wrong_blocks_8192 = 0\n");
    if !dice.one_in(10) {
        text.push_str(&format!("why = \"{}\"\n", dice.pick(&WHY)));
    }
    text
}
