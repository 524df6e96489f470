//! An edit in a few words: `__threadfence()` moved from above to below `atomicAdd`.

use similar::{Algorithm, DiffOp};
use std::time::{Duration, Instant};

use super::marks::{Class, Mark};
use super::wording::Statement;

/// What changed in a region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Description {
    pub summary: String,
    /// First and last changed line in the student's file; 0 when nothing of theirs is left there.
    pub line: u32,
    pub last_line: u32,
}

/// Phrases in a summary.
const MOST: usize = 4;

/// Describes an edit. Marks' lines are lines of the file that the statements are from. `loose` leaves spelling out of account.
pub(super) fn describe(
    ours: &[Mark],
    theirs: &[Mark],
    our_statements: &[Statement],
    their_statements: &[Statement],
    loose: bool,
) -> Description {
    let mut phrases = Vec::new();
    let mut told: Vec<u32> = Vec::new();
    let mut gone: Vec<u32> = Vec::new();
    phrases_of(ours, theirs, &mut phrases, &mut told, &mut gone);
    let lines = changed_lines(our_statements, &gone, their_statements, &told, loose);
    // Where something is gone: the mark that follows it now.
    let pairs = aligned(ours, theirs);
    let near = (0..ours.len()).find(|i| pairs.iter().all(|p| p.0 != *i)).and_then(|i| {
        let next = pairs.iter().find(|p| p.0 > i).or(pairs.iter().rfind(|p| p.0 < i));
        next.map(|p| theirs[p.1].line)
    });
    let mut phrases = counted(phrases);
    let more = phrases.len().saturating_sub(MOST);
    phrases.truncate(MOST);
    if more > 0 {
        phrases.push(format!("{more} more changes of fences, barriers or atomics"));
    }
    let untold: Vec<u32> = lines.changed.iter().copied().filter(|line| !told.contains(line)).collect();
    if phrases.is_empty() {
        phrases.push(match (lines.changed.len(), lines.removed) {
            (0, 0) => "reworded".to_owned(),
            (0, 1) => "1 line removed".to_owned(),
            (0, removed) => format!("{removed} lines removed"),
            (1, _) => format!("1 line changed: `{}`", lines.first_text),
            (changed, _) => format!("{changed} lines changed, the first: `{}`", lines.first_text),
        });
    } else if !untold.is_empty() {
        phrases.push(match untold.len() {
            1 => format!("line {} changed too", untold[0]),
            count => format!("{count} other lines changed, from line {}", untold[0]),
        });
    }
    let all = lines.changed.iter().chain(&told).copied().filter(|line| *line > 0);
    let line = all.clone().min().or(near).unwrap_or(lines.near);
    let last_line = all.max().unwrap_or(line);
    Description { summary: phrases.join("; "), line, last_line }
}

/// Each phrase once, with how often it was there.
fn counted(phrases: Vec<String>) -> Vec<String> {
    let mut out: Vec<(String, usize)> = Vec::new();
    for phrase in phrases {
        match out.iter_mut().find(|(known, _)| *known == phrase) {
            Some((_, count)) => *count += 1,
            None => out.push((phrase, 1)),
        }
    }
    let times = |count: usize| match count {
        1 => String::new(),
        2 => " (twice)".to_owned(),
        _ => format!(" ({count} times)"),
    };
    out.into_iter().map(|(phrase, count)| format!("{phrase}{}", times(count))).collect()
}

struct Lines {
    /// The student's lines that are changed or added, in order, each once.
    changed: Vec<u32>,
    /// Statements of the template that are gone without another in their place.
    removed: usize,
    first_text: String,
    /// Where something was removed.
    near: u32,
}

/// The lines that differ, but for the statements on lines that have been told of.
fn changed_lines(ours: &[Statement], gone: &[u32], theirs: &[Statement], told: &[u32], loose: bool) -> Lines {
    let key = |s: &&Statement| if loose { s.loose.clone() } else { s.exact.clone() };
    let ours: Vec<&Statement> = ours.iter().filter(|s| !gone.contains(&s.line)).collect();
    let theirs: Vec<&Statement> = theirs.iter().filter(|s| !told.contains(&s.line)).collect();
    let (a, b): (Vec<String>, Vec<String>) =
        (ours.iter().map(key).collect(), theirs.iter().map(key).collect());
    let deadline = Some(Instant::now() + Duration::from_millis(200));
    let ops = similar::capture_diff_slices_deadline(Algorithm::Myers, &a, &b, deadline);
    let mut lines = Lines { changed: Vec::new(), removed: 0, first_text: String::new(), near: 0 };
    for op in ops {
        match op {
            DiffOp::Equal { .. } => {}
            DiffOp::Delete { old_len, new_index, .. } => {
                lines.removed += old_len;
                if lines.near == 0 {
                    let at = theirs.get(new_index).or(theirs.last()).copied();
                    lines.near = at.map_or(0, |s| s.line);
                }
            }
            DiffOp::Insert { new_index, new_len, .. } | DiffOp::Replace { new_index, new_len, .. } => {
                for statement in &theirs[new_index..new_index + new_len] {
                    if matches!(statement.exact.as_str(), "{" | "}") {
                        continue;
                    }
                    if lines.first_text.is_empty() {
                        lines.first_text = super::text::one_line(&spaced(&statement.exact));
                    }
                    lines.changed.extend(statement.line..=statement.last_line.min(statement.line + 200));
                }
            }
        }
    }
    lines.changed.sort_unstable();
    lines.changed.dedup();
    lines
}

/// Words joined by spaces, as a person would write them.
fn spaced(words: &str) -> String {
    let mut text = words.to_owned();
    for (from, to) in [
        (" ;", ";"),
        (" ,", ","),
        (" )", ")"),
        ("( ", "("),
        (" (", "("),
        (" [", "["),
        ("[ ", "["),
        (" ]", "]"),
        (" . ", "."),
        (" :: ", "::"),
        (" -> ", "->"),
        ("if(", "if ("),
        ("for(", "for ("),
        ("while(", "while ("),
        ("< ", "<"),
        (" >(", ">("),
        ("(& ", "(&"),
        ("=(", "= ("),
        ("+(", "+ ("),
        ("*(", "* ("),
    ] {
        text = text.replace(from, to);
    }
    text.replace("<", " < ")
        .replace("  <  ", " < ")
        .replace(" < =", " <=")
        .replace("static_cast < ", "static_cast<")
}

/// The phrases for what moved, came and went; the lines of theirs, and of ours, that they tell of.
fn phrases_of(
    ours: &[Mark],
    theirs: &[Mark],
    phrases: &mut Vec<String>,
    told: &mut Vec<u32>,
    lost: &mut Vec<u32>,
) {
    let pairs = aligned(ours, theirs);
    let mut gone: Vec<usize> =
        (0..ours.len()).filter(|i| pairs.iter().all(|p| p.0 != *i) && counts(&ours[*i])).collect();
    let added: Vec<usize> =
        (0..theirs.len()).filter(|j| pairs.iter().all(|p| p.1 != *j) && counts(&theirs[*j])).collect();
    lost.extend(gone.iter().map(|i| ours[*i].line));
    for j in added {
        let mark = &theirs[j];
        told.push(mark.line);
        let same = gone.iter().position(|&i| ours[i].name == mark.name && ours[i].class == mark.class);
        if let Some(at) = same {
            let i = gone.remove(at);
            phrases.push(moved(ours, theirs, &pairs, i, j));
            continue;
        }
        // Another of its kind in the same place.
        let place = place(&pairs, j);
        let instead = gone.iter().position(|&i| {
            let kin = ours[i].class == mark.class
                || matches!(
                    (ours[i].class, mark.class),
                    (Class::Fence, Class::Barrier) | (Class::Barrier, Class::Fence)
                );
            kin && place_of_ours(&pairs, i) == place
        });
        if let Some(at) = instead {
            let i = gone.remove(at);
            phrases.push(format!("{} instead of {}", shown(mark), shown(&ours[i])));
        } else {
            phrases.push(format!("{} added{}", shown(mark), relation(theirs, &pairs, j)));
        }
    }
    for i in gone {
        phrases.push(format!("{} removed", shown(&ours[i])));
    }
    for &(i, j) in &pairs {
        let (was, now) = (&ours[i], &theirs[j]);
        if counts(was)
            && was.guards != now.guards
            && let Some(phrase) = guard_change(was, now)
        {
            told.push(now.line);
            lost.push(was.line);
            phrases.push(phrase);
        }
    }
}

/// Fences, barriers and atomics are told of; stores and calls are landmarks.
fn counts(mark: &Mark) -> bool {
    matches!(mark.class, Class::Fence | Class::Barrier | Class::Atomic)
}

fn shown(mark: &Mark) -> String {
    match mark.class {
        Class::Store => format!("the store to `{}`", mark.name),
        Class::Atomic | Class::Call => format!("`{}`", mark.name),
        Class::Fence | Class::Barrier => format!("`{}()`", mark.name),
    }
}

/// `__syncthreads()` moved out of the `if`.
fn guard_change(was: &Mark, now: &Mark) -> Option<String> {
    let extra = |a: &[&'static str], b: &[&'static str]| {
        let mut rest = b.to_vec();
        let mut extra = Vec::new();
        for guard in a {
            match rest.iter().position(|g| g == guard) {
                Some(at) => drop(rest.remove(at)),
                None => extra.push(*guard),
            }
        }
        extra
    };
    let left = extra(&was.guards, &now.guards);
    let entered = extra(&now.guards, &was.guards);
    match (left.first(), entered.first()) {
        (Some(left), None) => Some(format!("{} moved out of the `{left}`", shown(was))),
        (None, Some(entered)) => Some(format!("{} moved into the `{entered}`", shown(was))),
        (Some(left), Some(entered)) => {
            Some(format!("{} moved from the `{left}` into the `{entered}`", shown(was)))
        }
        (None, None) => None,
    }
}

fn moved(ours: &[Mark], theirs: &[Mark], pairs: &[(usize, usize)], i: usize, j: usize) -> String {
    let what = shown(&ours[i]);
    // What it has crossed, nearest to where it is now.
    let below = pairs.iter().rfind(|&&(a, b)| a > i && b < j);
    let above = pairs.iter().find(|&&(a, b)| a < i && b > j);
    if let Some(&(_, b)) = below {
        let first = pairs.iter().find(|&&(a, b)| a > i && b < j && theirs[b].class == Class::Atomic);
        return format!("{what} moved from above to below {}", shown(&theirs[first.map_or(b, |p| p.1)]));
    }
    if let Some(&(_, b)) = above {
        return format!("{what} moved from below to above {}", shown(&theirs[b]));
    }
    guard_change(&ours[i], &theirs[j]).unwrap_or_else(|| format!("{what} moved"))
}

/// `above the store to x` or `below it`, by the nearest landmark.
fn relation(theirs: &[Mark], pairs: &[(usize, usize)], j: usize) -> String {
    let landmark = |b: &usize| matches!(theirs[*b].class, Class::Store | Class::Atomic | Class::Call);
    let after = pairs.iter().map(|p| p.1).find(|b| *b > j && landmark(b));
    let before = pairs.iter().map(|p| p.1).rfind(|b| *b < j && landmark(b));
    let guard = match theirs[j].guards.last().copied() {
        Some(guard @ ("if" | "else")) => format!(" in the `{guard}`"),
        _ => String::new(),
    };
    match (before, after) {
        (Some(b), Some(a)) if theirs[b].name == theirs[a].name => {
            format!("{guard} between two stores to `{}`", theirs[b].name)
        }
        (Some(b), Some(a)) => format!("{guard} between {} and {}", shown(&theirs[b]), shown(&theirs[a])),
        (Some(b), None) => format!("{guard} below {}", shown(&theirs[b])),
        (None, Some(a)) => format!("{guard} above {}", shown(&theirs[a])),
        (None, None) => guard,
    }
}

/// The pair before which one of theirs, or of ours, stands.
fn place(pairs: &[(usize, usize)], j: usize) -> usize {
    pairs.iter().filter(|p| p.1 < j).count()
}

fn place_of_ours(pairs: &[(usize, usize)], i: usize) -> usize {
    pairs.iter().filter(|p| p.0 < i).count()
}

/// Pairs of marks that are the same, in both orders at once; stores and atomics are held on to, fences and barriers are
/// what moves.
fn aligned(ours: &[Mark], theirs: &[Mark]) -> Vec<(usize, usize)> {
    let weight = |m: &Mark| match m.class {
        Class::Store | Class::Atomic | Class::Call => 8u32,
        Class::Fence | Class::Barrier => 2,
    };
    let (n, m) = (ours.len(), theirs.len());
    let mut best = vec![vec![0u32; m + 1]; n + 1];
    let gain = |i: usize, j: usize| {
        let (a, b): (&Mark, &Mark) = (&ours[i], &theirs[j]);
        (a.class == b.class && a.name == b.name).then(|| weight(a) * 2 + u32::from(a.guards == b.guards))
    };
    for i in (0..n).rev() {
        for j in (0..m).rev() {
            let with = gain(i, j).map_or(0, |g| g + best[i + 1][j + 1]);
            best[i][j] = with.max(best[i + 1][j]).max(best[i][j + 1]);
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while i < n && j < m {
        if gain(i, j).is_some_and(|g| best[i][j] == g + best[i + 1][j + 1]) {
            pairs.push((i, j));
            i += 1;
            j += 1;
        } else if best[i][j] == best[i + 1][j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::items::Source;
    use crate::patch::{marks, wording};
    use std::collections::HashMap;

    const GIVEN: &str = "if (tid == 0) {\n    partials[b] = s;\n    __threadfence();\n    const unsigned t = atomicAdd(counter, 1u);\n    done = (t == n);\n}\n__syncthreads();\n";

    fn summary(ours: &str, theirs: &str) -> String {
        let statements =
            |text: &str| wording::statements(&wording::words(&Source::new(text, &[]), 0, text.len()));
        let marks = |text: &str| marks::marks(text, true, &HashMap::new());
        describe(&marks(ours), &marks(theirs), &statements(ours), &statements(theirs), false).summary
    }

    #[test]
    fn fences_that_move_come_and_go() {
        let fence = "    __threadfence();\n";
        let without = GIVEN.replace(fence, "");
        let below = without.replace("1u);\n", "1u);\n    __threadfence();\n");
        let above = without.replace("    partials", "    __threadfence();\n    partials");
        assert_eq!(summary(GIVEN, &below), "`__threadfence()` moved from above to below `atomicAdd`");
        assert_eq!(
            summary(GIVEN, &above),
            "`__threadfence()` moved from below to above the store to `partials`"
        );
        assert_eq!(summary(GIVEN, &without), "`__threadfence()` removed");
        assert_eq!(
            summary(&without, GIVEN),
            "`__threadfence()` added in the `if` between the store to `partials` and `atomicAdd`"
        );
        assert_eq!(
            summary(GIVEN, &GIVEN.replace("__threadfence", "__threadfence_block")),
            "`__threadfence_block()` instead of `__threadfence()`"
        );
        assert_eq!(
            summary(GIVEN, &GIVEN.replace("atomicAdd", "atomicAdd_block")),
            "`atomicAdd_block` instead of `atomicAdd`"
        );
    }

    #[test]
    fn barriers_in_and_out_of_a_guard() {
        let inside = "for (;;) {\n  if (i < n) {\n    tile[t] = in[i];\n    __syncthreads();\n    out[i] = tile[0];\n  }\n}\n";
        let outside = "for (;;) {\n  if (i < n) {\n    tile[t] = in[i];\n  }\n  __syncthreads();\n  if (i < n) {\n    out[i] = tile[0];\n  }\n}\n";
        assert_eq!(summary(inside, outside), "`__syncthreads()` moved out of the `if`; line 6 changed too");
        assert_eq!(summary(outside, inside), "`__syncthreads()` moved into the `if`");
    }

    #[test]
    fn anything_else_by_its_lines() {
        assert_eq!(summary("a = 1;\nb = 2;\n", "a = 1;\nb = f[3] + 1;\n"), "1 line changed: `b = f[3] + 1;`");
        assert_eq!(summary("a = 1;\nb = 2;\n", "a = 1;\n"), "1 line removed");
    }
}
