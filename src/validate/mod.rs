//! For authors: the solution, the mutants and the examples of an exercise are graded, and each must give what it should.

mod trial;

pub use trial::{Outcome, Trial, trials, try_out};
