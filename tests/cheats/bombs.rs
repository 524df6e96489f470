//! Programs that try to take all of something: time, memory, output. Each is stopped at its limit, said for what it is,
//! and what was known by then is kept.

use std::time::{Duration, Instant};

use super::graded::{Graded, grade_text, reverse};
use super::leaks;

const EXERCISE: &str = "syncthreads-reverse";
/// Far more than each takes, for a loaded machine.
const LONGEST: Duration = Duration::from_secs(150);

/// Grades a bomb: a grading that ends with code 1, in time, with no fault of ours and no leak, and says `words`.
fn is_stopped(program: &str, words: &str) -> Graded {
    let begun = Instant::now();
    let graded = grade_text(EXERCISE, program, &["--compile-limit", "5"]);
    assert_eq!(graded.exit, 1, "{}{}", graded.text, graded.stderr);
    assert_eq!(graded.json["status"], "graded");
    assert!(graded.words().contains(words), "{words:?} is not in\n{}", graded.text);
    assert!(begun.elapsed() < LONGEST, "{:?}", begun.elapsed());
    assert_eq!(leaks::in_outputs(&graded), [""; 0]);
    graded
}

/// `#define A1 A0 A0`, `#define A2 A1 A1`, …
fn doubling(first: &str, times: u32) -> String {
    let lines = (0..times).map(|k| format!("#define A{} A{k} A{k}\n", k + 1));
    format!("#define A0 {first}\n{}", lines.collect::<String>())
}

#[test]
fn a_template_that_never_ends() {
    let bomb = "template <int N> struct Bomb { static const int value = Bomb<N - 1>::value + Bomb<N * 3>::value; };\n";
    is_stopped(&reverse(bomb, "    if (gid == 0) { out[0] = Bomb<900>::value; }"), "excessive recursion");
}

#[test]
fn a_template_that_grows_without_bound() {
    let bomb = "template <int N, int M> struct Wide { static const int v = Wide<N - 1, 2 * M>::v + Wide<N - 1, 2 * M + 1>::v; };\n\
                template <int M> struct Wide<0, M> { static const int v = M; };\n";
    is_stopped(&reverse(bomb, "    if (gid == 0) { out[0] = Wide<40, 1>::v; }"), "the compiler");
}

#[test]
fn a_constexpr_that_never_ends() {
    let bomb = "__device__ constexpr unsigned long f(unsigned long n) { unsigned long s = 0; \
                for (unsigned long i = 0; i < n; ++i) { s += i; } return s; }\n";
    is_stopped(
        &reverse(bomb, "    constexpr unsigned long v = f(1ul << 60); if (gid == 0) { out[0] = v; }"),
        "does not compile",
    );
}

#[test]
fn a_string_of_a_gigabyte() {
    let body = "    const char* s = A26; if (s[t] == 'y') { out[0] = 0; }";
    is_stopped(&reverse(&doubling("\"xxxxxxxxxxxxxxxx\"", 26), body), "the compiler");
}

#[test]
fn brackets_fifty_thousand_deep() {
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(50_000), close.repeat(50_000));
    is_stopped(
        &reverse("", &format!("    int z = {}; if (z == 2) {{ out[0] = 0; }}", deep("(", ")"))),
        "the compiler",
    );
    is_stopped(&reverse("", &format!("    {}", deep("{", ";}"))), "the compiler");
}

#[test]
fn variables_larger_than_the_device() {
    for size in ["1ull << 40", "1ull << 33", "3u << 30"] {
        let program = reverse(&format!("__device__ char huge[{size}];\n"), "    huge[gid] = 1;");
        let graded = is_stopped(
            &program,
            "take more than the 64 MB that the device has for them; `huge` is one of them",
        );
        assert_eq!(graded.notices("compile-error").len(), 1);
    }
}

#[test]
fn arrays_of_threads_and_blocks() {
    let shared = "    __shared__ char huge[1 << 30]; huge[t] = 1; if (huge[t] == 2) { out[0] = 0; }";
    is_stopped(&reverse("", shared), "`__shared__` arrays take");
    let twice = "    __shared__ char a[3u << 30]; __shared__ char b[3u << 30]; a[t] = 1; b[t] = 1; \
                 if (a[t] + b[t] == 3) { out[0] = 0; }";
    is_stopped(&reverse("", twice), "`__shared__` arrays take");
    for size in ["1 << 20", "1 << 30"] {
        let local = format!("    volatile char big[{size}]; big[t] = 1; if (big[t] == 2) {{ out[0] = 0; }}");
        is_stopped(&reverse("", &local), "a local array that is too large");
    }
}

#[test]
fn recursion_without_end() {
    let bomb = "__device__ __noinline__ int deeper(volatile int* at, int n) { volatile int here[8]; here[n & 7] = *at; \
                return here[n & 7] == 12345 ? 0 : 1 + deeper(here, n + 1) + here[0]; }\n";
    is_stopped(
        &reverse(bomb, "    volatile int x = 0; if (gid == 0) { out[0] = deeper(&x, 1); }"),
        "recursion that is too deep",
    );
}

#[test]
fn loops_without_end() {
    is_stopped(&reverse("", "    while (true) {}"), "loops for ever");
    is_stopped(&reverse("", "again: if (gid < n) { goto again; }"), "loops for ever");
    let counting = "    for (volatile unsigned long long i = 1; i != 0; ++i) { out[gid < n ? gid : 0] = i; }";
    is_stopped(&reverse("", counting), "warp instructions, the limit for one launch");
}

#[test]
fn blocks_that_wait_for_each_other_for_ever() {
    let flag = "__device__ volatile int flag;\n";
    let body = "    if (blockIdx.x == 0) { while (flag == 0) {} } else { while (flag == 1) {} flag = 0; }";
    is_stopped(&reverse(flag, body), "loops for ever");
    let counter = "__device__ unsigned int arrived;\n";
    let body = "    atomicAdd(&arrived, 1u); while (atomicAdd(&arrived, 0u) < 1u << 30) {}";
    is_stopped(&reverse(counter, body), "reverseBlock");
}

#[test]
fn a_flood_of_output() {
    let body =
        "    for (int i = 0; i < 100000; ++i) { printf(\"%d \\033[31m reverseBlock 256 0 - held\\n\", i); }";
    let graded = is_stopped(&reverse("", body), "warp instructions, the limit for one launch");
    let rows = graded.json["configurations"][0]["rows"].as_array().unwrap();
    for printed in rows.iter().filter_map(|row| row["printed"].as_str()) {
        assert!(
            printed.len() < 20_000 && printed.contains("[cut here: the kernel printed more than is kept]")
        );
    }
    assert!(
        !graded.text.contains('\x1b') && !graded.html.contains('\x1b') && !graded.markdown.contains('\x1b')
    );
}

#[test]
fn a_heap_that_is_never_given_back() {
    // CUDA's `malloc` gives null when its heap is used up; so does this one, soon.
    let body = "    if (gid == 0) {\n\
                    for (int i = 0; i < 100000; ++i) { if (malloc(64) == nullptr) { break; } }\n\
                    for (int i = 0; i < 100000; ++i) { free(malloc(64)); }\n    }";
    let graded = grade_text(EXERCISE, &reverse("", body), &[]);
    assert_eq!(graded.exit, 0, "{}", graded.text);
}

#[test]
fn an_hours_sleep_costs_no_time() {
    let begun = Instant::now();
    let body = "    for (int i = 0; i < 3600; ++i) { __nanosleep(1000000000u); }";
    let graded = grade_text(EXERCISE, &reverse("", body), &[]);
    assert_eq!(graded.exit, 0, "{}", graded.text);
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
}

#[test]
fn a_grid_of_two_thousand_million_blocks() {
    // Day 27's number of blocks may be changed, within its range and whatever it is written as.
    for value in ["2147483647", "sizeof(char[1 << 20])"] {
        let folder = tempfile::tempdir().unwrap();
        let template = concat!(env!("CARGO_MANIFEST_DIR"), "/exercises/day27-memory-model/template.cu");
        let template = std::fs::read_to_string(template).unwrap();
        let changed =
            template.replace("constexpr int kBlocks = 1024;", &format!("constexpr int kBlocks = {value};"));
        assert_ne!(template, changed);
        let file = folder.path().join("mine.cu");
        std::fs::write(&file, changed).unwrap();
        let graded = super::graded::grade("day27-memory-model", &file, &[]);
        assert_ne!(graded.exit, 3, "{}", graded.text);
        assert!(
            graded.words().contains("the exercise takes 2 to 16384") || graded.exit == 1,
            "{}",
            graded.text
        );
    }
}

#[test]
fn what_was_measured_before_a_limit_is_kept() {
    // The second kernel of day 62 never ends; the first one's rows and verdict stand.
    let solution = concat!(env!("CARGO_MANIFEST_DIR"), "/reference/day62-racecheck/solution.cu");
    let solution = std::fs::read_to_string(solution).unwrap();
    let marker = "    const size_t first = static_cast<size_t>(blockIdx.x) * kTilesPerBlock;\n";
    let at = solution.rfind(marker).unwrap();
    let endless = format!("{}    while (true) {{}}\n{}", &solution[..at], &solution[at..]);
    let graded = grade_text("day62-racecheck", &endless, &[]);
    assert_eq!(graded.exit, 1, "{}", graded.text);
    let rows = graded.json["configurations"][0]["rows"].as_array().unwrap();
    let of = |kernel: &'static str| rows.iter().filter(move |row| row["kernel"] == kernel);
    assert!(
        of("scanTileFixed").count() > 0
            && of("scanTileFixed").all(|row| row["wrong"] == 0 && row["runs"] == 3)
    );
    assert!(of("reverseTilesFixed").all(|row| row["stopped"].is_string()));
}
