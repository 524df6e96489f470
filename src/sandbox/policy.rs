//! What a worker may do.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// A worker's limits. Everything that is not allowed here is refused, as far as the kernel can.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// Files and folders (with all that is in them) that may be read.
    pub read: Vec<PathBuf>,
    /// CPU seconds that one job may take, over all threads.
    pub cpu_seconds: u64,
    /// Bytes of address space. `None` where a GPU is used: its driver reserves hundreds of GiB.
    pub memory: Option<u64>,
    /// Bytes of the largest file that may be written.
    pub file_bytes: u64,
    /// Opens the driver's device files, and leaves it the system calls that it needs.
    pub gpu: bool,
    /// Refuse to start where a protection is missing.
    pub require_all: bool,
}

impl Default for Policy {
    /// For a submission on the embedded device: 4 GiB, two minutes of CPU, and no file but the system's libraries.
    fn default() -> Self {
        Policy {
            read: Policy::system_libraries(),
            cpu_seconds: 120,
            memory: Some(4 << 30),
            file_bytes: 64 << 20,
            gpu: false,
            require_all: false,
        }
    }
}

impl Policy {
    /// Where the loader finds libraries: no configuration, no home, no data.
    pub fn system_libraries() -> Vec<PathBuf> {
        let dirs = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"];
        dirs.map(PathBuf::from).to_vec()
    }

    /// Also lets these be read.
    pub fn reading(mut self, paths: impl IntoIterator<Item = PathBuf>) -> Self {
        self.read.extend(paths);
        self
    }

    /// For code that runs on a GPU: the driver's files, no limit on address space.
    pub fn for_gpu(mut self) -> Self {
        self.gpu = true;
        self.memory = None;
        self
    }
}
