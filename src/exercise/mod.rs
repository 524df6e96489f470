//! Exercises as data: `exercise.toml` and its folder, parsed and validated.

mod model;

pub use model::*;
