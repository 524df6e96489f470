//! A whole class: from what the LMS gave to what the LMS takes.

pub mod discover;
pub mod store;
pub mod student;
pub mod when;

pub use discover::{Attempt, Class, DiscoverError, Ignored, Layout, Person, Student, discover};
