//! Jupyter and Colab notebooks: the cells that hold CUDA, and the output that was left in them.

use serde_json::Value;

use super::classify::{self, TextKind};
use super::intake::Intake;
use super::{SourceFile, transcript};

/// Reads a notebook's cells as files of the submission.
///
/// `%%writefile x.cu` (and `-a`, which appends), `%%cu`, `%%cuda` and relatives, plain cells that are CUDA, and CUDA in
/// a Python cell's triple-quoted strings. A cell's text keeps its line numbers.
pub(super) fn read(intake: &mut Intake, name: &str, text: &str) {
    let document: Value = match serde_json::from_str(text) {
        Ok(document) => document,
        Err(error) => {
            let line = u32::try_from(error.line()).unwrap_or(u32::MAX);
            let message = format!("{name} is not a whole notebook: its JSON breaks off at line {line}.");
            return intake.notice("notebook-unreadable", message, name, line);
        }
    };
    let Some(cells) = cells(&document) else {
        let message = format!("{name} is JSON but no notebook: it has no cells.");
        return intake.notice("notebook-unreadable", message, name, 0);
    };
    let mut found = 0;
    for (number, cell) in (1u32..).zip(cells) {
        if cell.get("cell_type").and_then(Value::as_str) != Some("code") {
            continue;
        }
        let source = joined(cell.get("source").or_else(|| cell.get("input")));
        let shown = format!("{name}[cell {number}]");
        found += usize::from(read_cell(intake, &shown, number, &source));
        let output = outputs(cell);
        if !transcript::rows(&output).is_empty() {
            intake.submission.transcripts.push(SourceFile {
                name: format!("{shown} output"),
                text: output,
                cell: Some(number),
            });
        }
    }
    if found == 0 {
        intake.notice("notebook-without-cuda", format!("{name} has no cell with CUDA in it."), name, 0);
    }
}

/// Format 4's cells, or those of format 3's first worksheet.
fn cells(document: &Value) -> Option<&Vec<Value>> {
    document
        .get("cells")
        .or_else(|| document.get("worksheets")?.get(0)?.get("cells"))
        .and_then(Value::as_array)
}

/// A string, or a list of them: both are allowed.
fn joined(value: Option<&Value>) -> String {
    let text = match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(lines)) => lines.iter().filter_map(Value::as_str).collect(),
        _ => String::new(),
    };
    text.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "")
}

fn outputs(cell: &Value) -> String {
    let mut text = String::new();
    for output in cell.get("outputs").and_then(Value::as_array).into_iter().flatten() {
        let plain = output.get("data").and_then(|data| data.get("text/plain"));
        text.push_str(&joined(output.get("text").or(plain)));
        text.push('\n');
    }
    text
}

/// Takes in one code cell; whether it held a program, a diff or answers.
fn read_cell(intake: &mut Intake, shown: &str, number: u32, source: &str) -> bool {
    let first = source.lines().position(|line| !line.trim().is_empty());
    let magic =
        first.and_then(|at| source.lines().nth(at)).map(str::trim).filter(|line| line.starts_with("%%"));
    let Some(magic) = magic else {
        return read_plain_cell(intake, shown, number, source);
    };
    let body = blank_line(source, first.unwrap_or(0));
    let mut words = magic.trim_start_matches('%').split_whitespace();
    let command = words.next().unwrap_or_default().to_ascii_lowercase();
    let kind = match command.as_str() {
        "writefile" | "file" => {
            let target = words.clone().rfind(|word| !word.starts_with('-')).unwrap_or("x.cu");
            let target = target.trim_matches(['"', '\'']);
            if words.any(|word| word == "-a" || word == "--append") && append(intake, shown, number, &body) {
                return true;
            }
            classify::text_kind(target, &body)
        }
        "cu" | "cuda" | "nvcc" | "cuda_run" | "cuda_group_save" | "cuda_group_run" | "cpp" | "c++" => {
            TextKind::Program
        }
        _ if classify::looks_like_cuda(&body) && body.contains("__global__") => TextKind::Program,
        _ => return false,
    };
    take_cell(intake, kind, SourceFile { name: shown.to_owned(), text: body, cell: Some(number) })
}

fn take_cell(intake: &mut Intake, kind: TextKind, source: SourceFile) -> bool {
    if source.text.trim().is_empty() {
        return false;
    }
    match kind {
        TextKind::Program => intake.program(source),
        TextKind::Diff => intake.submission.diffs.push(source),
        TextKind::Answers => super::answers::read(intake, &source.name, &source.text),
        TextKind::Transcript => intake.submission.transcripts.push(source),
        TextKind::Other => return false,
    }
    true
}

/// `%%writefile -a`: joined to the notebook's cell before it, with the line numbers of the later cell lost.
fn append(intake: &mut Intake, shown: &str, number: u32, body: &str) -> bool {
    let base = shown.rsplit_once("[cell ").map_or(shown, |(base, _)| base);
    let Some(last) = intake.submission.programs.last_mut() else { return false };
    if last.cell.is_none() || !last.name.starts_with(base) {
        return false;
    }
    let from = last.text.lines().count() + 1;
    if !last.text.ends_with('\n') {
        last.text.push('\n');
    }
    last.text.push_str(body);
    let name = last.name.clone();
    let message = format!("Cell {number} is appended to {name}, from its line {from} on.");
    intake.notice("cell-appended", message, &name, u32::try_from(from).unwrap_or(u32::MAX));
    true
}

/// A cell without a magic: CUDA as it stands, or in a Python string.
fn read_plain_cell(intake: &mut Intake, shown: &str, number: u32, source: &str) -> bool {
    let inner = triple_quoted_cuda(source);
    let text = match inner {
        Some(text) => text,
        None if source.contains("__global__") || source.contains("// snippet:") => source.to_owned(),
        None => return false,
    };
    take_cell(intake, TextKind::Program, SourceFile { name: shown.to_owned(), text, cell: Some(number) })
}

/// The triple-quoted strings that hold kernels, at their own lines; everything else of the cell is blank.
fn triple_quoted_cuda(source: &str) -> Option<String> {
    let mut out = String::new();
    let mut found = false;
    let mut rest = source;
    while let Some(open) = ["\"\"\"", "'''"].iter().filter_map(|q| rest.find(q).map(|at| (at, *q))).min() {
        let (at, quote) = open;
        let inner = &rest[at + 3..];
        let Some(end) = inner.find(quote) else { break };
        push_newlines(&mut out, &rest[..at]);
        if inner[..end].contains("__global__") || inner[..end].contains("// snippet:") {
            out.push_str(&inner[..end]);
            found = true;
        } else {
            push_newlines(&mut out, &inner[..end]);
        }
        rest = &inner[end + 3..];
    }
    found.then_some(out)
}

fn push_newlines(out: &mut String, text: &str) {
    out.extend(std::iter::repeat_n('\n', text.matches('\n').count()));
}

/// The text with the line at this index made empty.
fn blank_line(source: &str, index: usize) -> String {
    let mut lines: Vec<&str> = source.split('\n').collect();
    if let Some(line) = lines.get_mut(index) {
        *line = "";
    }
    lines.join("\n")
}
