//! What a student changed outside every region: listed with its lines, and ignored.

use std::collections::HashSet;

use crate::exercise::RegionKind;

use super::compare::Wording;
use super::conditional::Reach;
use super::find::{self, Place};
use super::items::{Item, ItemKind, Source};
use super::lex::TokenKind;
use super::model::Patched;
use super::{text, value, wording};

/// Notes on one file; the rest is counted.
const MOST: usize = 20;
/// Items of one file that are looked at.
const MOST_ITEMS: usize = 20_000;
/// Ranges told of within one function.
const MOST_RANGES: usize = 3;

/// Lists what plays no part. `found` are the regions' places, `carried` the items that went with them.
pub(super) fn report(
    wording: &Wording,
    found: &[(usize, Place)],
    carried: &HashSet<usize>,
    out: &mut Patched,
) {
    let source = wording.source;
    let before = out.ignored.len();
    let mut leftovers: Vec<usize> = Vec::new();
    let mut asserts: Vec<usize> = Vec::new();
    for (index, item) in source.items.iter().enumerate().take(MOST_ITEMS) {
        let claimed = carried.contains(&index)
            || found
                .iter()
                .any(|(_, place)| place.start < source.end(item) && source.start(item) < place.end);
        if claimed || item.reach == Reach::Inactive {
            leftovers.push(usize::MAX);
            continue;
        }
        match judge(wording, item, out) {
            Judgement::Same => leftovers.push(usize::MAX),
            Judgement::Told => {}
            Judgement::Assert => asserts.push(index),
            Judgement::Leftover => leftovers.push(index),
        }
    }
    let foreign_asserts = static_asserts(wording, &asserts, out);
    let runs = runs(source, &leftovers);
    if wording.foreign {
        host_part(runs, foreign_asserts, out);
    } else {
        for run in runs {
            run.tell(out);
        }
    }
    dead_code(source, found, out);
    out.ignored[before..].sort_by_key(|note| (note.line, note.last_line));
    let many = out.ignored.len() - before;
    if many > MOST {
        let rest = out.ignored.split_off(before + MOST);
        let (first, last) = (rest[0].line, rest.iter().map(|n| n.last_line).max().unwrap_or(0));
        out.ignore(first, last, format!("{} more changes outside the regions", rest.len()));
    }
}

enum Judgement {
    /// As in the template, or nothing to speak of.
    Same,
    Told,
    Assert,
    Leftover,
}

fn judge(wording: &Wording, item: &Item, out: &mut Patched) -> Judgement {
    let (template, source) = (wording.template, wording.source);
    let (line, last_line) = (source.line(item), source.last_line(item));
    let ours = template.source.items.iter().find(|t| {
        t.name == item.name && std::mem::discriminant(&t.kind) == std::mem::discriminant(&item.kind)
    });
    if let Some(ours) = ours
        && item.kind != ItemKind::StaticAssert
        && find::words(&template.source, ours.first, ours.last) == find::words(source, item.first, item.last)
    {
        return Judgement::Same;
    }
    match &item.kind {
        ItemKind::Conditional | ItemKind::Include => Judgement::Same,
        ItemKind::OtherDirective if item.name == "line" => {
            out.ignore(line, last_line, "`#line`: messages name the lines of your file as it is");
            Judgement::Told
        }
        ItemKind::OtherDirective if item.name == "undef" => Judgement::Leftover,
        ItemKind::OtherDirective => Judgement::Same,
        ItemKind::StaticAssert => Judgement::Assert,
        ItemKind::Constant(declarators) => {
            let mut judgement = Judgement::Same;
            for declarator in declarators {
                let tokens = &source.lexed.tokens;
                let place = Place {
                    start: tokens[declarator.value.0].start,
                    end: tokens[declarator.value.1].end,
                    item: None,
                    closed: true,
                };
                if !constant(wording, &declarator.name, &place, out)
                    && !template.declared.contains(&declarator.name)
                {
                    judgement = Judgement::Leftover;
                }
            }
            judgement
        }
        ItemKind::Define { function_like: false } if template.constant_place(&item.name).is_some() => {
            let TokenKind::Directive(index) = source.lexed.tokens[item.first].kind else {
                return Judgement::Same;
            };
            let [_, value @ ..] = source.lexed.directives[index].tokens.as_slice() else {
                return Judgement::Same;
            };
            let (Some(first), Some(last)) = (value.first(), value.last()) else { return Judgement::Same };
            let place = Place { start: first.start, end: last.end, item: None, closed: true };
            constant(wording, &item.name, &place, out);
            Judgement::Same
        }
        // A macro that takes over a name was told of by its own notice.
        ItemKind::Define { .. }
            if template.words.contains(&item.name) || super::reserved::is_reserved(&item.name) =>
        {
            Judgement::Told
        }
        ItemKind::Function(function) if function.global && !is_ours(wording, item) => {
            let message = format!("`{}` is not one of this exercise's kernels", item.name);
            out.ignore(line, last_line, message);
            Judgement::Told
        }
        // Another definition of a region's function was told of by its own notice.
        ItemKind::Function(_) if is_region(wording, item) => Judgement::Told,
        _ => match ours {
            Some(ours) if !wording.foreign && !item.name.is_empty() => {
                changed_function(wording, ours, item, out);
                Judgement::Told
            }
            _ => Judgement::Leftover,
        },
    }
}

fn is_region(wording: &Wording, item: &Item) -> bool {
    wording.template.exercise.regions.iter().any(|region| match &region.kind {
        RegionKind::Kernel { name } | RegionKind::Function { name } => *name == item.name,
        _ => false,
    })
}

fn is_ours(wording: &Wording, item: &Item) -> bool {
    wording.template.declared.contains(&item.name)
}

/// A constant that the exercise fixes: told of when its value differs. `true` when the template has it.
fn constant(wording: &Wording, name: &str, place: &Place, out: &mut Patched) -> bool {
    let Some(ours) = wording.template.constant_place(name) else { return false };
    let (own, source) = (&wording.template.source, wording.source);
    let (was, now) = (value::of_place(own, &ours), value::of_place(source, place));
    let same = match (was, now) {
        (Some(was), Some(now)) => was == now,
        _ => {
            let words = |source: &Source, place: &Place| -> Vec<String> {
                wording::words(source, place.start, place.end).into_iter().map(|w| w.text).collect()
            };
            words(own, &ours) == words(source, place)
        }
    };
    if !same {
        let shown = |value: Option<i128>, source: &Source, place: &Place| {
            value.map_or_else(
                || format!("`{}`", text::one_line(&source.lexed.text[place.start..place.end])),
                |v| v.to_string(),
            )
        };
        let line = source.lexed.line(place.start);
        let message = format!(
            "`{name}` is {} here and {} in the exercise, which is what is used",
            shown(now, source, place),
            shown(was, own, &ours)
        );
        out.ignore(line, source.lexed.last_line(place.start, place.end), message);
    }
    true
}

/// A function of the template's host part with other statements in it.
fn changed_function(wording: &Wording, ours: &Item, item: &Item, out: &mut Patched) {
    let (own, source) = (&wording.template.source, wording.source);
    let a = wording::statements(&wording::words(own, own.start(ours), own.end(ours)));
    let b = wording::statements(&wording::words(source, source.start(item), source.end(item)));
    let (x, y): (Vec<&str>, Vec<&str>) =
        (a.iter().map(|s| s.exact.as_str()).collect(), b.iter().map(|s| s.exact.as_str()).collect());
    let deadline = Some(std::time::Instant::now() + std::time::Duration::from_millis(200));
    let ops = similar::capture_diff_slices_deadline(similar::Algorithm::Myers, &x, &y, deadline);
    let mut told = 0;
    for op in ops.iter().filter(|op| op.tag() != similar::DiffTag::Equal) {
        let (gone, new) = (op.old_range(), op.new_range());
        if x[gone.clone()].iter().chain(&y[new.clone()]).all(|s| matches!(*s, "{" | "}")) {
            continue;
        }
        let words = x[gone.clone()].iter().chain(&y[new.clone()]);
        let gate = words.clone().any(|s| {
            ["EXIT_FAILURE", "EXIT_SUCCESS", "failures", "gate", "status", "wrong"]
                .iter()
                .any(|w| s.contains(w))
        });
        let first = b.get(new.start).or(b.last()).map_or(source.line(item), |s| s.line);
        let last = b[new.clone()].last().map_or(first, |s| s.last_line);
        told += 1;
        if told > MOST_RANGES {
            let message = format!(
                "`{}` is changed in more places; the host part of a run is the grader's own",
                item.name
            );
            out.ignore(first, source.last_line(item), message);
            return;
        }
        let what = match (gone.is_empty(), new.is_empty()) {
            (true, _) => "something is added to",
            (_, true) => "something is taken out of",
            _ => "something is changed in",
        };
        let whose = if gate {
            "the gates are the grader's own"
        } else {
            "the host part of a run is the grader's own"
        };
        out.ignore(first, last, format!("{what} `{}`, outside the regions; {whose}", item.name));
    }
}

/// Items one after another that play no part.
struct Run {
    first: u32,
    last: u32,
    names: Vec<String>,
    /// Names beyond those kept.
    more: usize,
    device: bool,
    host: bool,
}

impl Run {
    fn tell(&self, out: &mut Patched) {
        let why = if self.device {
            "no region uses it"
        } else if self.host {
            "the host part of a run is the grader's own"
        } else {
            "outside the regions"
        };
        out.ignore(self.first, self.last, format!("{}: {why}", list(&self.names, self.more)));
    }
}

fn list(names: &[String], more: usize) -> String {
    match (names.len(), more) {
        (0, _) => "what stands here".to_owned(),
        (_, 0) => names.join(", "),
        _ => format!("{} and {more} more", names.join(", ")),
    }
}

/// Names kept of a run.
const MOST_NAMES: usize = 5;

fn runs(source: &Source, leftovers: &[usize]) -> Vec<Run> {
    let mut out = Vec::new();
    for run in leftovers.split(|index| *index == usize::MAX).filter(|run| !run.is_empty()) {
        let items: Vec<&Item> = run.iter().map(|&i| &source.items[i]).collect();
        let mut names: Vec<String> = Vec::new();
        let mut more = 0;
        for item in items.iter().filter(|item| !item.name.is_empty()) {
            let name = format!("`{}`", item.name);
            if names.len() >= MOST_NAMES {
                more += 1;
            } else if !names.contains(&name) {
                names.push(name);
            }
        }
        out.push(Run {
            first: source.line(items[0]),
            last: source.last_line(items[items.len() - 1]),
            names,
            more,
            device: items.iter().all(|item| matches!(&item.kind, ItemKind::Function(f) if f.device)),
            host: items.iter().any(|item| matches!(&item.kind, ItemKind::Function(f) if !f.device)),
        });
    }
    out
}

/// A program in other words than the template's: one note for its host part, at its longest range, and one for each unused
/// device function.
fn host_part(runs: Vec<Run>, asserts: Option<(u32, u32)>, out: &mut Patched) {
    let (device, host): (Vec<Run>, Vec<Run>) = runs.into_iter().partition(|run| run.device);
    for run in &device {
        run.tell(out);
    }
    let Some(longest) = host.iter().max_by_key(|run| run.last - run.first) else {
        if let Some((first, last)) = asserts {
            out.ignore(first, last, "static assertions in other words; the grader checks its own");
        }
        return;
    };
    let rest = host.iter().filter(|run| run.first != longest.first).map(|run| (run.first, run.last));
    let mut elsewhere: Vec<(u32, u32)> = rest.chain(asserts).collect();
    elsewhere.sort_unstable();
    let range = |&(a, b): &(u32, u32)| if a == b { format!("{a}") } else { format!("{a}-{b}") };
    let ranges: Vec<String> = elsewhere.iter().take(6).map(range).collect();
    let also = match ranges.as_slice() {
        [] => String::new(),
        [one] if !one.contains('-') => format!("; also on line {one}"),
        many => format!("; also on lines {}", many.join(", ")),
    };
    let names = list(&longest.names, longest.more);
    let message = format!("the host part ({names}{also}) plays no part: the grader's own is used");
    out.ignore(longest.first, longest.last, message);
}

/// Static assertions that are not the template's, and those of the template's that are gone. For a program in other words,
/// only the range of those that differ.
fn static_asserts(wording: &Wording, asserts: &[usize], out: &mut Patched) -> Option<(u32, u32)> {
    let (own, source) = (&wording.template.source, wording.source);
    let condition = |source: &Source, item: &Item| -> String {
        let words = find::words(source, item.first, item.last);
        let end =
            words.iter().rposition(|w| w.starts_with('"')).map_or(words.len(), |at| at.saturating_sub(1));
        // Adjacent string literals are one message.
        let end = words[..end].iter().rposition(|w| !w.starts_with('"') && w != ",").map_or(end, |at| at + 1);
        words[..end].join(" ").trim_end_matches([')', ';', ' ']).to_owned()
    };
    let of = |source: &Source, items: &mut dyn Iterator<Item = &Item>| -> Vec<(String, u32, u32)> {
        items.map(|item| (condition(source, item), source.line(item), source.last_line(item))).collect()
    };
    let ours = of(own, &mut own.items.iter().filter(|i| i.kind == ItemKind::StaticAssert));
    let theirs = of(source, &mut asserts.iter().map(|&i| &source.items[i]));
    let other: Vec<&(String, u32, u32)> = theirs.iter().filter(|t| ours.iter().all(|o| o.0 != t.0)).collect();
    let whole = source.items.iter().any(|item| item.name == "main");
    let gone = ours.iter().filter(|o| theirs.iter().all(|t| t.0 != o.0)).count();
    if wording.foreign {
        return other.first().zip(other.last()).map(|(first, last)| (first.1, last.2));
    }
    for (_, line, last_line) in &other {
        out.ignore(
            *line,
            *last_line,
            "a static assertion that is not the exercise's; the grader checks its own",
        );
    }
    if whole && gone > other.len() {
        let at = theirs.first().map_or(1, |t| t.1);
        let message = format!(
            "{} static assertion(s) of the exercise are gone; the grader checks its own",
            gone - other.len()
        );
        out.ignore(at, at, message);
    }
    None
}

/// Code that no build compiles, outside the regions.
fn dead_code(source: &Source, found: &[(usize, Place)], out: &mut Patched) {
    let tokens = &source.lexed.tokens;
    let mut at = 0;
    let mut told = 0;
    while at < tokens.len() && told < MOST_RANGES {
        if source.reach[at] != Reach::Inactive {
            at += 1;
            continue;
        }
        let first = at;
        while at < tokens.len() && source.reach[at] == Reach::Inactive {
            at += 1;
        }
        let (start, end) = (tokens[first].start, tokens[at - 1].end);
        if found.iter().any(|(_, place)| place.start <= start && end <= place.end) {
            continue;
        }
        told += 1;
        out.ignore(
            source.lexed.line(start),
            source.lexed.last_line(start, end),
            "never compiled: its `#if` does not hold",
        );
    }
}
