//! Exercises as data: `exercise.toml` and its folder, parsed and validated.

mod catalogue;
mod configurations;
mod error;
mod expected;
mod expression;
mod hints;
mod load;
mod model;
mod outcome;
mod plan;
mod questions;
mod recognise;
mod schema;
mod starter;

pub use catalogue::{Catalogue, CatalogueError};
pub use error::{LoadError, line_of};
pub use expected::ExpectedError;
pub use model::*;
pub use recognise::ProgramView;
