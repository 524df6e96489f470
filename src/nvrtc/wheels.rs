//! The wheels that NVRTC and its headers are fetched from, pinned.

use std::path::{Path, PathBuf};

/// A package of the Python index: one exact version, with the SHA-256 of each platform's file.
#[derive(Debug)]
pub struct Wheel {
    pub package: &'static str,
    pub version: &'static str,
    /// What it is for, in a person's words.
    pub purpose: &'static str,
    /// Size of the download in MB, for messages.
    pub megabytes: u32,
    /// Linux x86_64, Linux aarch64, Windows x86_64. `pip` accepts any of them and picks its platform's file.
    pub sha256: [&'static str; 3],
    /// Folder inside the wheel.
    pub folder: &'static str,
}

/// Everything `setup` fetches. NVRTC 12.9 knows sm_50 to sm_121 and writes PTX 8.8.
pub const WHEELS: [Wheel; 3] = [
    Wheel {
        package: "nvidia-cuda-nvrtc-cu12",
        version: "12.9.86",
        purpose: "NVRTC, the compiler",
        megabytes: 90,
        sha256: [
            "210cf05005a447e29214e9ce50851e83fc5f4358df8b453155d5e1918094dcb4",
            "096d4de6bda726415dfaf3198d4f5c522b8e70139c97feef5cd2ca6d4cd9cead",
            "72972ebdcf504d69462d3bcd67e7b81edd25d0fb85a2c46d3ea3517666636349",
        ],
        folder: "nvidia/cuda_nvrtc",
    },
    Wheel {
        package: "nvidia-cuda-cccl-cu12",
        version: "12.9.27",
        purpose: "headers: <cuda/atomic>, <cuda/barrier>, …",
        megabytes: 3,
        sha256: [
            "37869e17ce2e1ecec6eddf1927cca0f8c34e64fd848d40453df559091e2d7117",
            "d7898b38aa68beaa234d48f0868273702342a196d6e2e9d0ef058dca2390ebea",
            "72106f95a9bb3be18472806b4f663ebf0f9248a86d14b4ae3305725b855d9d92",
        ],
        folder: "nvidia/cuda_cccl",
    },
    Wheel {
        package: "nvidia-cuda-runtime-cu12",
        version: "12.9.79",
        purpose: "headers: cuda_runtime.h, cooperative_groups.h, …",
        megabytes: 4,
        sha256: [
            "25bba2dfb01d48a9b59ca474a1ac43c6ebf7011f1b0b8cc44f54eb6ac48a96c3",
            "83469a846206f2a733db0c42e223589ab62fd2fabac4432d2f8802de4bded0a4",
            "8e018af8fa02363876860388bd10ccb89eb9ab8fb0aa749aaf58430a9f7c4891",
        ],
        folder: "nvidia/cuda_runtime",
    },
];

impl Wheel {
    /// Where this version lies in the cache once unpacked.
    pub fn dir(&self, cache: &Path) -> PathBuf {
        cache.join("wheels").join(format!("{}-{}", self.package, self.version))
    }

    /// Whether it is there. Unpacking ends in a rename, so the folder is whole if it exists.
    pub fn is_cached(&self, cache: &Path) -> bool {
        self.dir(cache).join(self.folder).is_dir()
    }

    /// Its headers.
    pub fn include_dir(&self, cache: &Path) -> PathBuf {
        self.dir(cache).join(self.folder).join("include")
    }

    /// Its line of a requirements file, with every accepted hash.
    pub(super) fn requirement(&self) -> String {
        let hashes = self.sha256.map(|hash| format!(" --hash=sha256:{hash}")).concat();
        format!("{}=={}{hashes}", self.package, self.version)
    }

    /// Whether a file of the wheel is worth unpacking: libraries, headers and licences, and not NVRTC's second copy
    /// of itself (`libnvrtc.alt.so`, for other allocators).
    pub(super) fn wants(&self, path: &str) -> bool {
        let Some(inside) = path.strip_prefix(self.folder).and_then(|p| p.strip_prefix('/')) else {
            return path.contains("License");
        };
        match inside.split_once('/') {
            Some(("include", _)) => true,
            Some(("lib" | "bin", name)) => name.contains("nvrtc") && !name.contains(".alt."),
            _ => false,
        }
    }
}
