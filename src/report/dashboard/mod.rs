//! The page for staff: what the class got wrong, who must be looked at, what the spread is.

mod alike;
mod attention;
mod page;
mod statistics;

pub use page::dashboard;
