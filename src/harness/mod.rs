//! The harness contract: what to launch, what must come out, which rows decide, and the transcript.
//!
//! The contract's rules and what enforces each stand in `reference/harness/README.md`.

mod constants;
mod fill;
mod fingerprint;
mod gates;
mod plan;
mod row;
mod transcript;

pub use constants::*;
pub use fill::*;
pub use fingerprint::*;
pub use gates::*;
pub use plan::*;
pub use row::*;
pub use transcript::*;
