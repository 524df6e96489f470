//! A whole class: from what the LMS gave to what the LMS takes.

pub mod changes;
pub mod content;
pub mod discover;
pub mod publish;
mod run;
mod settle;
pub mod store;
mod student;
pub mod when;
mod which;

pub use discover::{Attempt, Class, DiscoverError, Ignored, Layout, Person, Student, discover};
pub use run::{Counts, End, Grades, Order, Step, run};
pub use settle::{Deduction, Lateness, Settled, settle};
pub use student::Identity;
pub use which::which;
