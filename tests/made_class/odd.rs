//! What the others hand in: broken, unreadable, for another exercise, or meant to do harm.

use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::Dice;
use super::programs::{definition, file, in_own_style, starter, with_kernel};
use super::typical::{DAY27, Files};

/// Goes through the kinds in turn, so that a class has all of them.
#[derive(Debug, Default)]
pub struct Odd {
    next: usize,
}

/// Kinds of which a class has one at most: it takes a malicious person to write these.
const ONCE: [&str; 2] = ["macro bomb", "zip bomb"];

impl Odd {
    pub fn next(&mut self, exercise: &str, dice: &mut Dice) -> (String, Files) {
        let kinds = KINDS.len();
        let mut kind = KINDS[self.next % kinds];
        if self.next >= kinds && ONCE.contains(&kind) {
            self.next += 1;
            kind = KINDS[self.next % kinds];
        }
        self.next += 1;
        (kind.to_owned(), files(kind, exercise, dice))
    }
}

/// In an order in which also the first few are of every sort.
pub const KINDS: [&str; 32] = [
    "syntax error",
    "empty file",
    "zip with ../",
    "html in names and answers",
    "another exercise",
    "endless loop",
    "macro bomb",
    "zip in zip",
    "name that is not UTF-8",
    "nothing but a text entry",
    "out of bounds",
    "zip with a link to /etc",
    "binary",
    "includes /etc/passwd",
    "ten thousand files",
    "output flood",
    "zip bomb",
    "utf-16",
    "kernels only",
    "unknown name",
    "diff",
    "notebook",
    "latin-1",
    "signature changed",
    "a damaged zip",
    "a pdf",
    "malformed answers",
    "the starter unchanged",
    "an unclosed brace",
    "a link entry",
    "formula in an answer",
    "null pointer",
];

fn files(kind: &str, exercise: &str, dice: &mut Dice) -> Files {
    let kernel = if exercise == DAY27 { "sumLastBlockFenced" } else { "scanTileFixed" };
    let right = with_kernel(&starter(exercise), kernel, &file(&format!("reference/{exercise}/solution.cu")));
    let answers =
        ("answers.toml".to_owned(), file(&format!("reference/{exercise}/answers.toml")).into_bytes());
    let one = |text: String| vec![("main.cu".to_owned(), text.into_bytes())];
    let mutant = |name: &str| {
        let from = file(&format!("reference/{exercise}/mutants/{name}.cu"));
        let mut text = starter(exercise);
        for kernel in ["sumLastBlockFenced", "scanTileFixed", "reverseTilesFixed"] {
            text = with_kernel(&text, kernel, &from);
        }
        one(text)
    };
    // A statement at the start of the kernel.
    let statement = |own: &str| {
        let old = definition(&right, kernel).expect("the starter has its kernel");
        one(right.replacen(old, &old.replacen("{\n", &format!("{{\n    {own}\n"), 1), 1))
    };
    let zipped = |members: &[(&str, &[u8])]| vec![("work.zip".to_owned(), zip(members))];
    match kind {
        "syntax error" => mutant("syntax-error"),
        "empty file" => one(String::new()),
        "zip with ../" => zipped(&[("../../escaped.cu", b"// out"), ("main.cu", right.as_bytes())]),
        "html in names and answers" => vec![
            ("<img src=x onerror=alert(1)>.cu".to_owned(), right.into_bytes()),
            (
                "answers.toml".to_owned(),
                b"why = \"<script>alert(1)</script>\"\nreverse_why = \"<script>alert(1)</script> guard\"\n"
                    .to_vec(),
            ),
        ],
        "another exercise" => one(starter("syncthreads-reverse")),
        "endless loop" if exercise == DAY27 => mutant("endless-loop"),
        "endless loop" => mutant("reverse-endless"),
        "macro bomb" => {
            let doubling: String = (0..40).map(|k| format!("#define A{} A{k} A{k}\n", k + 1)).collect();
            statement(&format!("\n#define A0 1+\n{doubling}int z = A40 0;"))
        }
        "zip in zip" => {
            zipped(&[("inner.zip", &zip(&[("main.cu", right.as_bytes()), ("answers.toml", &answers.1)]))])
        }
        // `pack` puts a byte that is no UTF-8 in place of this.
        "name that is not UTF-8" => {
            vec![(format!("{}.cu", super::pack::NOT_UTF8), right.into_bytes()), answers]
        }
        "nothing but a text entry" => {
            vec![("text.html".to_owned(), b"<p>My dog ate it. <b>Sorry!</b></p>".to_vec())]
        }
        "out of bounds" if exercise == DAY27 => mutant("out-of-bounds"),
        "out of bounds" => mutant("scan-out-of-bounds"),
        "zip with a link to /etc" => vec![("work.zip".to_owned(), linked_zip(&right))],
        "binary" => vec![("main.cu".to_owned(), (0..9000).map(|_| dice.roll() as u8).collect())],
        "includes /etc/passwd" => statement("\n#include \"/etc/passwd\""),
        "ten thousand files" => {
            let names: Vec<String> = (0..10_000).map(|n| format!("f{n}.cu")).collect();
            let members: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b"//"[..])).collect();
            zipped(&members)
        }
        "output flood" => statement("for (int k = 0; k < 1000; ++k) { printf(\"flood %d\\n\", k); }"),
        "zip bomb" => zipped(&[("zeros.cu", &vec![0; 60 << 20])]),
        "utf-16" => {
            let mut bytes = vec![0xff, 0xfe];
            bytes.extend(right.encode_utf16().flat_map(u16::to_le_bytes));
            vec![("main.cu".to_owned(), bytes), answers]
        }
        "kernels only" => one(definition(&right, kernel).expect("it is there").to_owned()),
        "unknown name" => statement("frobnicate();"),
        "diff" => {
            let old = definition(&right, kernel).expect("it is there");
            vec![(
                "mine.diff".to_owned(),
                diff(&starter(exercise), &right.replacen(old, &format!("{old}\n"), 1)),
            )]
        }
        "notebook" => vec![("lab.ipynb".to_owned(), notebook(&right)), answers],
        "latin-1" => {
            let mut bytes = right.into_bytes();
            bytes.extend_from_slice(b"// gr\xfc\xdfe, Jos\xe9\n");
            vec![("main.cu".to_owned(), bytes), answers]
        }
        "signature changed" => mutant("signature-changed"),
        "a damaged zip" => {
            let mut bytes = zip(&[("main.cu", right.as_bytes())]);
            let middle = bytes.len() / 2;
            bytes.truncate(middle);
            vec![("work.zip".to_owned(), bytes)]
        }
        "a pdf" => vec![("solution.pdf".to_owned(), b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n".to_vec())],
        "malformed answers" => {
            vec![
                ("main.cu".to_owned(), in_own_style(&right, "x", dice)),
                ("answers.toml".to_owned(), b"why = = [".to_vec()),
            ]
        }
        "the starter unchanged" => one(starter(exercise)),
        "an unclosed brace" => one(format!("{right}\n}} }} namespace {{")),
        "a link entry" => {
            vec![("link.html".to_owned(), b"<a href=https://example.invalid>here</a>".to_vec())]
        }
        "formula in an answer" => vec![
            ("main.cu".to_owned(), right.into_bytes()),
            (
                "answers.toml".to_owned(),
                b"why = \"=HYPERLINK(\\\"http://example.invalid\\\")\"\nreverse_why = \"=1+1 guard\"\n"
                    .to_vec(),
            ),
        ],
        "null pointer" => statement("*(volatile int*)0 = 1;"),
        other => unreachable!("{other} is no kind"),
    }
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        writer.start_file(*name, SimpleFileOptions::default()).expect("a member");
        writer.write_all(bytes).expect("memory is enough");
    }
    writer.finish().expect("a zip").into_inner()
}

fn linked_zip(program: &str) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.add_symlink("answers.toml", "/etc/hostname", SimpleFileOptions::default()).expect("a link");
    writer.start_file("main.cu", SimpleFileOptions::default()).expect("a member");
    writer.write_all(program.as_bytes()).expect("memory is enough");
    writer.finish().expect("a zip").into_inner()
}

fn diff(old: &str, new: &str) -> Vec<u8> {
    let diff = similar::TextDiff::from_lines(old, new);
    diff.unified_diff().header("a/template.cu", "b/template.cu").to_string().into_bytes()
}

fn notebook(program: &str) -> Vec<u8> {
    let lines: Vec<String> = std::iter::once("%%writefile main.cu\n".to_owned())
        .chain(program.lines().map(|line| format!("{line}\n")))
        .collect();
    let cell = serde_json::json!({
        "cell_type": "code", "source": lines, "metadata": {}, "outputs": [], "execution_count": null
    });
    serde_json::json!({ "cells": [cell], "nbformat": 4, "nbformat_minor": 5, "metadata": {} })
        .to_string()
        .into_bytes()
}
