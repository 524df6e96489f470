//! Why a view could not be made.

/// A view failed: always ours, never the student's.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    #[error("failed to fill in a report template: {0}")]
    Template(#[from] tera::Error),
    #[error("failed to write a record as JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error("failed to write a table: {0}")]
    Csv(#[from] csv::Error),
    #[error("failed to write a JUnit report: {0}")]
    Junit(#[from] quick_junit::SerializeError),
    #[error("failed to write a feedback archive: {0}")]
    Zip(#[from] zip::result::ZipError),
    #[error("failed to write a report: {0}")]
    Io(#[from] std::io::Error),
}
