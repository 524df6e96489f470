//! Fetches the pinned wheels with `pip` and unpacks them into the cache.
//!
//! `pip` is asked, rather than an HTTP client of our own, because it knows the person's index, proxy, certificates
//! and cache. It checks the hashes; nothing is unpacked that does not match.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

use super::wheels::{WHEELS, Wheel};

/// How the work folders' names begin.
const WORK: &str = "fetch-";

/// Why NVRTC could not be fetched: our failure, with what the person can do.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    #[error(
        "no Python with pip was found to fetch NVRTC with. Install Python 3 with pip, or install the CUDA toolkit, \
         or set WARPGRADE_NVRTC to a libnvrtc that you have"
    )]
    NoPip,
    #[error("pip could not fetch {package} {version}:\n{output}")]
    Pip { package: &'static str, version: &'static str, output: String },
    #[error("the cache folder could not be written: {0}. Set WARPGRADE_CACHE to a folder that can be")]
    Cache(io::Error),
    #[error("the wheel of {package} could not be unpacked: {reason}")]
    Wheel { package: &'static str, reason: String },
    #[error("there is no home folder for the cache: set WARPGRADE_CACHE to a folder")]
    NoHome,
}

/// Fetches every wheel of [`WHEELS`] that `cache` lacks. `progress` is given lines for a person.
///
/// Safe when several processes do it at once: one fetches, the others wait and find it there.
pub fn fetch(cache: &Path, progress: &mut dyn FnMut(&str)) -> Result<(), FetchError> {
    fs::create_dir_all(cache).map_err(FetchError::Cache)?;
    let (_lock, alone) = lock(cache, progress)?;
    if alone {
        remove_leftovers(cache);
    }
    for wheel in &WHEELS {
        if !wheel.is_cached(cache) {
            fetch_one(wheel, cache, progress)?;
        }
    }
    Ok(())
}

/// Work folders of a fetch that was killed.
fn remove_leftovers(cache: &Path) {
    for entry in fs::read_dir(cache).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(WORK) {
            // If it cannot be removed it is only in the way of the disk.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Held until dropped; the operating system lets it go if we die. `false` where the file system has no locks, and
/// another process may be fetching too.
fn lock(cache: &Path, progress: &mut dyn FnMut(&str)) -> Result<(File, bool), FetchError> {
    let file = File::create(cache.join("lock")).map_err(FetchError::Cache)?;
    match file.try_lock() {
        Ok(()) => Ok((file, true)),
        Err(fs::TryLockError::WouldBlock) => {
            progress("another warpgrade is fetching NVRTC: waiting for it");
            file.lock().map_err(FetchError::Cache)?;
            Ok((file, true))
        }
        // A file system without locks: the final rename still keeps the cache whole.
        Err(fs::TryLockError::Error(_)) => Ok((file, false)),
    }
}

fn fetch_one(wheel: &Wheel, cache: &Path, progress: &mut dyn FnMut(&str)) -> Result<(), FetchError> {
    progress(&format!(
        "fetching {} {} ({}, about {} MB)",
        wheel.package, wheel.version, wheel.purpose, wheel.megabytes
    ));
    // In the cache's own file system, so that the last step is one rename.
    let work = tempfile::Builder::new().prefix(WORK).tempdir_in(cache).map_err(FetchError::Cache)?;
    let archive = download(wheel, work.path(), progress)?;
    let unpacked = work.path().join("unpacked");
    unpack(wheel, &archive, &unpacked)?;
    let home = wheel.dir(cache);
    fs::create_dir_all(home.parent().expect("a wheel's folder lies in `wheels`"))
        .map_err(FetchError::Cache)?;
    match fs::rename(&unpacked, &home) {
        Err(_) if wheel.is_cached(cache) => {}
        result => result.map_err(FetchError::Cache)?,
    }
    progress(&format!("{} {} is ready", wheel.package, wheel.version));
    Ok(())
}

/// Runs `pip download` into `dir`; returns the wheel's file.
fn download(wheel: &Wheel, dir: &Path, progress: &mut dyn FnMut(&str)) -> Result<PathBuf, FetchError> {
    let requirements = dir.join("requirements.txt");
    fs::write(&requirements, wheel.requirement()).map_err(FetchError::Cache)?;
    let into = dir.join("download");
    let mut answer = None;
    for python in ["python3", "python", "py"] {
        answer = pip(python, &requirements, &into, progress);
        if answer.is_some() {
            break;
        }
    }
    let (ok, output) = answer.ok_or(FetchError::NoPip)?;
    let found = fs::read_dir(&into).ok().and_then(|entries| {
        entries.flatten().map(|entry| entry.path()).find(|path| path.extension().is_some_and(|e| e == "whl"))
    });
    match found {
        Some(path) if ok => Ok(path),
        _ => Err(FetchError::Pip { package: wheel.package, version: wheel.version, output }),
    }
}

/// `None` when this interpreter does not exist or has no pip; else whether it succeeded, and the end of what it said.
fn pip(
    python: &str,
    requirements: &Path,
    into: &Path,
    progress: &mut dyn FnMut(&str),
) -> Option<(bool, String)> {
    let mut child = Command::new(python)
        .args(["-m", "pip", "--disable-pip-version-check", "--no-color", "download", "--no-deps"])
        .args(["--require-hashes", "--only-binary=:all:", "--progress-bar=off", "--dest"])
        .arg(into)
        .arg("--requirement")
        .arg(requirements)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    let mut errors = child.stderr.take().expect("stderr is piped");
    // Read beside stdout, so that neither pipe fills up and stops pip.
    let errors = std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = errors.read_to_end(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    });
    let mut said = String::new();
    for line in BufReader::new(child.stdout.take().expect("stdout is piped")).lines().map_while(Result::ok) {
        if let Some(file) = line.trim().strip_prefix("Downloading ") {
            progress(&format!("  downloading {}", file.rsplit('/').next().unwrap_or(file)));
        }
        said.push_str(&line);
        said.push('\n');
    }
    let errors = errors.join().unwrap_or_default();
    let status = child.wait().ok()?;
    if errors.contains("No module named pip") {
        return None;
    }
    let message = if errors.trim().is_empty() { said } else { errors };
    let last: Vec<&str> = message.lines().rev().take(12).collect();
    Some((status.success(), last.into_iter().rev().collect::<Vec<_>>().join("\n")))
}

/// Unpacks what is needed of a wheel. Its hash has been checked; paths are checked all the same.
fn unpack(wheel: &Wheel, archive: &Path, into: &Path) -> Result<(), FetchError> {
    let broken = |reason: String| FetchError::Wheel { package: wheel.package, reason };
    let file = File::open(archive).map_err(FetchError::Cache)?;
    let mut zip = zip::ZipArchive::new(file).map_err(|e| broken(e.to_string()))?;
    for index in 0..zip.len() {
        let mut entry = zip.by_index(index).map_err(|e| broken(e.to_string()))?;
        let name = entry.name().map_err(|e| broken(e.to_string()))?.into_owned();
        if entry.is_dir() || !wheel.wants(&name) {
            continue;
        }
        if !Path::new(&name).components().all(|c| matches!(c, Component::Normal(_))) {
            return Err(broken("a path leads out of the archive".to_owned()));
        }
        let target = into.join(&name);
        fs::create_dir_all(target.parent().unwrap_or(into)).map_err(FetchError::Cache)?;
        let mut out = File::create(&target).map_err(FetchError::Cache)?;
        io::copy(&mut entry, &mut out).map_err(FetchError::Cache)?;
    }
    if into.join(wheel.folder).is_dir() { Ok(()) } else { Err(broken(format!("it has no {}", wheel.folder))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wheel_that_does_not_match_its_hash_is_refused() {
        let changed = Wheel { sha256: ["00"; 3].map(|_| ZEROS), ..WHEELS[1].clone_for_test() };
        let dir = tempfile::tempdir().unwrap();
        let error = fetch_one(&changed, dir.path(), &mut |_| {}).unwrap_err();
        assert!(matches!(error, FetchError::Pip { .. }), "{error}");
        assert!(!changed.is_cached(dir.path()));
    }

    const ZEROS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

    impl Wheel {
        fn clone_for_test(&self) -> Wheel {
            Wheel { ..*self }
        }
    }

    #[test]
    fn only_what_is_needed_is_unpacked() {
        let nvrtc = &WHEELS[0];
        assert!(nvrtc.wants("nvidia/cuda_nvrtc/lib/libnvrtc.so.12"));
        assert!(nvrtc.wants("nvidia/cuda_nvrtc/lib/libnvrtc-builtins.so.12.9"));
        assert!(!nvrtc.wants("nvidia/cuda_nvrtc/lib/libnvrtc.alt.so.12"));
        assert!(!WHEELS[2].wants("nvidia/cuda_runtime/lib/libcudart.so.12"));
        assert!(WHEELS[1].wants("nvidia/cuda_cccl/include/cuda/atomic"));
        assert!(nvrtc.wants("nvidia_cuda_nvrtc_cu12-12.9.86.dist-info/License.txt"));
    }

    #[test]
    fn an_archive_cannot_write_outside_its_folder() {
        use std::io::Write;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("evil.whl");
        let mut zip = zip::ZipWriter::new(File::create(&path).unwrap());
        let options = zip::write::SimpleFileOptions::default();
        zip.start_file("nvidia/cuda_cccl/include/../../../../out.txt", options).unwrap();
        zip.write_all(b"x").unwrap();
        zip.finish().unwrap();
        let error = unpack(&WHEELS[1], &path, &dir.path().join("in")).unwrap_err();
        assert!(error.to_string().contains("out of the archive"), "{error}");
        assert!(!dir.path().join("out.txt").exists());
    }
}
