//! The class's store: one SQLite file that holds every attempt, result and manual score, who gave it and when.
//!
//! Written in transactions with a write-ahead log and full synchronisation: stopped at any moment, it holds whole
//! gradings or none. Scores are only ever added, so that an old one is never lost; a fault, which has none, makes way for
//! the result of the next try.

mod answers;
mod manual;
mod open;
mod results;

pub use answers::KeptAnswers;
pub use manual::ManualScore;
pub use open::{Store, StoreError};
pub use results::{AttemptRow, Grading, NewGrading};
