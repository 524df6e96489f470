//! The worker process and its limits: where a submission's code is compiled and executed.
//!
//! A worker is this program again, started as its hidden subcommand `worker`. It is told a [`Policy`] and a job's
//! trusted setup over a private pipe, prepares, gives up what it does not need ([`confine`]), and then takes jobs
//! one after another. What it may do is decided here; what its jobs are is decided by the rooms above.
//!
//! Threat by threat, with what stops it: `docs/security.md`.

mod attempt;
mod channel;
mod confine;
mod error;
mod features;
mod policy;
mod process;
mod self_test;
mod serve;
mod syscalls;
mod worker;

pub use attempt::{Attempt, Outcome, attempts_on_the_host};
pub use channel::{Bytes, MAX_FRAME, Question, pack, read_messages, unpack, write_messages};
pub use confine::Confinement;
pub use error::WorkerError;
pub use features::{Feature, features};
pub use policy::Policy;
pub use process::run_within;
pub use self_test::self_test;
pub use serve::{Outside, serve};
pub use worker::{Worker, WorkerSpec};
