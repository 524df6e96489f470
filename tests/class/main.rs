//! A whole class through `warpgrade batch`: from the zip that Canvas gives to every file that goes back, undisturbed and
//! disturbed.

mod assistant;
#[cfg(unix)]
mod autograder;
#[path = "../browser/mod.rs"]
mod browser;
mod disturbed;
mod exports;
mod graded;
mod lines;
#[path = "../made_class/mod.rs"]
mod made_class;
mod odd_members;
mod page;
#[path = "../schema/mod.rs"]
mod schema;
