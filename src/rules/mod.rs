//! One file a misconception: what it is, why it is wrong, and how to say so in a student's words.

mod catalogue;
mod page;
mod places;
mod verdict;

pub use catalogue::{all, page};
pub use page::Page;
pub use places::{Places, SharedVariable};
pub use verdict::{explain, verdict};
