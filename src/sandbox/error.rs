//! How a worker fails its parent.

use std::time::Duration;

/// Why a job has no result. Whose fault that is depends on the job: a time-out is usually the submission's.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The worker could not be started, or could not confine itself as required.
    #[error("the worker could not be started: {0}")]
    Start(String),
    /// It ran longer than its time limit, on the clock or on the CPU, and was killed with everything it had started.
    #[error("stopped after {} seconds", limit.as_secs_f64())]
    TimedOut { limit: Duration },
    /// It asked for more memory than it may have.
    #[error("stopped at the memory limit")]
    OutOfMemory,
    /// It ended without an answer: a signal, or an exit. `said` is the end of its stderr.
    #[error("the worker ended without an answer ({how})")]
    Died { how: String, said: String },
    /// A bug of ours in the worker.
    #[error("the worker failed: {0}")]
    Panicked(String),
    /// It wrote what is no message.
    #[error("the worker's answer could not be read: {0}")]
    Garbled(String),
}
