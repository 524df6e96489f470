//! An access outside its allocation, or misaligned.

use super::case::Case;
use super::page::Page;
use super::rule::{Rule, Words};
use crate::model::{Action, Violation};
use crate::simt::FaultKind;

pub(super) const RULE: Rule = Rule {
    page: Page {
        rule: "out-of-bounds",
        summary: "An access lies outside the memory it belongs to, or is misaligned.",
        what: "
A load, store or atomic whose address is not inside any live allocation or declared variable, or is no multiple of the
access's size, or writes to memory that is read-only.",
        why: "
What lies behind the end of a buffer belongs to somebody else: another buffer, another thread's data, nothing at all. On
hardware such an access may fault, or quietly read and destroy other data; the behaviour is undefined either way.",
        example: "
out[i] = in[i];                                      // the last block has threads with i >= n",
        instead: "
if (i < n) { out[i] = in[i]; }",
        guide: "
CUDA C++ Programming Guide, \"Device Memory Accesses\" (size and alignment requirement); Compute Sanitizer, memcheck.",
    },
    matches: |case| matches!(case.raw.violation, Violation::Bounds(_)),
    say,
};

fn say(case: &Case) -> Words {
    let Violation::Bounds(kind) = &case.raw.violation else { return Words::new("", "") };
    let side = &case.raw.first;
    let at = case.side_at(side);
    let who = super::case::thread(side.block, side.thread);
    let does = match side.action {
        Action::Write => "writes",
        Action::Atomic => "updates",
        _ => "reads",
    };
    match kind {
        FaultKind::OutOfBounds { variable: Some(name), offset, size, element, bytes, .. } => {
            let element = i64::from((*element).max(1));
            let index = offset.div_euclid(element);
            let count = size / element.unsigned_abs();
            let elements = if count == 1 { "1 element".to_owned() } else { format!("{count} elements") };
            let beyond = if element > 1 {
                format!("{name}[{index}], but {name} has {elements}")
            } else {
                format!("{bytes} bytes at offset {offset} of {name}, which has {size} bytes")
            };
            let advice = if *offset < 0 {
                "Which threads compute an index below zero? They need a case of their own."
            } else {
                "Which threads compute an index past the end? The last block is often the one that is not full."
            };
            Words::new(format!("{who} {does} {beyond} ({at})"), advice)
        }
        FaultKind::OutOfBounds { size: 0, space: "shared", .. } => Words::new(
            format!(
                "{who} {does} shared memory ({at}), but the launch gives its blocks no dynamic shared memory"
            ),
            "How many bytes does the `extern __shared__` array need? The launch has to say so: \
             <<<grid, block, bytes>>>, or --shared BYTES here.",
        ),
        FaultKind::OutOfBounds { size, space: "shared", .. } => Words::new(
            format!("{who} {does} shared memory beyond the {size} bytes that a block has ({at})"),
            "Which threads compute an index past the end, or does the launch give too few bytes of dynamic shared memory?",
        ),
        FaultKind::OutOfBounds { offset, space, .. } => {
            let address = *offset as u64;
            let what =
                if address < 4096 { "through a null pointer" } else { "through a pointer into nothing" };
            Words::new(
                format!("{who} {does} {what}: address {address:#x} in {space} memory ({at})"),
                "Where does this pointer come from, and has it been set for every thread?",
            )
        }
        FaultKind::Misaligned { address, bytes, variable, space } => Words::new(
            format!(
                "{who} accesses {bytes} bytes at address {address:#x}{} in {space} memory, which is no multiple of {bytes} ({at})",
                variable.as_ref().map_or_else(String::new, |v| format!(" ({v})")),
            ),
            "A vector access needs an address that is a multiple of its own size.",
        ),
        FaultKind::ReadOnly { space } => Words::new(
            format!("{who} writes to {space} memory, which is read-only ({at})"),
            "Which memory should the result go to?",
        ),
        _ => Words::new(format!("{who} leaves its memory ({at})"), "Check the index."),
    }
}
