//! What `.loc` refers to: the `.file` table and the strings of `.section .debug_str`.

use super::ast::{InlinedAt, Loc, Module};
use super::cursor::Cursor;
use super::error::ParseError;
use super::lexer::Kind;

/// `.file 1 "path"[, timestamp, size]`.
pub(super) fn file(c: &mut Cursor<'_>) -> Result<(u32, String), ParseError> {
    c.bump();
    let index = c.integer("the file's number")?;
    let path = c.quoted("the file's path")?;
    while c.eat(",") {
        c.integer::<u64>("the file's time or size")?;
    }
    Ok((index, path))
}

/// `.loc file line column[, function_name L[+n], inlined_at file line column]`.
pub(super) fn loc(c: &mut Cursor<'_>) -> Result<Loc, ParseError> {
    c.bump();
    let (file, line, column) = position(c)?;
    let mut loc = Loc { file, line, column, inlined: None };
    let mut function = None;
    while c.eat(",") {
        match c.word("`function_name` or `inlined_at`")? {
            "function_name" => {
                let label = c.word("a label of `.debug_str`")?.to_owned();
                let offset = if c.at("+") { c.integer("a byte offset")? } else { 0 };
                function = Some((label, offset));
            }
            "inlined_at" => {
                let (file, line, column) = position(c)?;
                let (function, function_offset) = function.take().unwrap_or_default();
                loc.inlined = Some(InlinedAt { function, function_offset, file, line, column });
            }
            // DWARF's flags (`is_stmt 1`, `prologue_end`) say nothing about the source.
            _ => {
                if c.now.kind == Kind::Number {
                    c.bump();
                }
            }
        }
    }
    Ok(loc)
}

fn position(c: &mut Cursor<'_>) -> Result<(u32, u32, u32), ParseError> {
    Ok((c.integer("a file's number")?, c.integer("a line")?, c.integer("a column")?))
}

/// `.section .debug_str { label: .b8 95,90,0 … }` fills the strings; other sections are passed over.
pub(super) fn section(c: &mut Cursor<'_>, module: &mut Module) -> Result<(), ParseError> {
    c.bump();
    let strings = c.at_dotted("debug_str");
    // The name may carry dots and blanks; the content is in braces.
    while !c.at("{") {
        if c.at_end() || c.at("}") || c.at(";") {
            return Err(c.error("a section's `{`"));
        }
        c.bump();
    }
    c.bump();
    let mut label: Option<String> = None;
    let mut bytes = Vec::new();
    let mut depth = 0u32;
    loop {
        if c.at_end() {
            return Err(c.error("a section's `}`"));
        }
        if c.now.kind == Kind::Word && c.after.is_punct(":") {
            store(module, strings, label.take(), &mut bytes);
            label = Some(c.bump().text.to_owned());
            c.bump();
        } else if strings && c.now.kind == Kind::Number {
            bytes.push(c.integer::<u8>("a byte")?);
        } else if c.eat("{") {
            depth += 1;
        } else if c.eat("}") {
            if depth == 0 {
                store(module, strings, label, &mut bytes);
                return Ok(());
            }
            depth -= 1;
        } else {
            c.bump();
        }
    }
}

/// Keeps a label's string, without its terminating NUL; NULs inside stay, because `.loc` may point behind them.
fn store(module: &mut Module, strings: bool, label: Option<String>, bytes: &mut Vec<u8>) {
    if bytes.last() == Some(&0) {
        bytes.pop();
    }
    let text = String::from_utf8_lossy(bytes).into_owned();
    bytes.clear();
    if let (true, Some(label)) = (strings, label) {
        module.debug_strings.insert(label, text);
    }
}
