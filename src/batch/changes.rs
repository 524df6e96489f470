//! What a regrade changed: who rose, who fell, and on which criterion.

use std::fmt::Write;

use super::store::Grading;

/// A student's newest grading beside the one before.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    pub student: String,
    pub before: Option<f64>,
    pub after: Option<f64>,
    /// Criterion, points before and after; only those that differ.
    pub criteria: Vec<(String, f64, f64)>,
    /// When the newer grading was made, and whether by `grade` or `rescore`.
    pub at: String,
    pub origin: String,
}

/// Compares each student's two newest gradings. `gradings` is in order of student, then time.
pub fn changes(gradings: &[Grading]) -> Vec<Change> {
    gradings
        .chunk_by(|a, b| a.student == b.student)
        .filter_map(|own| {
            let [.., before, after] = own else { return None };
            let points = |g: &Grading| g.graded.score.as_ref().map(|s| s.points);
            let criteria: Vec<_> = after
                .graded
                .criteria
                .iter()
                .filter_map(|new| {
                    let old = before.graded.criteria.iter().find(|c| c.id == new.id);
                    let old = old.map_or(0.0, |c| c.points);
                    (old != new.points).then(|| (new.id.clone(), old, new.points))
                })
                .collect();
            (points(before) != points(after) || !criteria.is_empty()).then(|| Change {
                student: after.student.clone(),
                before: points(before),
                after: points(after),
                criteria,
                at: after.at.clone(),
                origin: after.origin.clone(),
            })
        })
        .collect()
}

/// One line a change: fallen first, since those are who will ask.
pub fn table(changes: &[Change]) -> String {
    if changes.is_empty() {
        return "no score changed\n".to_owned();
    }
    let shown = |points: Option<f64>| points.map_or("-".to_owned(), |p| format!("{p}"));
    let delta = |c: &Change| c.after.unwrap_or(0.0) - c.before.unwrap_or(0.0);
    let mut sorted: Vec<&Change> = changes.iter().collect();
    sorted.sort_by(|a, b| delta(a).total_cmp(&delta(b)).then_with(|| a.student.cmp(&b.student)));
    let mut out = String::new();
    for change in sorted {
        let word = if delta(change) < 0.0 {
            "fell"
        } else if delta(change) > 0.0 {
            "rose"
        } else {
            "same"
        };
        let parts: Vec<String> =
            change.criteria.iter().map(|(id, old, new)| format!("{id} {old} -> {new}")).collect();
        let _ = writeln!(
            out,
            "{word}  {}  {} -> {}  ({})  {} {}",
            change.student,
            shown(change.before),
            shown(change.after),
            parts.join(", "),
            change.origin,
            change.at
        );
    }
    out
}
