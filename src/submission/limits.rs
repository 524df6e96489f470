//! How much a submission may be.

/// Bounds on what is read. Beyond them a file is answered with a notice, never read on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one source, answers file, notebook or transcript.
    pub source_bytes: u64,
    /// Bytes of one archive as handed in.
    pub archive_bytes: u64,
    /// Bytes that all archives of a submission may unpack to, together.
    pub unpacked_bytes: u64,
    /// Times larger than its archive that the unpacked content may be, once it is past 8 MB.
    pub ratio: u64,
    /// Files and folders looked at, over folders and archives.
    pub entries: usize,
    /// Archives inside archives.
    pub nesting: u32,
    /// Folders inside folders.
    pub depth: usize,
    /// Programs kept; each is compiled and run.
    pub programs: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            source_bytes: 4 << 20,
            archive_bytes: 32 << 20,
            unpacked_bytes: 64 << 20,
            ratio: 200,
            entries: 2_000,
            nesting: 3,
            depth: 16,
            programs: 32,
        }
    }
}

/// `4 MB`, `600 bytes`: a size in a student's words.
pub(super) fn size_words(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{bytes} bytes"),
        10_000..1_000_000 => format!("{} KB", bytes / 1_000),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}
