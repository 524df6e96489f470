//! The checker on kernels that NVRTC compiled and the embedded device runs.

#[path = "checker/bench.rs"]
mod bench;
#[path = "checker/course.rs"]
mod course;
#[path = "checker/rules.rs"]
mod rules;
#[path = "checker/truth_table.rs"]
mod truth_table;
