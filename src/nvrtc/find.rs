//! Looks for an NVRTC and its headers on this machine.

use std::env;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::cache::cache_dir;
use super::wheels::WHEELS;

/// Where to look, in the order of the fields. [`FindOptions::from_env`] is what the command line uses; tests give
/// their own.
#[derive(Debug, Clone, Default)]
pub struct FindOptions {
    /// The library itself, or a folder that holds it. When given, nothing else is tried.
    pub explicit: Option<PathBuf>,
    /// CUDA installations that the environment names.
    pub cuda_homes: Vec<PathBuf>,
    /// Ask the system's loader by name.
    pub loader: bool,
    /// CUDA installations at the usual places.
    pub system: Vec<PathBuf>,
    /// Python's `site-packages` folders.
    pub site_packages: Vec<PathBuf>,
    /// The cache that [`fetch`](super::fetch()) fills.
    pub cache: Option<PathBuf>,
}

/// How a library was found; `doctor` shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    Explicit,
    CudaHome,
    Loader,
    System,
    SitePackages,
    Cache,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Origin::Explicit => "given by WARPGRADE_NVRTC",
            Origin::CudaHome => "in CUDA_PATH or CUDA_HOME",
            Origin::Loader => "known to the system's loader",
            Origin::System => "in a CUDA installation",
            Origin::SitePackages => "in Python's packages",
            Origin::Cache => "in warpgrade's cache",
        })
    }
}

/// A library to try, with the headers that belong to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Installation {
    /// Path of the library, or its bare name for the loader.
    pub library: PathBuf,
    /// Header folders, in the order in which to search them; empty when there are none.
    pub include_dirs: Vec<PathBuf>,
    pub origin: Origin,
}

impl Installation {
    /// What must be readable for it to work: its own folder (its built-in functions lie beside it) and its headers.
    /// A library that the loader found by name lies where the system's libraries do.
    pub fn folders(&self) -> Vec<PathBuf> {
        let real = self.library.canonicalize().ok();
        let own = [Some(self.library.clone()), real].into_iter().flatten();
        let own = own.filter_map(|library| library.parent().map(Path::to_path_buf));
        own.filter(|folder| folder.is_absolute()).chain(self.include_dirs.iter().cloned()).collect()
    }
}

/// No usable NVRTC; says where was looked, and what to do.
#[derive(Debug, Clone, thiserror::Error)]
#[error(
    "NVRTC, NVIDIA's run-time compiler, was not found{}. Run `warpgrade setup` to fetch it (about 100 MB; no GPU \
     is needed), or set WARPGRADE_NVRTC to a libnvrtc that you have",
    if tried.is_empty() { String::new() } else { format!(" ({})", tried.join("; ")) }
)]
pub struct NotFound {
    /// What was found and could not be used, with the reason.
    pub tried: Vec<String>,
}

impl FindOptions {
    /// All the places that the environment gives.
    pub fn from_env() -> Self {
        let path = |name: &str| env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
        let mut system = vec![PathBuf::from("/usr/local/cuda")];
        // Newest first: cuda-13.0 before cuda-12.9.
        let mut versioned = matching("/usr/local", "cuda-");
        versioned.sort_by_key(|dir| std::cmp::Reverse(version_of(dir)));
        system.extend(versioned);
        system.extend(["/opt/cuda", "/usr/lib/cuda"].map(PathBuf::from));
        FindOptions {
            explicit: path("WARPGRADE_NVRTC"),
            cuda_homes: ["CUDA_PATH", "CUDA_HOME"].iter().filter_map(|name| path(name)).collect(),
            loader: true,
            system,
            site_packages: site_packages(),
            cache: cache_dir(),
        }
    }

    /// Every library that exists at these places, best first. Whether one works is for the caller to try.
    pub fn candidates(&self) -> Vec<Installation> {
        let mut found = Vec::new();
        if let Some(given) = &self.explicit {
            let library = if given.is_dir() { library_in(given) } else { Some(given.clone()) };
            let library = library.unwrap_or_else(|| given.clone());
            let include_dirs = headers_near(&library);
            found.push(Installation { library, include_dirs, origin: Origin::Explicit });
            return found;
        }
        toolkits(&self.cuda_homes, Origin::CudaHome, &mut found);
        if self.loader && !cfg!(windows) {
            for name in ["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"] {
                found.push(Installation {
                    library: name.into(),
                    include_dirs: Vec::new(),
                    origin: Origin::Loader,
                });
            }
        }
        toolkits(&self.system, Origin::System, &mut found);
        for site in &self.site_packages {
            for folder in ["nvidia/cu13", "nvidia/cuda_nvrtc"] {
                let library = ["lib", "bin", "bin/x86_64"]
                    .iter()
                    .find_map(|lib| library_in(&site.join(folder).join(lib)));
                if let Some(library) = library {
                    let include_dirs = headers_near(&library);
                    found.push(Installation { library, include_dirs, origin: Origin::SitePackages });
                }
            }
        }
        if let Some(cache) = &self.cache {
            let root = WHEELS[0].dir(cache).join(WHEELS[0].folder);
            let library = ["lib", "bin"].iter().find_map(|lib| library_in(&root.join(lib)));
            if let Some(library) = library {
                found.push(Installation {
                    library,
                    include_dirs: self.cached_headers(),
                    origin: Origin::Cache,
                });
            }
        }
        found
    }

    /// The headers in the cache, for an NVRTC that came without.
    pub fn cached_headers(&self) -> Vec<PathBuf> {
        let Some(cache) = &self.cache else { return Vec::new() };
        if WHEELS[1..].iter().all(|wheel| wheel.is_cached(cache)) {
            WHEELS[1..].iter().map(|wheel| wheel.include_dir(cache)).collect()
        } else {
            Vec::new()
        }
    }
}

/// Adds the libraries of CUDA installations at `roots`.
fn toolkits(roots: &[PathBuf], origin: Origin, found: &mut Vec<Installation>) {
    for root in roots {
        let library = ["lib64", "lib", "bin", "bin/x64"].iter().find_map(|lib| library_in(&root.join(lib)));
        if let Some(library) = library {
            found.push(Installation { library, include_dirs: toolkit_headers(root), origin });
        }
    }
}

/// `libnvrtc.so.NN` (or `nvrtc64_NN0_0.dll`) in `dir`, the highest number; never its builtins.
fn library_in(dir: &Path) -> Option<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(dir)
        .ok()?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let unix = name.starts_with("libnvrtc.so");
            let windows = name.starts_with("nvrtc64_") && name.ends_with(".dll");
            (unix || windows) && !name.contains("builtins") && !name.contains(".alt.")
        })
        .collect();
    found.sort_by_key(|path| std::cmp::Reverse(version_of(path)));
    found.into_iter().next()
}

/// The numbers in a file's name, to compare versions.
fn version_of(path: &Path) -> Vec<u32> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().replace("nvrtc64", "");
    name.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

/// Headers of a CUDA installation: `include` (and `include/cccl` since CUDA 13).
fn toolkit_headers(root: &Path) -> Vec<PathBuf> {
    let include = root.join("include");
    let dirs = vec![include.join("cccl"), include];
    dirs.into_iter()
        .filter(|dir| dir.join("cuda/atomic").is_file() || dir.join("cuda_runtime.h").is_file())
        .collect()
}

/// Headers that belong to a library in `…/nvidia/cuda_nvrtc/lib`, `…/nvidia/cu13/lib` or a toolkit's `lib64`.
fn headers_near(library: &Path) -> Vec<PathBuf> {
    let Some(root) = library.parent().and_then(Path::parent) else { return Vec::new() };
    let own = toolkit_headers(root);
    if !own.is_empty() {
        return own;
    }
    let Some(packages) = root.parent() else { return Vec::new() };
    ["cuda_cccl", "cuda_runtime"].iter().flat_map(|name| toolkit_headers(&packages.join(name))).collect()
}

fn matching(dir: &str, prefix: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    entries.filter(|e| e.file_name().to_string_lossy().starts_with(prefix)).map(|e| e.path()).collect()
}

/// `site-packages` of the active environment, of the `python3` on the path, and of the user. No Python is started.
fn site_packages() -> Vec<PathBuf> {
    let mut prefixes: Vec<PathBuf> =
        ["VIRTUAL_ENV", "CONDA_PREFIX"].iter().filter_map(env::var_os).map(PathBuf::from).collect();
    let on_path = env::var_os("PATH").unwrap_or_default();
    let python = env::split_paths(&on_path).map(|dir| dir.join("python3")).find(|path| path.is_file());
    if let Some(python) = python.and_then(|path| path.canonicalize().ok()) {
        prefixes.extend(python.parent().and_then(Path::parent).map(Path::to_path_buf));
    }
    prefixes.extend(env::var_os("HOME").map(|home| PathBuf::from(home).join(".local")));
    let mut found = Vec::new();
    for prefix in prefixes {
        let lib = prefix.join("lib");
        let mut versions = matching(&lib.to_string_lossy(), "python3");
        versions.sort_by_key(|dir| std::cmp::Reverse(version_of(dir)));
        for version in versions {
            // Debian keeps its own packages in `dist-packages`.
            found.extend(["site-packages", "dist-packages"].map(|name| version.join(name)));
        }
        found.push(prefix.join("Lib/site-packages"));
    }
    found.retain(|dir| dir.is_dir());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(path: &Path) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }

    #[test]
    fn nothing_anywhere_gives_no_candidates() {
        assert_eq!(FindOptions::default().candidates(), []);
    }

    #[test]
    fn an_explicit_path_is_the_only_candidate() {
        let dir = tempfile::tempdir().unwrap();
        touch(&dir.path().join("lib/libnvrtc.so.12"));
        touch(&dir.path().join("lib/libnvrtc-builtins.so.12.9"));
        let options =
            FindOptions { explicit: Some(dir.path().join("lib")), loader: true, ..FindOptions::default() };
        let found = options.candidates();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].library, dir.path().join("lib/libnvrtc.so.12"));
    }

    #[test]
    fn places_are_tried_in_order_and_the_newest_library_of_a_folder_wins() {
        let dir = tempfile::tempdir().unwrap();
        let at = |p: &str| dir.path().join(p);
        touch(&at("home/lib64/libnvrtc.so.11.8.89"));
        touch(&at("home/lib64/libnvrtc.so.12"));
        touch(&at("system/lib64/libnvrtc.so.12"));
        touch(&at("system/include/cuda_runtime.h"));
        touch(&at("system/include/cccl/cuda/atomic"));
        touch(&at("site/nvidia/cuda_nvrtc/lib/libnvrtc.so.12"));
        touch(&at("site/nvidia/cuda_cccl/include/cuda/atomic"));
        let options = FindOptions {
            cuda_homes: vec![at("home")],
            system: vec![at("system")],
            site_packages: vec![at("site")],
            ..FindOptions::default()
        };
        let found = options.candidates();
        let origins: Vec<Origin> = found.iter().map(|i| i.origin).collect();
        assert_eq!(origins, [Origin::CudaHome, Origin::System, Origin::SitePackages]);
        assert_eq!(found[0].library, at("home/lib64/libnvrtc.so.12"));
        assert_eq!(found[1].include_dirs, [at("system/include/cccl"), at("system/include")]);
        assert_eq!(found[2].include_dirs, [at("site/nvidia/cuda_cccl/include")]);
    }
}
