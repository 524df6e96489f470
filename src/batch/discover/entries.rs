//! The download's top level: regular files and folders, without links and leftovers.

use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::Ignored;
use crate::submission::safe_name;

/// A file or folder directly inside the download.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub path: PathBuf,
    /// The name, lossily decoded; not yet safe to print.
    pub name: String,
    pub folder: bool,
}

const LEFTOVERS: [&str; 6] =
    ["__MACOSX", ".DS_Store", ".git", ".ipynb_checkpoints", "Thumbs.db", "desktop.ini"];

/// Whether a name is something that an operating system or an editor left behind.
pub(super) fn is_leftover(name: &str) -> bool {
    LEFTOVERS.contains(&name) || name.starts_with("._") || name.ends_with('~') || name.starts_with(".~")
}

/// Lists the entries of a folder in name order; says what was left out and why.
pub(super) fn top_level(root: &Path, ignored: &mut Vec<Ignored>) -> std::io::Result<Vec<Entry>> {
    // Opened once by hand, so that an unreadable folder is an error and not an empty class.
    std::fs::read_dir(root)?;
    let mut entries = Vec::new();
    for found in WalkDir::new(root).min_depth(1).max_depth(1).follow_links(false).sort_by_file_name() {
        let found = match found {
            Ok(found) => found,
            Err(error) => {
                let path = error.path().unwrap_or(root).file_name().unwrap_or_default().to_owned();
                ignored.push(Ignored { path: safe_name(&path), reason: "it cannot be read".to_owned() });
                continue;
            }
        };
        let name = found.file_name().to_string_lossy().into_owned();
        let kind = found.file_type();
        let mut leave =
            |reason: &str| ignored.push(Ignored { path: safe_name(&name), reason: reason.to_owned() });
        if is_leftover(&name) {
            leave("left behind by an operating system or an editor");
        } else if kind.is_symlink() {
            leave("a link; links are not followed");
        } else if kind.is_dir() || kind.is_file() {
            entries.push(Entry { path: found.into_path(), name, folder: kind.is_dir() });
        } else {
            leave("a device, pipe or socket, not a file");
        }
    }
    Ok(entries)
}

/// The regular files under a folder, in path order, with their paths relative to it.
pub(super) fn files_under(folder: &Path) -> Vec<(PathBuf, String)> {
    WalkDir::new(folder)
        .min_depth(1)
        .follow_links(false)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|e| !is_leftover(&e.file_name().to_string_lossy()))
        .filter_map(Result::ok)
        .filter(|e| e.file_type().is_file())
        .map(|e| {
            let relative = e.path().strip_prefix(folder).unwrap_or(e.path()).to_string_lossy().into_owned();
            (e.into_path(), relative)
        })
        .collect()
}

/// Zips often hold one folder that holds everything: `submissions/…`. Only goes in where the folder cannot itself be a
/// student's: it holds an export's metadata, or names of an LMS.
pub(super) fn only_folder_inside(root: &Path) -> PathBuf {
    let mut ignored = Vec::new();
    let Ok(entries) = top_level(root, &mut ignored) else { return root.to_owned() };
    let [only] = entries.as_slice() else { return root.to_owned() };
    if !only.folder || super::moodle::looks_like(&only.name) {
        return root.to_owned();
    }
    let Ok(inside) = top_level(&only.path, &mut ignored) else { return root.to_owned() };
    let lms = super::gradescope::is_export(&only.path)
        || inside.iter().any(|e| super::moodle::looks_like(&e.name))
        || super::canvas::looks_like(&inside);
    // A folder that holds nothing but folders is a class, not a student's submission.
    let folders = inside.len() > 1 && inside.iter().all(|e| e.folder);
    if lms || folders { only.path.clone() } else { root.to_owned() }
}
