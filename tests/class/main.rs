//! A whole class through `warpgrade batch`: from the zip that Canvas gives to every file that goes back, undisturbed and
//! disturbed.

#[cfg(unix)]
mod autograder;
mod disturbed;
mod exports;
mod graded;
mod lines;
#[path = "../made_class/mod.rs"]
mod made_class;
mod odd_members;
#[path = "../schema/mod.rs"]
mod schema;
