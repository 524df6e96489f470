//! Scores that people gave. They stay when a submission is graded again.

use std::collections::BTreeMap;

use rusqlite::params;

use super::{Store, StoreError};

/// A person's score for one criterion of one student.
#[derive(Debug, Clone, PartialEq)]
pub struct ManualScore {
    pub student: String,
    pub exercise: String,
    pub criterion: String,
    /// `None` takes an earlier score back.
    pub points: Option<f64>,
    pub comment: String,
    pub who: String,
    pub at: String,
}

impl Store {
    /// Adds a score; an earlier one stays in the history.
    pub fn add_manual(&self, score: &ManualScore) -> Result<(), StoreError> {
        self.run(|db| {
            db.execute(
                "INSERT INTO manual (student, exercise, criterion, points, comment, who, at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                params![
                    score.student,
                    score.exercise,
                    score.criterion,
                    score.points,
                    score.comment,
                    score.who,
                    score.at
                ],
            )
            .map(drop)
        })
    }

    /// Adds scores, all or none.
    pub fn add_all_manual(&self, scores: &[ManualScore]) -> Result<(), StoreError> {
        self.whole(|| scores.iter().try_for_each(|score| self.add_manual(score)))
    }

    /// Every score ever given for an exercise, oldest first.
    pub fn manual_history(&self, exercise: &str) -> Result<Vec<ManualScore>, StoreError> {
        self.run(|db| {
            let mut query = db.prepare(
                "SELECT student, exercise, criterion, points, comment, who, at FROM manual
                 WHERE exercise = ?1 ORDER BY id",
            )?;
            query
                .query_map([exercise], |row| {
                    Ok(ManualScore {
                        student: row.get(0)?,
                        exercise: row.get(1)?,
                        criterion: row.get(2)?,
                        points: row.get(3)?,
                        comment: row.get(4)?,
                        who: row.get(5)?,
                        at: row.get(6)?,
                    })
                })?
                .collect()
        })
    }

    /// The scores in force: the newest of each student and criterion, without those taken back.
    pub fn manual(&self, exercise: &str) -> Result<BTreeMap<(String, String), ManualScore>, StoreError> {
        let mut newest = BTreeMap::new();
        for score in self.manual_history(exercise)? {
            newest.insert((score.student.clone(), score.criterion.clone()), score);
        }
        newest.retain(|_, score| score.points.is_some());
        Ok(newest)
    }
}
