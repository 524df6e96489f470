//! The worker process and its limits: where a submission's code is compiled and executed.

mod features;

pub use features::{Feature, features};
