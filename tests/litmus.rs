//! The memory model's own tests: hand-driven threads, every order of events, no compiler and no device.

#[path = "litmus/outcomes.rs"]
mod outcomes;
#[path = "litmus/races.rs"]
mod races;
#[path = "litmus/script.rs"]
mod script;
#[path = "litmus/truth_table.rs"]
mod truth_table;
