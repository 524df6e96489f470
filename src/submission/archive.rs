//! `.zip`, `.tar`, `.tar.gz`, `.gz`: read in memory, never extracted.

use std::io::{Cursor, Read};

use super::intake::Intake;
use super::{leftovers, name};

/// Unpacked bytes below which the ratio of an archive is nobody's concern.
const RATIO_FLOOR: u64 = 8 << 20;

/// Reads a zip's members as files of the submission.
pub(super) fn read_zip(intake: &mut Intake, archive: &str, bytes: &[u8], nesting: u32) {
    if refuse_nesting(intake, archive, nesting) {
        return;
    }
    if let Some(count) = zip_entry_count(bytes)
        && count > intake.limits.entries as u64
    {
        let message = format!(
            "{archive} says that it holds {count} files; more than {} are not read.",
            intake.limits.entries
        );
        return intake.notice("archive-bomb", message, archive, 0);
    }
    let mut zip = match zip::ZipArchive::new(Cursor::new(bytes)) {
        Ok(zip) => zip,
        Err(_) => return damaged(intake, archive, "it is not a whole zip file"),
    };
    let mut budget = Budget::new(intake, bytes.len() as u64);
    for index in 0..zip.len() {
        let mut member = match zip.by_index(index) {
            Ok(member) => member,
            Err(error) => {
                let why = match error {
                    zip::result::ZipError::UnsupportedArchive(_) => {
                        "a file in it is encrypted or packed in a way that is not read"
                    }
                    _ => "a file in it is damaged",
                };
                damaged(intake, archive, why);
                continue;
            }
        };
        if member.is_dir() {
            if !intake.count_entry() {
                return;
            }
            continue;
        }
        let raw = member.name_raw().to_vec();
        let link = member.is_symlink();
        let odd =
            member.unix_mode().is_some_and(|mode| !matches!(mode & 0o170_000, 0 | 0o100_000 | 0o120_000));
        let size = member.size();
        if !take_member(intake, &mut budget, archive, &raw, Kind::of(link, odd), size, &mut member, nesting) {
            return;
        }
    }
}

/// Reads a gzip: a tar inside it, or one file.
pub(super) fn read_gzip(intake: &mut Intake, archive: &str, bytes: &[u8], nesting: u32) {
    let mut budget = Budget::new(intake, bytes.len() as u64);
    let mut head = Vec::new();
    if flate2::read::MultiGzDecoder::new(bytes).take(512).read_to_end(&mut head).is_err() {
        return damaged(intake, archive, "it is not a whole gzip file");
    }
    let inner = archive.strip_suffix(".gz").unwrap_or(archive);
    let tar = head.get(257..262) == Some(b"ustar") || archive.ends_with(".tgz") || inner.ends_with(".tar");
    let decoder = flate2::read::MultiGzDecoder::new(bytes);
    if tar {
        read_tar_stream(intake, archive, decoder, &mut budget, nesting);
    } else if !refuse_nesting(intake, archive, nesting) {
        let file = inner.rsplit('/').next().unwrap_or(inner).as_bytes().to_vec();
        let mut decoder = decoder;
        take_member(intake, &mut budget, archive, &file, Kind::File, 0, &mut decoder, nesting);
    }
}

/// Reads a tar's members as files of the submission.
pub(super) fn read_tar(intake: &mut Intake, archive: &str, bytes: &[u8], nesting: u32) {
    let mut budget = Budget::new(intake, bytes.len() as u64);
    read_tar_stream(intake, archive, bytes, &mut budget, nesting);
}

fn read_tar_stream(intake: &mut Intake, archive: &str, stream: impl Read, budget: &mut Budget, nesting: u32) {
    if refuse_nesting(intake, archive, nesting) {
        return;
    }
    // Headers, padding and skipped members are unpacked too: the stream itself ends at the budget.
    let mut tar = tar::Archive::new(stream.take(intake.limits.unpacked_bytes));
    let Ok(entries) = tar.entries() else {
        return damaged(intake, archive, "it is not a whole tar file");
    };
    for entry in entries {
        let Ok(mut entry) = entry else {
            return damaged(intake, archive, "it ends in the middle or is larger than what is read");
        };
        let kind = match entry.header().entry_type() {
            tar::EntryType::Directory => {
                if !intake.count_entry() {
                    return;
                }
                continue;
            }
            tar::EntryType::XGlobalHeader => continue,
            tar::EntryType::Regular | tar::EntryType::Continuous => Kind::File,
            tar::EntryType::Symlink | tar::EntryType::Link => Kind::Link,
            _ => Kind::Odd,
        };
        let raw = entry.path_bytes().into_owned();
        let size = entry.size();
        if !take_member(intake, budget, archive, &raw, kind, size, &mut entry, nesting) {
            return;
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    File,
    Link,
    Odd,
}

impl Kind {
    fn of(link: bool, odd: bool) -> Kind {
        match (link, odd) {
            (true, _) => Kind::Link,
            (_, true) => Kind::Odd,
            _ => Kind::File,
        }
    }
}

/// What one archive may still unpack to.
struct Budget {
    packed: u64,
    unpacked: u64,
    ratio: u64,
}

impl Budget {
    fn new(intake: &Intake, packed: u64) -> Self {
        Budget { packed, unpacked: 0, ratio: intake.limits.ratio }
    }

    fn broken(&self) -> bool {
        self.unpacked > RATIO_FLOOR && self.unpacked > self.packed.saturating_mul(self.ratio)
    }
}

/// Reads one member and hands it on. `false` ends the archive.
#[expect(clippy::too_many_arguments, reason = "a member is its name, kind, size and bytes, in its archive")]
fn take_member(
    intake: &mut Intake,
    budget: &mut Budget,
    archive: &str,
    raw: &[u8],
    kind: Kind,
    size: u64,
    reader: &mut dyn Read,
    nesting: u32,
) -> bool {
    if !intake.count_entry() {
        return false;
    }
    let safe = name::safe_bytes(raw);
    if leftovers::is_leftover(&safe) {
        return true;
    }
    let safe = if nesting == 0 { safe } else { format!("{archive}/{safe}") };
    match kind {
        Kind::File => {}
        Kind::Link => {
            let message =
                format!("{safe} in {archive} is a link; links are not followed. Hand in the file itself.");
            intake.notice("link", message, &safe, 0);
            return true;
        }
        Kind::Odd => {
            let message = format!("{safe} in {archive} is a device or a pipe, not a file; it was left out.");
            intake.notice("not-a-file", message, &safe, 0);
            return true;
        }
    }
    if leaves_its_folder(raw) {
        let message = format!("{safe} in {archive} names a place outside the archive; it was left out.");
        intake.notice("unsafe-path", message, &safe, 0);
        return true;
    }
    let mut bytes = Vec::new();
    let limit = intake.limit_for(&safe, &[]);
    if size > limit {
        intake.too_large(&safe, size, limit);
        return true;
    }
    let left = intake.limits.unpacked_bytes.saturating_sub(intake.unpacked);
    let read = reader.take(limit.min(left) + 1).read_to_end(&mut bytes);
    intake.unpacked += bytes.len() as u64;
    budget.unpacked += bytes.len() as u64;
    if budget.broken() || bytes.len() as u64 > left {
        let message = format!(
            "{archive} unpacks to far more than it is; reading stopped at {safe}. Hand in the sources alone."
        );
        intake.notice("archive-bomb", message, archive, 0);
        return false;
    }
    if read.is_err() {
        damaged(intake, archive, &format!("{safe} in it is damaged"));
        return true;
    }
    if bytes.len() as u64 > limit {
        intake.too_large(&safe, bytes.len() as u64, limit);
        return true;
    }
    intake.file(&safe, &bytes, nesting + 1);
    true
}

fn damaged(intake: &mut Intake, archive: &str, why: &str) {
    let message = format!("{archive} cannot be read: {why}.");
    intake.notice("damaged-archive", message, archive, 0);
}

fn refuse_nesting(intake: &mut Intake, archive: &str, nesting: u32) -> bool {
    let refused = nesting >= intake.limits.nesting;
    if refused {
        let message = format!("{archive} is an archive inside {nesting} others; it was not opened.");
        intake.notice("archive-bomb", message, archive, 0);
    }
    refused
}

/// An absolute path, a drive letter, or `..` anywhere.
fn leaves_its_folder(raw: &[u8]) -> bool {
    let is_separator = |b: &u8| *b == b'/' || *b == b'\\';
    raw.first().is_some_and(is_separator)
        || raw.get(1) == Some(&b':')
        || raw.split(is_separator).any(|part| part == b"..")
}

/// The number of members that a zip's end record claims, before its directory is read into memory.
fn zip_entry_count(bytes: &[u8]) -> Option<u64> {
    let tail = &bytes[bytes.len().saturating_sub(22 + 65_535 + 100)..];
    let at = tail.windows(4).rposition(|w| w == b"PK\x05\x06")?;
    let count = u64::from(u16::from_le_bytes(tail.get(at + 10..at + 12)?.try_into().ok()?));
    if count < 0xffff {
        return Some(count);
    }
    let at = tail.windows(4).rposition(|w| w == b"PK\x06\x06")?;
    Some(u64::from_le_bytes(tail.get(at + 32..at + 40)?.try_into().ok()?))
}
