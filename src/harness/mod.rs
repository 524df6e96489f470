//! The harness contract: what to launch, what must come out, which rows decide, and the transcript.
//!
//! The contract's rules and what enforces each stand in `reference/harness/README.md`.

mod answering;
mod constants;
mod elsewhere;
mod fill;
mod fingerprint;
mod gates;
mod oracle;
mod plan;
mod plans;
mod program;
mod row;
mod session;
mod stopped;
mod terms;
mod transcript;

pub use answering::*;
pub use constants::*;
pub use elsewhere::*;
pub use fill::*;
pub use fingerprint::*;
pub use gates::*;
pub use oracle::*;
pub use plan::*;
pub use plans::*;
pub use program::*;
pub use row::*;
pub use session::*;
pub use stopped::*;
pub use terms::*;
pub use transcript::*;
