//! NVIDIA's compute-sanitizer, where it is installed.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The tool that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sanitizer {
    pub path: PathBuf,
    /// As it says itself: `2025.3.1.0`.
    pub version: String,
}

/// Looks on the path, in `CUDA_PATH`/`CUDA_HOME` and at the usual place.
pub fn find() -> Option<Sanitizer> {
    let homes = ["CUDA_PATH", "CUDA_HOME"].iter().filter_map(std::env::var_os).map(PathBuf::from);
    let homes = homes.chain([PathBuf::from("/usr/local/cuda")]);
    let in_homes = homes.flat_map(|home| [home.join("bin"), home.join("compute-sanitizer")]);
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    let on_path: Vec<PathBuf> = std::env::split_paths(&on_path).collect();
    let name = format!("compute-sanitizer{}", std::env::consts::EXE_SUFFIX);
    on_path.into_iter().chain(in_homes).map(|dir| dir.join(&name)).find_map(|path| answer(&path))
}

/// Runs `--version`; a tool that does not answer is as good as none.
fn answer(path: &Path) -> Option<Sanitizer> {
    if !path.is_file() {
        return None;
    }
    let output = Command::new(path).arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let version = text.lines().find_map(|line| line.trim().strip_prefix("Version "));
    Some(Sanitizer { path: path.to_path_buf(), version: version?.split_whitespace().next()?.to_owned() })
}
