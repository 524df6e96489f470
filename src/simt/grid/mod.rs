//! Blocks, warps and lanes in time: who runs, who waits, in what order.

mod atomic;
mod barrier;
mod block;
mod builtin;
mod call;
mod checkpoint;
mod collective;
mod device;
mod exit;
mod observed;
mod permute;
mod place;
mod random;
mod scout;
mod split;
mod start;
mod step;
mod stuck;

pub use checkpoint::{Checkpoints, Part};
pub use scout::scout;
pub use start::launch;
