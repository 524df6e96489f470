//! Module scope: headers, variables, functions, and the tables behind `.loc`.
//!
//! The parser looks two tokens ahead, never goes back, and keeps nested scopes on a stack of its own, so that its time
//! and its memory are linear in the text whatever the text is.

use super::ast::{Directive, Function, FunctionKind, Linkage, Module};
use super::cursor::Cursor;
use super::declare;
use super::error::ParseError;
use super::lexer::Kind;
use super::{body, debug};

/// Parses a PTX translation unit.
///
/// Unknown directives are passed over; unknown instructions are kept as written, for the device to refuse by line.
///
/// # Errors
/// The first place that is not PTX's grammar, with what stands there and what was expected.
pub fn parse(text: &str) -> Result<Module, ParseError> {
    let mut cursor = Cursor::new(text);
    let mut module = Module { address_size: 64, ..Module::default() };
    while !cursor.at_end() {
        item(&mut cursor, &mut module)?;
    }
    if module.version == (0, 0) { Err(cursor.error("a `.version`")) } else { Ok(module) }
}

fn item(c: &mut Cursor<'_>, module: &mut Module) -> Result<(), ParseError> {
    if c.eat(";") {
        return Ok(());
    }
    if c.now.kind != Kind::Dotted {
        return Err(c.error("a directive, such as `.visible .entry`"));
    }
    match c.now.text {
        "version" => module.version = version(c)?,
        "target" => {
            c.bump();
            module.targets = c.comma_list(|c| c.word("a target, such as `sm_75`").map(str::to_owned))?;
        }
        "address_size" => {
            c.bump();
            module.address_size = c.integer("32 or 64")?;
        }
        "file" => {
            let (index, path) = debug::file(c)?;
            module.files.insert(index, path);
        }
        "section" => debug::section(c, module)?,
        "visible" | "extern" | "weak" | "common" | "entry" | "func" => linked(c, module)?,
        name if declare::state_space(name).is_some() => {
            declare::variables(c, Linkage::Internal, &mut module.variables)?;
        }
        _ => c.skip_directive(),
    }
    Ok(())
}

fn version(c: &mut Cursor<'_>) -> Result<(u32, u32), ParseError> {
    c.bump();
    let token = c.bump();
    let parts = token.text.split_once('.').filter(|_| token.kind == Kind::Number);
    parts
        .and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)))
        .ok_or_else(|| c.error_at(&token, "a version, such as `8.8`"))
}

/// A function, or a variable with a linkage directive.
fn linked(c: &mut Cursor<'_>, module: &mut Module) -> Result<(), ParseError> {
    let mut linkage = Linkage::Internal;
    loop {
        linkage = match c.now.text {
            _ if c.now.kind != Kind::Dotted => return Err(c.error("`.entry`, `.func` or a state space")),
            "visible" => Linkage::Visible,
            "extern" => Linkage::Extern,
            "weak" => Linkage::Weak,
            "common" => Linkage::Common,
            "entry" => {
                module.functions.push(function(c, linkage, FunctionKind::Entry)?);
                return Ok(());
            }
            "func" => {
                module.functions.push(function(c, linkage, FunctionKind::Device)?);
                return Ok(());
            }
            _ => return declare::variables(c, linkage, &mut module.variables),
        };
        c.bump();
    }
}

fn function(c: &mut Cursor<'_>, linkage: Linkage, kind: FunctionKind) -> Result<Function, ParseError> {
    let ptx_line = c.bump().line;
    if c.at_dotted("attribute") {
        declare::attribute(c)?;
    }
    let results = if c.at("(") { declare::parameters(c)? } else { Vec::new() };
    let name = c.word("the function's name")?.to_owned();
    let params = if c.at("(") { declare::parameters(c)? } else { Vec::new() };
    let mut directives = Vec::new();
    loop {
        if c.eat(";") {
            return Ok(Function { linkage, kind, name, results, params, directives, body: None, ptx_line });
        }
        if c.eat("{") {
            let body = Some(body::statements(c)?);
            return Ok(Function { linkage, kind, name, results, params, directives, body, ptx_line });
        }
        if c.now.kind != Kind::Dotted {
            return Err(c.error("a function directive, `{` or `;`"));
        }
        directives.extend(function_directive(c)?);
    }
}

/// `.maxntid 256, 1, 1`; `None` for `.pragma`, which carries a string.
fn function_directive(c: &mut Cursor<'_>) -> Result<Option<Directive>, ParseError> {
    let name = c.bump().text.to_owned();
    if name == "pragma" {
        c.comma_list(|c| c.quoted("a pragma's string"))?;
        c.eat(";");
        return Ok(None);
    }
    let values = if c.now.kind == Kind::Number {
        c.comma_list(|c| c.integer("an integer of 64 bits"))?
    } else {
        Vec::new()
    };
    Ok(Some(Directive { name, values }))
}
