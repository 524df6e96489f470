//! Gradings in confined worker processes: the whole line from patch to score as one job.
//!
//! [`Grader`] is the parent's side and never fails: what a submission does to its worker (an endless compile, a crash
//! of the compiler, too much memory) becomes that program's compile error and the rest is graded; what the worker does
//! by itself is a fault. A grader keeps its worker warm from submission to submission.
//!
//! Graders of a class share what kernels gave ([`SharedAnswers`]): the worker that compiles then runs none itself, but asks
//! its parent, who asks a second worker unless the answer is known.

mod execute;
mod executor;
mod grader;
mod message;
mod serve;
mod shared;
mod watchdog;

pub use execute::serve as serve_execution;
pub use grader::{Grader, blame};
pub use message::{Choices, Setup};
pub use serve::serve;
pub use shared::{Keeper, SharedAnswers};
pub use watchdog::{COMPILE_LIMIT, Watchdog};
