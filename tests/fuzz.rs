//! The fuzz targets as a bounded test: every kept input, and changed and joined ones made from them. `fuzz/README.md`
//! says how they are fuzzed for longer.

use std::path::Path;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

#[path = "../fuzz/targets.rs"]
mod targets;

/// Longest input, in bytes: what the fuzzers use.
const LONGEST: usize = 16 << 10;
/// Changed inputs a target. `PROPTEST_CASES` sets another number.
const CASES: u32 = 300;
/// None takes a second; a loaded machine gets room.
const MOST_TIME: Duration = Duration::from_secs(60);

/// The kept inputs of a target, in name order.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| std::fs::read(file).unwrap()).collect()
}

/// One change of an input. Places are fractions of its length, so that they fit any.
#[derive(Debug, Clone)]
enum Change {
    Set(u16, u8),
    Insert(u16, Vec<u8>),
    Remove(u16, u16),
    Repeat(u16, u16, u8),
    /// The other input from a place on.
    Join(prop::sample::Index, u16, u16),
}

fn change() -> impl Strategy<Value = Change> {
    let words = prop::sample::select(
        &[
            "\n",
            "{",
            "}",
            "(",
            ")",
            "[",
            "]",
            "\"",
            "'",
            "/*",
            "*/",
            "\\\n",
            "#if 0\n",
            "#endif\n",
            "#line 9 \"x\"\n",
            "R\"(",
            "-1",
            "9223372036854775808",
            "0x",
            "\0",
            "\u{202e}",
            "é",
            "@@ -1,9 +1,9 @@\n",
            "+",
            "= [",
            "__global__ ",
            "template<",
            "namespace a {",
            ".reg .b32 ",
            "%r1",
            ", ",
        ][..],
    );
    prop_oneof![
        (any::<u16>(), any::<u8>()).prop_map(|(at, byte)| Change::Set(at, byte)),
        (any::<u16>(), words).prop_map(|(at, word)| Change::Insert(at, word.as_bytes().to_vec())),
        (any::<u16>(), prop::collection::vec(any::<u8>(), 1..6)).prop_map(|(at, b)| Change::Insert(at, b)),
        (any::<u16>(), any::<u16>()).prop_map(|(at, length)| Change::Remove(at, length)),
        (any::<u16>(), any::<u16>(), 1..40u8).prop_map(|(at, length, n)| Change::Repeat(at, length, n)),
        (any::<prop::sample::Index>(), any::<u16>(), any::<u16>())
            .prop_map(|(other, from, at)| Change::Join(other, from, at)),
    ]
}

fn changed(mut input: Vec<u8>, changes: &[Change], corpus: &[Vec<u8>]) -> Vec<u8> {
    let place = |at: u16, length: usize| usize::from(at) * (length + 1) / (usize::from(u16::MAX) + 1);
    for change in changes {
        let length = input.len();
        match change {
            Change::Set(at, byte) => {
                if let Some(old) = input.get_mut(place(*at, length)) {
                    *old = *byte;
                }
            }
            Change::Insert(at, bytes) => {
                let at = place(*at, length);
                input.splice(at..at, bytes.iter().copied());
            }
            Change::Remove(at, count) => {
                let at = place(*at, length);
                input.drain(at..(at + place(*count, 64)).min(length));
            }
            Change::Repeat(at, count, times) => {
                let at = place(*at, length);
                let piece = input[at..(at + place(*count, 64)).min(length)].repeat(usize::from(*times));
                input.splice(at..at, piece);
            }
            Change::Join(other, from, at) => {
                let other = other.get(corpus);
                input.truncate(place(*at, length));
                input.extend(&other[place(*from, other.len())..]);
            }
        }
        input.truncate(LONGEST);
    }
    input
}

/// Runs a target on one input, in bounded time.
fn run(name: &str, target: fn(&[u8]), input: &[u8]) {
    let begun = Instant::now();
    target(input);
    assert!(begun.elapsed() < MOST_TIME, "{name} took {:?} on {} bytes", begun.elapsed(), input.len());
}

#[test]
fn every_kept_input_is_read() {
    for (name, target) in targets::TARGETS {
        let corpus = corpus(name);
        assert!(corpus.len() >= 2, "{name} has no corpus");
        corpus.iter().for_each(|input| run(name, target, input));
    }
}

#[test]
fn changed_inputs_are_read() {
    for (name, target) in targets::TARGETS {
        let corpus = corpus(name);
        let cases = std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(CASES);
        // What fails is kept by hand in the corpus, where the fuzzers see it too.
        let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
        let inputs = (any::<prop::sample::Index>(), prop::collection::vec(change(), 1..8));
        let result = runner.run(&inputs, |(index, changes)| {
            run(name, target, &changed(index.get(&corpus).clone(), &changes, &corpus));
            Ok(())
        });
        assert!(result.is_ok(), "{name}: {}", result.unwrap_err());
    }
}
