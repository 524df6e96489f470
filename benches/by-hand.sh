#!/usr/bin/env bash
# What a TA does by hand to look at one submission, and what warpgrade does with it, in turn, on a machine with a GPU.
#
#   benches/by-hand.sh [ROUNDS] [WARPGRADE]      (3 rounds; target/release/warpgrade, built when it is missing)
#
# By hand means: nvcc for each configuration, the runs that the exercise asks for, then compute-sanitizer over each
# program. warpgrade is timed as a whole process, from an empty page to the verdict; its rows alone are the whole
# process less the seconds that result.json names for the checker. Medians of the rounds, and their ratios.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-3}
bin=${2:-target/release/warpgrade}
for tool in nvcc compute-sanitizer nvidia-smi; do
    command -v "$tool" > /dev/null || {
        echo "by-hand.sh needs $tool: a machine with an NVIDIA GPU and the CUDA toolkit" >&2
        exit 3
    }
done
[ -x "$bin" ] || { cargo build --release && bin=target/release/warpgrade; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

day27=exercises/day27-memory-model/examples/three-programs
day62=exercises/day62-racecheck/examples/both-mended

now() { date +%s%N; }
# seconds NAME COMMAND...: runs it and appends its seconds to NAME's list. A TA looks at failures too: they are no error here.
seconds() {
    local name=$1 begun
    shift
    begun=$(now)
    "$@" > "$work/last.out" 2>&1 || true
    awk -v a="$begun" -v b="$(now)" 'BEGIN { printf "%.4f\n", (b - a) / 1e9 }' >> "$work/$name"
}
median() { sort -n "$work/$1" | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
build() { nvcc -std=c++17 -O3 -arch=native -lineinfo -o "$2" "$1"; }

day27_rows() {
    build $day27/memory_model.cu "$work/given"
    build $day27/memory_model_2.cu "$work/below"
    build $day27/memory_model_3.cu "$work/large"
    "$work/given" || true
    for _ in 1 2 3; do "$work/below" || true; done
    "$work/large" || true
}
day27_tool() { for p in given below large; do compute-sanitizer --tool racecheck "$work/$p" || true; done; }
day62_rows() {
    build $day62/racecheck.cu "$work/race"
    "$work/race" || true
}
day62_tool() {
    for mode in buggy fixed; do
        for tool in racecheck synccheck; do compute-sanitizer --tool $tool "$work/race" $mode || true; done
    done
}
day27_hand() { day27_rows && day27_tool; }
day62_hand() { day62_rows && day62_tool; }
ours() { "$bin" grade "$1" "$2" --device cuda --report "$work/report"; }
# The seconds of the last grading outside the checker.
less_check() {
    local whole check
    whole=$(tail -1 "$work/$1")
    check=$(grep -o '"check": *[0-9.]*' "$work/report/result.json" | head -1 | grep -o '[0-9.]*$')
    awk -v w="$whole" -v c="$check" 'BEGIN { printf "%.4f\n", w - c }' >> "$work/$1.rows"
}

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
nvcc --version | grep release
compute-sanitizer --version | grep -i version | head -1
"$bin" --version
# Once without the watch: what is cached on disk is cached for both.
day62_rows > /dev/null 2>&1
ours day62-racecheck $day62 > /dev/null 2>&1 || true

for round in $(seq "$rounds"); do
    seconds hand27.rows day27_rows
    seconds hand27 day27_hand
    seconds ours27 ours day27-memory-model $day27
    less_check ours27
    seconds hand62.rows day62_rows
    seconds hand62 day62_hand
    seconds ours62 ours day62-racecheck $day62
    less_check ours62
    echo "round $round: day 27 by hand $(tail -1 "$work/hand27") s, warpgrade $(tail -1 "$work/ours27") s;" \
        "day 62 by hand $(tail -1 "$work/hand62") s, warpgrade $(tail -1 "$work/ours62") s"
done

line() { awk -v what="$1" -v a="$(median "$2")" -v b="$(median "$3")" 'BEGIN { printf "%-52s %8.2f s %8.2f s %7.1f x\n", what, a, b, a / b }'; }
printf '%-52s %10s %10s %9s\n' "medians of $rounds" "by hand" "warpgrade" "ratio"
line "day 27, rows (no tool, no verdict)" hand27.rows ours27.rows
line "day 27, rows and racecheck / rows" hand27 ours27.rows
line "day 27, rows and racecheck / rows and verdict" hand27 ours27
line "day 62, rows (no tool, no verdict)" hand62.rows ours62.rows
line "day 62, rows and two tools / rows and verdict" hand62 ours62
