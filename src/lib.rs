//! warpgrade grades CUDA exercises whose bugs are about ordering: fences, scopes, atomics, barriers.
//!
//! The memory model decides; runs are evidence. `docs/architecture.md` shows the rooms and which way imports go.

pub mod batch;
pub mod check;
pub mod cli;
pub mod device;
pub mod exercise;
pub mod grade;
pub mod harness;
pub mod model;
pub mod nvrtc;
pub mod patch;
pub mod ptx;
pub mod record;
pub mod report;
pub mod rubric;
pub mod rules;
pub mod sandbox;
pub mod simt;
pub mod submission;
pub mod validate;
