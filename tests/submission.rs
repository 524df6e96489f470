//! Submissions as students and systems make them, honest, clumsy and hostile.

use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;

use proptest::prelude::*;
use warpgrade::submission::{self, Limits, Submission};

const KERNEL: &str = "__global__ void k(int* p) { *p = 1; }\n";

fn read(path: &Path) -> Submission {
    submission::read(path, &Limits::default())
}

/// A folder with one file in it, read as that file.
fn file(name: &str, bytes: &[u8]) -> Submission {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), bytes).unwrap();
    read(&folder.path().join(name))
}

fn kinds(submission: &Submission) -> Vec<&str> {
    submission.notices.iter().map(|n| n.kind.as_str()).collect()
}

fn programs(submission: &Submission) -> Vec<(&str, &str)> {
    submission.programs.iter().map(|p| (p.name.as_str(), p.text.as_str())).collect()
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn tar(members: &[(&str, &[u8], tar::EntryType)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes, kind) in members {
        let mut header = tar::Header::new_gnu();
        // Written by hand: the builder refuses what an attacker writes.
        header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(bytes.len() as u64);
        header.set_entry_type(*kind);
        if matches!(kind, tar::EntryType::Symlink | tar::EntryType::Link) {
            header.set_link_name("/etc/passwd").unwrap();
        }
        header.set_cksum();
        builder.append(&header, *bytes).unwrap();
    }
    builder.into_inner().unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn a_file_is_hashed_decoded_and_kept() {
    let s = file("a.cu", format!("\u{FEFF}{}", KERNEL.replace('\n', "\r\n")).as_bytes());
    assert_eq!(programs(&s), [("a.cu", KERNEL)]);
    assert_eq!(s.inputs[0].blake3.len(), 64);
    assert_eq!(kinds(&s), [] as [&str; 0]);
}

#[test]
fn what_is_no_program_is_told() {
    assert_eq!(kinds(&file("a.cu", b"")), ["empty-file", "no-program"]);
    assert_eq!(kinds(&file("a.cu", b" \n\t\n")), ["empty-file", "no-program"]);
    assert_eq!(kinds(&file("a.cu", b"\x7fELF\0\0\0\0")), ["binary-file", "no-program"]);
    assert_eq!(kinds(&file("a.cu", &vec![b'x'; 5 << 20])), ["too-large", "no-program"]);
    let big = file("a.cu", &vec![b'x'; 50 << 20]);
    assert_eq!(kinds(&big), ["too-large", "no-program"]);
    assert!(big.notices[0].message.contains("52.4 MB") && big.inputs[0].bytes == 50 << 20);
    assert_eq!(kinds(&read(Path::new("/nonexistent/x.cu"))), ["cannot-read", "no-program"]);
    assert_eq!(file("essay.pdf", b"%PDF-1.7 ...").ignored[0].reason, "a PDF: not a CUDA source");
}

#[test]
fn a_folder_is_read_in_path_order_without_leftovers() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for name in ["b/two.cu", "a.cu", "__MACOSX/._a.cu", ".git/config.cu", "a.cu~", ".DS_Store", "empty/x.cu"]
    {
        fs::create_dir_all(at(name).parent().unwrap()).unwrap();
        fs::write(at(name), KERNEL).unwrap();
    }
    fs::write(at("answers.toml"), "wrong = [0, 1, 2]\nwhy = \"order\"\n").unwrap();
    fs::write(at("out.txt"), "sumLastBlockRacy 100 3 17 4190820\n").unwrap();
    fs::write(at("fence.diff"), "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n").unwrap();
    let s = read(folder.path());
    assert_eq!(programs(&s).iter().map(|p| p.0).collect::<Vec<_>>(), ["a.cu", "b/two.cu", "empty/x.cu"]);
    assert_eq!((s.answers.len(), s.transcripts.len(), s.diffs.len()), (2, 1, 1));
    assert_eq!(kinds(&s), [] as [&str; 0]);
}

#[cfg(unix)]
#[test]
fn links_pipes_sockets_and_odd_names() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::os::unix::fs::symlink("/etc/passwd", at("link.cu")).unwrap();
    std::os::unix::fs::symlink("/etc", at("folder")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(at("socket.cu")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(at("pipe.cu")).status().unwrap().success());
    fs::write(folder.path().join(OsStr::from_bytes(b"caf\xe9\x1b[2J\xe2\x80\xae.cu")), KERNEL).unwrap();
    let s = read(folder.path());
    assert_eq!(programs(&s), [("caf%E9<U+001B>[2J<U+202E>.cu", KERNEL)]);
    assert_eq!(kinds(&s), ["link", "link", "not-a-file", "not-a-file"]);
    assert!(s.notices.iter().all(|n| !n.message.contains("root:")));
    // A link is not followed even when it is what was asked for.
    assert_eq!(kinds(&read(&at("link.cu"))), ["link", "no-program"]);
}

#[test]
fn archives_are_read_in_memory() {
    let inner = zip(&[("deep.cu", KERNEL.as_bytes())]);
    let bytes = zip(&[
        ("hw/a.cu", KERNEL.as_bytes()),
        ("hw/answers.toml", b"x = 1"),
        ("__MACOSX/._a.cu", b"x"),
        ("in.zip", &inner),
    ]);
    let s = file("hw.zip", &bytes);
    assert_eq!(programs(&s).iter().map(|p| p.0).collect::<Vec<_>>(), ["hw/a.cu", "in.zip/deep.cu"]);
    assert_eq!(s.answers.len(), 1);
    let regular = tar::EntryType::Regular;
    let packed = tar(&[("a.cu", KERNEL.as_bytes(), regular)]);
    for (name, bytes) in [
        ("x.tar", packed.clone()),
        ("x.tar.gz", gzip(&packed)),
        ("x.tgz", gzip(&packed)),
        ("a.cu.gz", gzip(KERNEL.as_bytes())),
    ] {
        assert_eq!(programs(&file(name, &bytes)), [("a.cu", KERNEL)], "{name}");
    }
}

#[test]
fn hostile_archives_give_notices() {
    let regular = tar::EntryType::Regular;
    let bytes = tar(&[
        ("/etc/abs.cu", KERNEL.as_bytes(), regular),
        ("../up.cu", KERNEL.as_bytes(), regular),
        ("a/../../b.cu", KERNEL.as_bytes(), regular),
        ("c:\\x.cu", KERNEL.as_bytes(), regular),
        ("link.cu", b"", tar::EntryType::Symlink),
        ("hard.cu", b"", tar::EntryType::Link),
        ("dev.cu", b"", tar::EntryType::Char),
        ("pipe.cu", b"", tar::EntryType::Fifo),
        ("same.cu", KERNEL.as_bytes(), regular),
        ("same.cu", KERNEL.as_bytes(), regular),
        ("SAME.cu", KERNEL.as_bytes(), regular),
    ]);
    let s = file("x.tar", &bytes);
    assert_eq!(
        kinds(&s),
        [
            "unsafe-path",
            "unsafe-path",
            "unsafe-path",
            "unsafe-path",
            "link",
            "link",
            "not-a-file",
            "not-a-file",
            "duplicate-name"
        ]
    );
    assert_eq!(programs(&s).iter().map(|p| p.0).collect::<Vec<_>>(), ["SAME.cu", "same.cu", "same.cu (2)"]);

    let zeros = vec![b' '; 4 << 20];
    let members: Vec<(String, &[u8])> = (0..40).map(|i| (format!("{i}.cu"), zeros.as_slice())).collect();
    let members: Vec<(&str, &[u8])> = members.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
    assert!(kinds(&file("bomb.zip", &zip(&members))).contains(&"archive-bomb"));
    assert_eq!(kinds(&file("bomb.cu.gz", &gzip(&vec![0; 200 << 20]))), ["too-large", "no-program"]);
    let mut nested = zip(&[("a.cu", KERNEL.as_bytes())]);
    for _ in 0..5 {
        nested = zip(&[("in.zip", &nested)]);
    }
    assert_eq!(kinds(&file("nested.zip", &nested)), ["archive-bomb", "no-program"]);
    let many: Vec<(String, &[u8])> = (0..3000).map(|i| (format!("{i}.md"), b"x".as_slice())).collect();
    let many: Vec<(&str, &[u8])> = many.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
    assert_eq!(kinds(&file("many.zip", &zip(&many))), ["archive-bomb", "no-program"]);
    assert_eq!(
        kinds(&file("cut.zip", &zip(&[("a.cu", KERNEL.as_bytes())])[..40])),
        ["damaged-archive", "no-program"]
    );
    assert_eq!(kinds(&file("x.tar.gz", b"\x1f\x8bnot gzip")), ["damaged-archive", "no-program"]);
}

fn notebook(cells: &[&str]) -> Vec<u8> {
    let cells: Vec<serde_json::Value> = cells
        .iter()
        .map(|source| {
            let lines: Vec<&str> = source.split_inclusive('\n').collect();
            serde_json::json!({ "cell_type": "code", "source": lines, "outputs": [
                { "output_type": "stream", "text": ["1024 blocks x 256 threads, 100 launches per kernel\n", "sumLastBlockRacy 100 0 - -\n"] }
            ] })
        })
        .collect();
    serde_json::to_vec(&serde_json::json!({ "nbformat": 4, "cells": cells })).unwrap()
}

#[test]
fn a_notebook_gives_its_cells() {
    let s = file(
        "hw.ipynb",
        &notebook(&[
            "!nvidia-smi\n",
            &format!("%%writefile a.cu\n{KERNEL}"),
            "%%writefile -a a.cu\nint main() {}\n",
            &format!("# a remark\n\ncode = r\"\"\"\n{KERNEL}\"\"\"\nprint(code)\n"),
            &format!("%%cu\n{KERNEL}"),
            "%%writefile answers.toml\nx = 3\n",
            "import numpy as np\n",
        ]),
    );
    assert_eq!(
        programs(&s),
        [
            ("hw.ipynb[cell 2]", format!("\n{KERNEL}\nint main() {{}}\n").as_str()),
            ("hw.ipynb[cell 4]", format!("\n\n\n\n{KERNEL}").replacen("\n\n\n\n", "\n\n\n", 1).as_str()),
            ("hw.ipynb[cell 5]", format!("\n{KERNEL}").as_str()),
        ]
    );
    assert_eq!((s.answers.len(), s.transcripts.len()), (1, 7));
    assert_eq!(kinds(&s), ["cell-appended"]);
    assert_eq!(submission::transcript::rows(&s.transcripts[0].text)[0].blocks, Some(1024));
    assert_eq!(kinds(&file("x.ipynb", b"{\"cells\": [")), ["notebook-unreadable", "no-program"]);
    assert_eq!(kinds(&file("x.ipynb", b"[1, 2]")), ["notebook-unreadable", "no-program"]);
}

#[test]
fn several_paths_are_one_submission() {
    let folder = tempfile::tempdir().unwrap();
    let paths: Vec<_> = ["a.cu", "answers.toml"].iter().map(|name| folder.path().join(name)).collect();
    fs::write(&paths[0], KERNEL).unwrap();
    fs::write(&paths[1], "a = 1\na = 2\nb = yes\n").unwrap();
    let s = submission::read_many(&paths, &Limits::default());
    assert_eq!(programs(&s).len(), 1);
    assert!(kinds(&s).contains(&"answers-malformed"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_answered(
        bytes in proptest::collection::vec(any::<u8>(), 0..2000),
        head in prop::sample::select(vec![&b""[..], b"PK\x03\x04", b"\x1f\x8b\x08\0", b"{\"cells\": [{", b"--- a\n+++ b\n@@ -1 +1 @@\n", b"a = "]),
        name in prop::sample::select(vec!["a.cu", "a.zip", "a.tar", "a.tgz", "a.ipynb", "a.diff", "answers.toml", "a.txt", "a"]),
    ) {
        let s = file(name, &[head, &bytes].concat());
        prop_assert!(!s.inputs.is_empty());
        for p in s.programs.iter().chain(&s.diffs).chain(&s.transcripts) {
            prop_assert!(!p.text.contains(['\r', '\0']));
        }
    }

    #[test]
    fn a_damaged_archive_is_answered(at in 0usize..4000, byte in any::<u8>(), cut in 0usize..4000, tarred in any::<bool>()) {
        let mut bytes = if tarred {
            tar(&[("a.cu", KERNEL.as_bytes(), tar::EntryType::Regular), ("b/answers.toml", b"x = 1", tar::EntryType::Regular)])
        } else {
            zip(&[("a.cu", KERNEL.as_bytes()), ("b/answers.toml", b"x = 1")])
        };
        let len = bytes.len();
        bytes[at % len] = byte;
        bytes.truncate(len - cut % len);
        let s = file(if tarred { "x.tar" } else { "x.zip" }, &bytes);
        prop_assert!(s.programs.len() <= 2);
    }

    #[test]
    fn a_damaged_notebook_is_answered(at in 0usize..4000, byte in 32u8..127) {
        let mut bytes = notebook(&[&format!("%%writefile a.cu\n{KERNEL}"), "x = '''a'''\n"]);
        let len = bytes.len();
        bytes[at % len] = byte;
        let s = file("x.ipynb", &bytes);
        prop_assert!(s.programs.len() <= 2);
    }
}
