//! NVIDIA GPUs through cudarc's driver interface.
//!
//! Everything that touches a card does so in a worker process ([`serve`]), which a fault or a hang ends and nothing
//! else; [`GpuWorker`] and [`CudaDevice`] are the parent's side. Runs are checked, reset and compared as the contract says: see [`row`].

mod device;
mod driver;
mod elf;
mod fault;
mod fingerprint;
mod line;
mod probe;
mod row;
pub mod sanitizer;
mod wire;
mod work;

pub use device::{BATCH_LIMIT, CudaDevice};
pub use line::{GpuWorker, Question, Reply};
pub use probe::{Card, Found, probe};
pub use work::{replay, serve};
