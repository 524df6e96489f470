//! From a stored grading to the points that count: manual scores in place of proposed ones, then the late policy.
//!
//! Nothing here is stored: totals are derived again, whenever they are wanted, from their parts.

use std::collections::BTreeMap;

use super::store::ManualScore;
use crate::record::{Criterion, CriterionState, Graded};
use crate::rubric::LatePolicy;

/// What lateness cost, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Deduction {
    pub points: f64,
    /// A whole sentence.
    pub why: String,
}

/// A grading with everything that people and the calendar have to say.
#[derive(Debug, Clone)]
pub struct Settled {
    /// With manual scores in place.
    pub graded: Graded,
    /// `None` for a fault.
    pub points: Option<f64>,
    pub late: Option<Deduction>,
}

/// Applies a student's manual scores (by criterion) and the late policy.
pub fn settle(
    graded: &Graded,
    manual: &BTreeMap<&str, &ManualScore>,
    late: Option<(&LatePolicy, Lateness)>,
) -> Settled {
    let mut graded = graded.clone();
    for criterion in &mut graded.criteria {
        if let Some(score) = manual.get(criterion.id.as_str()) {
            apply(criterion, score);
        }
    }
    let Some(score) = &mut graded.score else { return Settled { graded, points: None, late: None } };
    score.points = cents(graded.criteria.iter().map(|c| c.points).sum());
    score.provisional = graded.criteria.iter().any(|c| c.state != CriterionState::Auto);
    let (points, max) = (score.points, score.max);
    let late = late.and_then(|(policy, lateness)| deduction(policy, lateness, points, max));
    let points = Some(cents(points - late.as_ref().map_or(0.0, |late| late.points)));
    Settled { graded, points, late }
}

/// How late a submission is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lateness {
    InTime,
    /// Seconds after the deadline.
    By(u64),
    /// The LMS says late, and not by how much.
    Unknown,
}

fn deduction(policy: &LatePolicy, lateness: Lateness, points: f64, max: f64) -> Option<Deduction> {
    match lateness {
        Lateness::InTime => None,
        Lateness::By(seconds) => {
            let minutes = i64::try_from(seconds.div_ceil(60)).unwrap_or(i64::MAX);
            let cost = policy.deduction(minutes, points, max).min(points);
            let cost = cents(cost);
            let why = format!("{cost} points were taken off: handed in {} late.", span(seconds));
            (cost > 0.0).then_some(Deduction { points: cost, why })
        }
        Lateness::Unknown => Some(Deduction {
            points: 0.0,
            why: "Handed in late; the LMS does not say by how much, so nothing was taken off. A person decides."
                .to_owned(),
        }),
    }
}

fn span(seconds: u64) -> String {
    match seconds {
        0..3600 => format!("{} min", seconds.div_ceil(60)),
        3600..172_800 => format!("{} h", seconds.div_ceil(3600)),
        _ => format!("{} days", seconds.div_ceil(86_400)),
    }
}

fn apply(criterion: &mut Criterion, score: &ManualScore) {
    let Some(points) = score.points else { return };
    criterion.points = cents(points.clamp(0.0, criterion.max));
    criterion.state = CriterionState::Auto;
    criterion.reason = match score.comment.as_str() {
        "" => format!("Scored by {}.", score.who),
        comment => format!("Scored by {}: {comment}", score.who),
    };
}

fn cents(points: f64) -> f64 {
    (points * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{SCHEMA, Score, Status};

    fn graded(points: [f64; 2]) -> Graded {
        let criterion = |id: &str, points: f64, state| Criterion {
            id: id.to_owned(),
            title: id.to_owned(),
            points,
            max: 10.0,
            state,
            reason: String::new(),
            see: Vec::new(),
            questions: Vec::new(),
        };
        let json = serde_json::json!({
            "schema": SCHEMA, "exercise": "x", "status": "graded",
            "criteria": [], "edits": [], "ignored": [], "configurations": []
        });
        let mut graded: Graded = serde_json::from_value(json).expect("a small record");
        graded.status = Status::Graded;
        graded.criteria = vec![
            criterion("run", points[0], CriterionState::Auto),
            criterion("why", points[1], CriterionState::Provisional),
        ];
        graded.score = Some(Score { points: points.iter().sum(), max: 20.0, provisional: true });
        graded
    }

    #[test]
    fn a_persons_score_replaces_the_proposal() {
        let score = ManualScore {
            student: "ada".to_owned(),
            exercise: "x".to_owned(),
            criterion: "why".to_owned(),
            points: Some(7.5),
            comment: "well put".to_owned(),
            who: "kim".to_owned(),
            at: String::new(),
        };
        let settled = settle(&graded([10.0, 2.0]), &BTreeMap::from([("why", &score)]), None);
        assert_eq!(settled.points, Some(17.5));
        assert!(!settled.graded.score.expect("it was graded").provisional);
        assert_eq!(settled.graded.criteria[1].reason, "Scored by kim: well put");
    }

    #[test]
    fn a_fault_stays_without_points() {
        let mut fault = graded([0.0, 0.0]);
        fault.score = None;
        assert_eq!(settle(&fault, &BTreeMap::new(), None).points, None);
    }
}
