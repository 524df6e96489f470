//! Finds, fetches and calls NVRTC through cudarc, and maps its log to the student's lines.
//!
//! NVRTC is NVIDIA's and proprietary: it is looked for on this machine ([`FindOptions`]), or fetched as pinned
//! wheels into the user's cache ([`fetch`]), never shipped. It needs no GPU and no driver.
//!
//! Student text reaches the compiler only through [`Nvrtc::compile`], which refuses includes that the exercise
//! does not allow ([`include_policy`]) and lets no path of this machine into a message ([`Diagnostic`]). The
//! worker's sandbox is the second line of defence.
//!
//! [`Diagnostic`]: crate::record::Diagnostic

mod bare;
mod cache;
mod call;
mod compile;
mod conditions;
mod fetch;
mod file_table;
mod find;
mod include_policy;
mod known;
mod lexer;
mod log;
mod request;
mod wheels;

pub use bare::bare_text;
pub use cache::cache_dir;
pub use compile::{CompileWatch, Nvrtc};
pub use fetch::{FetchError, fetch};
pub use find::{FindOptions, Installation, NotFound, Origin};
pub use include_policy::{Refusal, refused_includes};
pub use request::{CompileError, CompileRequest, Compiled};
pub use wheels::{WHEELS, Wheel};
