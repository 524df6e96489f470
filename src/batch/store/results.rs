//! Attempts and their gradings.

use rusqlite::{OptionalExtension, Row, params};

use super::{Store, StoreError};
use crate::record::Graded;

/// An attempt as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptRow {
    pub student: String,
    pub exercise: String,
    pub number: u32,
    /// Hash over names and bytes of the files.
    pub content: String,
    pub handed: Option<String>,
    pub late: bool,
    pub late_by: Option<u64>,
    /// Names as handed in.
    pub files: Vec<String>,
}

/// A grading to be stored.
#[derive(Debug)]
pub struct NewGrading<'a> {
    pub attempt: &'a AttemptRow,
    /// Hash of everything besides the submission that decides the result.
    pub basis: &'a str,
    pub rubric: &'a str,
    /// `grade` or `rescore`.
    pub origin: &'a str,
    /// `2026-11-30T12:00:00Z`.
    pub at: &'a str,
    pub graded: &'a Graded,
}

/// A stored grading.
#[derive(Debug, Clone)]
pub struct Grading {
    pub id: i64,
    pub student: String,
    pub exercise: String,
    pub number: u32,
    pub content: String,
    pub basis: String,
    pub rubric: String,
    pub origin: String,
    pub at: String,
    /// With its timing.
    pub graded: Graded,
}

const COLUMNS: &str = "id, student, exercise, number, content, basis, rubric, origin, at, result, timing";

impl Store {
    /// Stores an attempt, once.
    pub fn add_attempt(&self, attempt: &AttemptRow) -> Result<(), StoreError> {
        self.run(|db| {
            db.execute(
                "INSERT OR IGNORE INTO attempts (student, exercise, number, content, handed, late, late_by, files)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                params![
                    attempt.student,
                    attempt.exercise,
                    attempt.number,
                    attempt.content,
                    attempt.handed,
                    attempt.late,
                    attempt.late_by.map(|s| s as i64),
                    serde_json::to_string(&attempt.files).expect("strings always serialise"),
                ],
            )
            .map(drop)
        })
    }

    /// An attempt by its content.
    pub fn attempt(
        &self,
        student: &str,
        exercise: &str,
        number: u32,
        content: &str,
    ) -> Result<Option<AttemptRow>, StoreError> {
        self.run(|db| {
            db.query_row(
                "SELECT student, exercise, number, content, handed, late, late_by, files FROM attempts
                 WHERE student = ?1 AND exercise = ?2 AND number = ?3 AND content = ?4",
                params![student, exercise, number, content],
                |row| {
                    Ok(AttemptRow {
                        student: row.get(0)?,
                        exercise: row.get(1)?,
                        number: row.get(2)?,
                        content: row.get(3)?,
                        handed: row.get(4)?,
                        late: row.get(5)?,
                        late_by: row.get::<_, Option<i64>>(6)?.and_then(|s| u64::try_from(s).ok()),
                        files: serde_json::from_str(&row.get::<_, String>(7)?).unwrap_or_default(),
                    })
                },
            )
            .optional()
        })
    }

    /// Stores a grading with its attempt, whole or not at all, in place of an earlier fault of this attempt on this basis.
    /// The same grading twice is stored once.
    pub fn add_grading(&self, grading: &NewGrading) -> Result<(), StoreError> {
        self.whole(|| {
            self.forget_fault(grading.attempt, grading.basis)?;
            self.add_attempt(grading.attempt)?;
            self.insert(grading)?;
            self.count(grading.attempt)
        })
    }

    fn insert(&self, grading: &NewGrading) -> Result<(), StoreError> {
        let mut graded = grading.graded.clone();
        let timing = std::mem::take(&mut graded.timing);
        let score = graded.score.as_ref();
        let status = serde_json::to_value(graded.status).expect("a word always serialises");
        self.run(|db| {
            db.execute(
                "INSERT OR IGNORE INTO gradings
                 (student, exercise, number, content, basis, rubric, origin, at, status, points, max, result, timing)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
                params![
                    grading.attempt.student,
                    grading.attempt.exercise,
                    grading.attempt.number,
                    grading.attempt.content,
                    grading.basis,
                    grading.rubric,
                    grading.origin,
                    grading.at,
                    status.as_str(),
                    score.map(|s| s.points),
                    score.map(|s| s.max),
                    serde_json::to_string(&graded).expect("a record always serialises"),
                    serde_json::to_string(&timing).expect("numbers always serialise"),
                ],
            )
            .map(drop)
        })
    }

    /// The grading of exactly this attempt on exactly this basis, so that nothing is graded twice. Faults do not
    /// count: they are tried again.
    pub fn graded_already(&self, attempt: &AttemptRow, basis: &str) -> Result<Option<Grading>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM gradings WHERE student = ?1 AND exercise = ?2 AND number = ?3 AND content = ?4
             AND basis = ?5 AND status <> 'fault' ORDER BY id DESC LIMIT 1"
        );
        self.run(|db| {
            db.query_row(
                &sql,
                params![attempt.student, attempt.exercise, attempt.number, attempt.content, basis],
                grading,
            )
            .optional()
        })
    }

    /// Makes an attempt, which has been graded, the one that counts.
    pub fn count(&self, attempt: &AttemptRow) -> Result<(), StoreError> {
        self.run(|db| {
            // Nothing is written where nothing changes.
            db.execute(
                "INSERT INTO counting (student, exercise, number, content) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (student, exercise) DO UPDATE SET number = excluded.number, content = excluded.content
                 WHERE number <> excluded.number OR content <> excluded.content",
                params![attempt.student, attempt.exercise, attempt.number, attempt.content],
            )
            .map(drop)
        })
    }

    /// Removes earlier faults of an attempt on this basis, so that trying again can store its result.
    fn forget_fault(&self, attempt: &AttemptRow, basis: &str) -> Result<(), StoreError> {
        self.run(|db| {
            db.execute(
                "DELETE FROM gradings WHERE student = ?1 AND exercise = ?2 AND number = ?3 AND content = ?4
                 AND basis = ?5 AND status = 'fault'",
                params![attempt.student, attempt.exercise, attempt.number, attempt.content, basis],
            )
            .map(drop)
        })
    }

    /// All gradings of an exercise, oldest first.
    pub fn gradings(&self, exercise: &str) -> Result<Vec<Grading>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM gradings WHERE exercise = ?1 ORDER BY student, id");
        self.run(|db| {
            let mut query = db.prepare(&sql)?;
            query.query_map([exercise], grading)?.collect()
        })
    }

    /// The newest grading of each student's attempt that counts, by key.
    pub fn current(&self, exercise: &str) -> Result<Vec<Grading>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM gradings WHERE id IN
             (SELECT MAX(g.id) FROM gradings g LEFT JOIN counting c ON c.student = g.student AND c.exercise = g.exercise
              WHERE g.exercise = ?1 AND (c.student IS NULL OR (c.number = g.number AND c.content = g.content))
              GROUP BY g.student) ORDER BY student"
        );
        self.run(|db| {
            let mut query = db.prepare(&sql)?;
            query.query_map([exercise], grading)?.collect()
        })
    }

    /// The exercises that were graded in this store.
    pub fn exercises(&self) -> Result<Vec<String>, StoreError> {
        self.run(|db| {
            let mut query = db.prepare("SELECT DISTINCT exercise FROM gradings ORDER BY exercise")?;
            query.query_map([], |row| row.get(0))?.collect()
        })
    }
}

fn grading(row: &Row) -> rusqlite::Result<Grading> {
    let json: String = row.get(9)?;
    let mut graded: Graded = serde_json::from_str(&json).map_err(|e| {
        rusqlite::Error::FromSqlConversionFailure(9, rusqlite::types::Type::Text, Box::new(e))
    })?;
    graded.timing = serde_json::from_str(&row.get::<_, String>(10)?).unwrap_or_default();
    Ok(Grading {
        id: row.get(0)?,
        student: row.get(1)?,
        exercise: row.get(2)?,
        number: row.get(3)?,
        content: row.get(4)?,
        basis: row.get(5)?,
        rubric: row.get(6)?,
        origin: row.get(7)?,
        at: row.get(8)?,
        graded,
    })
}
