//! What a file is, by its content first and its name second.

use super::transcript;

/// What is done with a file's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Container {
    Zip,
    Gzip,
    Tar,
    Notebook,
    /// Text, classified after it has been decoded.
    Text,
    /// Nothing that is graded; the words say what it is.
    Foreign(&'static str),
}

/// What a decoded text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextKind {
    Program,
    Diff,
    Answers,
    Transcript,
    Other,
}

/// The extension in lower case, without a dot; empty when there is none.
pub(super) fn extension(name: &str) -> String {
    let file = name.rsplit('/').next().unwrap_or(name);
    file.rsplit_once('.').map(|(_, ext)| ext.to_ascii_lowercase()).unwrap_or_default()
}

/// By the first bytes, and the name where they do not tell.
pub(super) fn container(name: &str, head: &[u8]) -> Container {
    let ext = extension(name);
    let office = matches!(ext.as_str(), "docx" | "xlsx" | "pptx" | "odt" | "ods" | "odp" | "jar" | "apk");
    match head {
        _ if office => Container::Foreign("an office document"),
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Container::Zip,
        [0x1f, 0x8b, ..] => Container::Gzip,
        [b'%', b'P', b'D', b'F', ..] => Container::Foreign("a PDF"),
        [0x89, b'P', b'N', b'G', ..] | [0xff, 0xd8, 0xff, ..] | [b'G', b'I', b'F', b'8', ..] => {
            Container::Foreign("a picture")
        }
        [0x7f, b'E', b'L', b'F', ..] | [b'M', b'Z', ..] if !is_source_extension(&ext) => {
            Container::Foreign("a compiled program")
        }
        [b'R', b'a', b'r', b'!', ..] => Container::Foreign("a RAR archive; hand in a .zip or .tar.gz"),
        [b'7', b'z', 0xbc, 0xaf, ..] => Container::Foreign("a 7z archive; hand in a .zip or .tar.gz"),
        [0xfd, b'7', b'z', b'X', b'Z', ..] | [b'B', b'Z', b'h', ..] => {
            Container::Foreign("an archive of a kind that is not read; hand in a .zip or .tar.gz")
        }
        _ if head.get(257..262) == Some(b"ustar") || ext == "tar" => Container::Tar,
        _ if ext == "ipynb" => Container::Notebook,
        _ if ext == "zip" => Container::Zip,
        _ if matches!(ext.as_str(), "tgz" | "gz") => Container::Gzip,
        _ => Container::Text,
    }
}

/// Whether a name promises CUDA or C++ source.
pub(super) fn is_source_extension(ext: &str) -> bool {
    matches!(ext, "cu" | "cuh" | "cpp" | "cc" | "cxx" | "c++" | "h" | "hpp" | "hh" | "c" | "inl" | "inc")
}

/// Whether a file that is empty or no text deserves a word: one that promises to be part of the work.
pub(super) fn promises_work(name: &str) -> bool {
    let ext = extension(name);
    is_source_extension(&ext) || matches!(ext.as_str(), "ipynb" | "toml" | "diff" | "patch" | "txt" | "")
}

/// What a decoded text is, by name and content.
pub(super) fn text_kind(name: &str, text: &str) -> TextKind {
    let ext = extension(name);
    let file = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
    match ext.as_str() {
        "diff" | "patch" => TextKind::Diff,
        "toml" => TextKind::Answers,
        _ if is_source_extension(&ext) && !looks_like_diff(text) => TextKind::Program,
        "md" | "rst" | "html" | "htm" | "csv" | "json" | "yml" | "yaml" | "py" | "sh" | "xml" | "cmake" => {
            TextKind::Other
        }
        _ if looks_like_diff(text) => TextKind::Diff,
        _ if looks_like_cuda(text) => TextKind::Program,
        _ if file.contains("answer") && text.contains('=') && transcript::rows(text).is_empty() => {
            TextKind::Answers
        }
        _ if !transcript::rows(text).is_empty() => TextKind::Transcript,
        "txt" | "log" | "out" => TextKind::Transcript,
        _ => TextKind::Other,
    }
}

/// Whether a text holds CUDA, or a snippet of it, rather than prose or output.
pub(super) fn looks_like_cuda(text: &str) -> bool {
    const MARKS: [&str; 8] = [
        "__global__",
        "__device__",
        "__syncthreads",
        "__threadfence",
        "snippet:",
        "threadIdx",
        "blockIdx",
        "#include",
    ];
    let prose_free = text.contains(';') || text.contains('{');
    prose_free && MARKS.iter().any(|mark| text.contains(mark))
        || text.lines().any(|line| {
            let line = line.trim_start();
            line.starts_with("constexpr ") && line.contains('=')
        })
}

/// Whether a text is a unified diff: a hunk header, or a pair of file headers.
pub(super) fn looks_like_diff(text: &str) -> bool {
    let mut before = "";
    for line in text.lines().take(2_000) {
        if line.starts_with("+++ ") && before.starts_with("--- ") {
            return true;
        }
        if line.starts_with("@@ -") && line[4..].contains(" @@") {
            return true;
        }
        before = line;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_decides_where_the_name_does_not() {
        assert_eq!(text_kind("hand-in", "__global__ void k() {}"), TextKind::Program);
        assert_eq!(text_kind("my answers.txt", "racy = 3\n"), TextKind::Answers);
        assert_eq!(text_kind("x.txt", "--- a/t.cu\n+++ b/t.cu\n@@ -1 +1 @@\n-a\n+b\n"), TextKind::Diff);
        assert_eq!(text_kind("x.txt", "sumLastBlockRacy 100 0 - -\n"), TextKind::Transcript);
        assert_eq!(text_kind("README.md", "use __global__ { }"), TextKind::Other);
        assert_eq!(container("essay.docx", b"PK\x03\x04"), Container::Foreign("an office document"));
    }
}
