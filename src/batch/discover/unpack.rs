//! A class's zip, unpacked into a temporary folder. Unlike a student's archive this one comes from the LMS, but its
//! member names were chosen by students: links, absolute names and `..` are left out, sizes are bounded.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use tempfile::TempDir;

use super::{DiscoverError, Ignored};
use crate::submission::safe_name;

/// Members of a class's download.
const MEMBERS: usize = 200_000;
/// Bytes of one member: far more than a submission may have, so that the reader can say "too large" itself.
const MEMBER_BYTES: u64 = 256 << 20;
/// Bytes of all members together.
const TOTAL_BYTES: u64 = 8 << 30;
/// Longest file name that common file systems take.
const NAME_BYTES: usize = 255;

pub(super) fn unpack(zip: &Path, ignored: &mut Vec<Ignored>) -> Result<TempDir, DiscoverError> {
    let shown = safe_name(zip);
    let unreadable = |source| DiscoverError::Unreadable { path: shown.clone(), source };
    let bad = |reason: String| DiscoverError::BadZip { path: shown.clone(), reason };
    let file = std::fs::File::open(zip).map_err(unreadable)?;
    let mut archive = zip::ZipArchive::new(file).map_err(|_| {
        bad("it is damaged or no zip at all. Give the .zip that the LMS made, or its folder.".to_owned())
    })?;
    if archive.len() > MEMBERS {
        return Err(bad(format!("it holds {} files; more than {MEMBERS} are not read", archive.len())));
    }
    let folder = TempDir::with_prefix("warpgrade-class-").map_err(unreadable)?;
    let mut left = TOTAL_BYTES;
    for index in 0..archive.len() {
        let mut member = match archive.by_index(index) {
            Ok(member) => member,
            Err(_) => {
                let reason = "this member of the zip is damaged or encrypted".to_owned();
                ignored.push(Ignored { path: format!("member {}", index + 1), reason });
                continue;
            }
        };
        let raw = member.name_raw().to_vec();
        let name = safe_name(OsStr::from_bytes(&raw));
        let mut leave =
            |reason: &str| ignored.push(Ignored { path: name.clone(), reason: reason.to_owned() });
        let Some(relative) = relative(&raw) else {
            leave("its name leads out of the download, or is too long");
            continue;
        };
        let target = folder.path().join(&relative);
        if member.is_dir() {
            // A student who handed in an empty folder is still in the class.
            if std::fs::create_dir_all(&target).is_err() {
                leave("a file of the same name is in the way");
            }
            continue;
        }
        if member.is_symlink() {
            leave("a link; links are not followed");
            continue;
        }
        if let Some(parent) = target.parent()
            && std::fs::create_dir_all(parent).is_err()
        {
            leave("a file of the same name is in the way");
            continue;
        }
        // `create_new`: two members of one name (or names that differ in case only) never overwrite each other.
        let Ok(mut out) = std::fs::File::options().write(true).create_new(true).open(&target) else {
            leave("another member of the zip has the same name");
            continue;
        };
        match copy(&mut member, &mut out, MEMBER_BYTES.min(left)) {
            Ok(Some(bytes)) => left -= bytes,
            Ok(None) => {
                drop(out);
                std::fs::remove_file(&target).map_err(unreadable)?;
                leave("it unpacks to more than is read of one download");
            }
            Err(CopyError::Read) => leave("this member of the zip is damaged; what could be read is graded"),
            Err(CopyError::Write(error)) => return Err(unreadable(error)),
        }
    }
    Ok(folder)
}

enum CopyError {
    Read,
    Write(std::io::Error),
}

/// Copies at most `limit` bytes; `None` when there are more.
fn copy(from: &mut impl Read, to: &mut impl Write, limit: u64) -> Result<Option<u64>, CopyError> {
    let mut buffer = vec![0; 64 << 10];
    let mut total = 0;
    loop {
        let count = from.read(&mut buffer).map_err(|_| CopyError::Read)?;
        if count == 0 {
            return Ok(Some(total));
        }
        total += count as u64;
        if total > limit {
            return Ok(None);
        }
        to.write_all(&buffer[..count]).map_err(CopyError::Write)?;
    }
}

/// A member's path below the folder, or `None` when it leads elsewhere.
fn relative(raw: &[u8]) -> Option<PathBuf> {
    let path = Path::new(OsStr::from_bytes(raw));
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::Normal(part) if part.len() <= NAME_BYTES && !part.as_bytes().contains(&0) => {
                out.push(part)
            }
            Component::CurDir => {}
            _ => return None,
        }
    }
    (out.components().count() > 0 && !raw.contains(&b'\\')).then_some(out)
}
