//! Faults of the embedded device in the words of a second-year student.

use crate::record::SourceLine;
use crate::rules::Places;
use crate::simt::{Fault, FaultKind, Waiting};

/// Why the launch was stopped and where, as one or two sentences. `variable` names come from the fault itself.
pub fn fault_words(fault: &Fault, places: &dyn Places) -> String {
    let what = kind_words(&fault.kind, places);
    let Some(site) = fault.site else { return what };
    let by = match fault.thread {
        Some((block, thread)) => format!(" (block {block}, thread {thread})"),
        None => String::new(),
    };
    format!("{what}, {}{by}", line_words(&places.line(site)))
}

/// `at line 12 of sum.cu: partials[i] = x;`.
pub fn line_words(line: &SourceLine) -> String {
    if line.line == 0 {
        return "at a line that the compiler did not record".to_owned();
    }
    let text = if line.text.is_empty() { String::new() } else { format!(": `{}`", line.text) };
    format!("at line {} of {}{text}", line.line, line.file)
}

fn kind_words(kind: &FaultKind, places: &dyn Places) -> String {
    match kind {
        FaultKind::OutOfBounds { what, variable, offset, size, element, bytes, space } => {
            out_of_bounds(what, variable.as_deref(), *offset, *size, *element, *bytes, space)
        }
        FaultKind::Misaligned { address, bytes, variable, space } => {
            let of = variable.as_ref().map_or_else(String::new, |v| format!(" of `{v}`"));
            format!(
                "an access to {bytes} bytes{of} in {space} memory at an address ({address:#x}) that is not a multiple of {bytes}"
            )
        }
        FaultKind::ReadOnly { space } => format!("a write to {space} memory, which can only be read"),
        FaultKind::StepBudget { budget } => format!(
            "the kernel was still running after {} warp instructions, the limit for one launch: a loop that never ends, or one that runs far too long",
            grouped(*budget)
        ),
        FaultKind::NoProgress => {
            "the kernel can never finish: every thread still running goes round a loop whose condition no thread can change any more".to_owned()
        }
        FaultKind::Deadlock { waiting } => deadlock(waiting, places),
        FaultKind::Trap => "the kernel stopped itself: it called `__trap()`, or the compiler put a trap where the code is undefined (a \
                            write to a constant, a null pointer)"
            .to_owned(),
        FaultKind::Assertion { expression, line } => {
            format!("the assertion `{expression}` (line {line}) does not hold")
        }
        FaultKind::StackOverflow { limit } => format!(
            "a thread used more than the {} bytes of stack it has: recursion that is too deep, or a local array that is too large",
            grouped(u64::from(*limit))
        ),
        FaultKind::BadLaunch { reason } => format!("the launch is impossible: {reason}"),
        FaultKind::Unsupported { instruction } => {
            format!("the embedded device does not execute the instruction `{instruction}`")
        }
        FaultKind::Other { reason } => reason.clone(),
    }
}

fn out_of_bounds(
    what: &str,
    variable: Option<&str>,
    offset: i64,
    size: u64,
    element: u32,
    bytes: u32,
    space: &str,
) -> String {
    let verb = match what {
        "store" => "a write",
        "atomic" => "an atomic",
        _ => "a read",
    };
    let Some(name) = variable else {
        if space == "shared" && size == 0 {
            return format!("{verb} in shared memory, of which the launch gives a block none");
        }
        return if offset.unsigned_abs() < 4096 {
            format!("{verb} through a null pointer (address {offset:#x}) in {space} memory")
        } else {
            format!("{verb} at address {offset:#x}, which belongs to no array of {space} memory")
        };
    };
    let element = i64::from(element.max(1));
    if element > 1 || bytes == 1 {
        let index = offset.div_euclid(element);
        let count = size / element.unsigned_abs();
        let place = if index < 0 { "its first index is 0".to_owned() } else { last_index(count) };
        format!("{verb} outside the array: `{name}[{index}]`, and {place} ({space} memory)")
    } else {
        format!(
            "{verb} of {bytes} bytes at byte {offset} of `{name}`, which has {size} bytes ({space} memory)"
        )
    }
}

fn last_index(count: u64) -> String {
    match count {
        0 => "it has no elements".to_owned(),
        1 => "its only index is 0".to_owned(),
        n => format!("its last index is {}", n - 1),
    }
}

/// Who waits where, the first few groups.
fn deadlock(waiting: &[Waiting], places: &dyn Places) -> String {
    let mut groups: Vec<(String, u32)> = Vec::new();
    for wait in waiting {
        let line = places.line(wait.site);
        let at = if wait.barrier.is_some() { "a block barrier" } else { "a warp-wide operation" };
        let place = format!("{at} {}", line_words(&line));
        match groups.iter_mut().find(|(known, _)| *known == place) {
            Some((_, threads)) => *threads += wait.mask.count_ones(),
            None => groups.push((place, wait.mask.count_ones())),
        }
    }
    let shown: Vec<String> = groups
        .iter()
        .take(3)
        .map(|(place, threads)| {
            format!("{threads} {} at {place}", if *threads == 1 { "thread waits" } else { "threads wait" })
        })
        .collect();
    let more = if groups.len() > 3 { ", and others elsewhere" } else { "" };
    format!("the kernel hangs: {}{more}, and nobody is left who could let them go on", shown.join("; "))
}

/// `200000000` as `200,000,000`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simt::Site;

    struct OneLine;

    impl Places for OneLine {
        fn line(&self, site: Site) -> SourceLine {
            SourceLine {
                file: "sum.cu".to_owned(),
                line: site,
                column: 0,
                text: "out[i] = in[i];".to_owned(),
                inlined_from: Vec::new(),
            }
        }
    }

    fn words(kind: FaultKind) -> String {
        fault_words(&Fault { kind, site: Some(12), thread: Some((3, 7)) }, &OneLine)
    }

    fn bounds(variable: Option<&str>, offset: i64) -> FaultKind {
        FaultKind::OutOfBounds {
            what: "store",
            variable: variable.map(str::to_owned),
            offset,
            size: 4096,
            element: 4,
            bytes: 4,
            space: "global",
        }
    }

    #[test]
    fn out_of_bounds_names_array_index_line_and_thread() {
        assert_eq!(
            words(bounds(Some("partials"), 4096)),
            "a write outside the array: `partials[1024]`, and its last index is 1023 (global memory), \
             at line 12 of sum.cu: `out[i] = in[i];` (block 3, thread 7)"
        );
        assert!(words(bounds(Some("partials"), -4)).contains("`partials[-1]`, and its first index is 0"));
        assert!(words(bounds(None, 8)).contains("null pointer"));
        assert!(words(bounds(None, 1 << 50)).contains("belongs to no array"));
    }

    #[test]
    fn an_endless_loop_names_its_line_and_the_limit() {
        let text = words(FaultKind::StepBudget { budget: 200_000_000 });
        assert!(text.contains("200,000,000 warp instructions") && text.contains("line 12"), "{text}");
    }

    #[test]
    fn a_deadlock_counts_who_waits_where() {
        let wait = |site, mask| Waiting { site, block: 0, warp: 0, mask, barrier: Some(0) };
        let text = words(FaultKind::Deadlock { waiting: vec![wait(5, 0xff), wait(5, 0xf00), wait(9, 1)] });
        assert!(text.contains("12 threads wait at a block barrier at line 5"), "{text}");
        assert!(text.contains("1 thread waits at a block barrier at line 9"), "{text}");
    }
}
