//! Paths given by a person, and what stands under them.

use std::fs::{File, Metadata};
use std::io::Read;
use std::path::{Path, PathBuf};

use super::intake::Intake;
use super::{Limits, Submission, leftovers, name};

/// Files up to this size are hashed even where they are too large to be graded.
const HASHED: u64 = 64 << 20;

/// Reads what stands at `path`: a file, a folder, an archive, a notebook.
///
/// Links are never followed, and nothing but regular files is opened. Never fails: what cannot be read is a notice.
pub fn read(path: &Path, limits: &Limits) -> Submission {
    read_many(&[path.to_owned()], limits)
}

/// Reads several paths as one submission.
pub fn read_many(paths: &[PathBuf], limits: &Limits) -> Submission {
    let own = |path: &PathBuf| path.file_name().map_or_else(|| ".".to_owned(), name::safe_name);
    read_named(paths.iter().map(|path| (path.as_path(), own(path))), limits)
}

/// Reads several paths as one submission, each under the name that its student gave it: a download's own file names say
/// more. Names of folders are of no account.
pub fn read_named<'a>(paths: impl Iterator<Item = (&'a Path, String)>, limits: &Limits) -> Submission {
    let mut intake = Intake::new(limits);
    for (path, shown) in paths {
        match path.symlink_metadata() {
            Ok(found) if found.is_dir() => walk(&mut intake, path),
            Ok(found) => open(&mut intake, path, &found, &shown),
            Err(error) => {
                intake.notice("cannot-read", format!("{shown} cannot be read: {}.", cause(&error)), &shown, 0)
            }
        }
    }
    intake.finish()
}

/// Reads files that are in memory already, each with the name under which it was handed in. Never fails, as [`read`].
pub fn read_in_memory<'f>(
    files: impl IntoIterator<Item = (&'f str, &'f [u8])>,
    limits: &Limits,
) -> Submission {
    let mut intake = Intake::new(limits);
    for (name, bytes) in files {
        if !intake.count_entry() {
            break;
        }
        let shown = name::safe_name(name);
        let (size, limit) = (bytes.len() as u64, intake.limit_for(&shown, bytes));
        if size > limit {
            intake.too_large(&shown, size, limit);
        } else {
            intake.file(&shown, bytes, 0);
        }
    }
    intake.finish()
}

fn walk(intake: &mut Intake, root: &Path) {
    let mut too_deep = false;
    let entries = walkdir::WalkDir::new(root)
        .follow_links(false)
        .follow_root_links(false)
        .min_depth(1)
        .max_depth(intake.limits.depth + 1)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|entry| !leftovers::is_leftover(&name::safe_name(entry.file_name())));
    for entry in entries {
        if !intake.count_entry() {
            return;
        }
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let shown = error.path().map_or_else(String::new, |path| relative(root, path));
                let why = error.io_error().map_or("it is a loop".to_owned(), cause);
                intake.notice("cannot-read", format!("{shown} cannot be read: {why}."), &shown, 0);
                continue;
            }
        };
        let shown = relative(root, entry.path());
        if entry.file_type().is_dir() {
            if entry.depth() > intake.limits.depth && !std::mem::replace(&mut too_deep, true) {
                let message =
                    format!("{shown}: folders deeper than {} levels are not looked at.", intake.limits.depth);
                intake.notice("too-deep", message, &shown, 0);
            }
            continue;
        }
        match entry.path().symlink_metadata() {
            Ok(found) => open(intake, entry.path(), &found, &shown),
            Err(error) => {
                intake.notice("cannot-read", format!("{shown} cannot be read: {}.", cause(&error)), &shown, 0)
            }
        }
    }
}

/// The path under the submission's root, with `/`, safe to print.
fn relative(root: &Path, path: &Path) -> String {
    let inner = path.strip_prefix(root).unwrap_or(path);
    let parts: Vec<String> = inner.components().map(|part| name::safe_name(part.as_os_str())).collect();
    parts.join("/")
}

/// Reads one file that is no folder, if it is a regular file.
fn open(intake: &mut Intake, path: &Path, found: &Metadata, shown: &str) {
    if found.is_symlink() {
        let message = format!("{shown} is a link; links are not followed. Hand in the file itself.");
        return intake.notice("link", message, shown, 0);
    }
    if !found.is_file() {
        let message = format!("{shown} is a device, a pipe or a socket, not a file; it was not opened.");
        return intake.notice("not-a-file", message, shown, 0);
    }
    let result = File::open(path).and_then(|mut file| {
        // Between the look above and this line the path may have become something else.
        let opened = file.metadata()?;
        if !opened.is_file() {
            return Err(std::io::Error::other("it is not a file"));
        }
        let mut head = Vec::new();
        (&mut file).take(512).read_to_end(&mut head)?;
        let limit = intake.limit_for(shown, &head);
        if opened.len() > limit {
            intake.too_large(shown, opened.len(), limit);
            if opened.len() <= HASHED {
                let mut hasher = blake3::Hasher::new();
                hasher.update(&head);
                hasher.update_reader((&mut file).take(HASHED))?;
                if let Some(input) = intake.submission.inputs.last_mut() {
                    input.blake3 = hasher.finalize().to_hex().to_string();
                }
            }
            return Ok(None);
        }
        let mut bytes = head;
        (&mut file).take(limit).read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    });
    match result {
        Ok(Some(bytes)) => intake.file(shown, &bytes, 0),
        Ok(None) => {}
        Err(error) => {
            intake.notice("cannot-read", format!("{shown} cannot be read: {}.", cause(&error)), shown, 0)
        }
    }
}

/// The system's reason, without a path of the machine in it.
fn cause(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        kind => kind.to_string(),
    }
}
