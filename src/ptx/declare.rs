//! Declarations: variables, parameters, registers and initialisers
//! (PTX ISA, "State Spaces, Types, and Variables").

use super::ast::{Init, Linkage, RegisterName, StateSpace, Statement, Type, Variable};
use super::cursor::Cursor;
use super::error::ParseError;
use super::lexer::Kind;
use super::literal::Literal;

/// Nesting of `{ … }` in an initialiser; an array of more dimensions is refused.
const MAX_INIT_DEPTH: u32 = 16;

pub(super) fn state_space(name: &str) -> Option<StateSpace> {
    Some(match name {
        "reg" => StateSpace::Reg,
        "sreg" => StateSpace::Sreg,
        "const" => StateSpace::Const,
        "global" => StateSpace::Global,
        "local" => StateSpace::Local,
        "param" => StateSpace::Param,
        "shared" | "shared::cta" => StateSpace::Shared,
        "tex" => StateSpace::Tex,
        _ => return None,
    })
}

pub(super) fn type_named(name: &str) -> Option<Type> {
    Some(match name {
        "s8" => Type::S8,
        "s16" => Type::S16,
        "s32" => Type::S32,
        "s64" => Type::S64,
        "u8" => Type::U8,
        "u16" => Type::U16,
        "u32" => Type::U32,
        "u64" => Type::U64,
        "f16" => Type::F16,
        "f16x2" => Type::F16x2,
        "bf16" => Type::Bf16,
        "bf16x2" => Type::Bf16x2,
        "f32" => Type::F32,
        "f64" => Type::F64,
        "b8" => Type::B8,
        "b16" => Type::B16,
        "b32" => Type::B32,
        // Opaque handles are 64 bits wide.
        "b64" | "texref" | "samplerref" | "surfref" => Type::B64,
        "b128" => Type::B128,
        "pred" => Type::Pred,
        _ => return None,
    })
}

impl StateSpace {
    /// The directive's name, without the dot.
    pub fn name(self) -> &'static str {
        match self {
            StateSpace::Reg => "reg",
            StateSpace::Sreg => "sreg",
            StateSpace::Const => "const",
            StateSpace::Global => "global",
            StateSpace::Local => "local",
            StateSpace::Param => "param",
            StateSpace::Shared => "shared",
            StateSpace::Tex => "tex",
        }
    }
}

impl Type {
    /// The name as PTX writes it, without the dot.
    pub fn name(self) -> &'static str {
        match self {
            Type::S8 => "s8",
            Type::S16 => "s16",
            Type::S32 => "s32",
            Type::S64 => "s64",
            Type::U8 => "u8",
            Type::U16 => "u16",
            Type::U32 => "u32",
            Type::U64 => "u64",
            Type::F16 => "f16",
            Type::F16x2 => "f16x2",
            Type::Bf16 => "bf16",
            Type::Bf16x2 => "bf16x2",
            Type::F32 => "f32",
            Type::F64 => "f64",
            Type::B8 => "b8",
            Type::B16 => "b16",
            Type::B32 => "b32",
            Type::B64 => "b64",
            Type::B128 => "b128",
            Type::Pred => "pred",
        }
    }

    /// The type of this name (without the dot), if it is a fundamental type.
    pub fn named(name: &str) -> Option<Type> {
        type_named(name)
    }
}

/// What stands before a declarator's name.
struct Head {
    space: StateSpace,
    align: Option<u32>,
    vector: Option<u8>,
    ty: Type,
    attributes: Vec<String>,
}

fn head(c: &mut Cursor<'_>) -> Result<Head, ParseError> {
    let space = Some(c.now)
        .filter(|t| t.kind == Kind::Dotted)
        .and_then(|t| state_space(t.text))
        .ok_or_else(|| c.error("a state space, such as `.global`"))?;
    c.bump();
    let mut head = Head { space, align: None, vector: None, ty: Type::B8, attributes: Vec::new() };
    let mut typed = false;
    while c.now.kind == Kind::Dotted {
        match c.now.text {
            "align" => {
                c.bump();
                head.align = Some(c.integer("an alignment in bytes")?);
            }
            "attribute" => head.attributes.push(attribute(c)?),
            "ptr" => head.attributes.push(pointer(c)?),
            "v2" | "v4" | "v8" => {
                head.vector = Some(c.bump().text.as_bytes()[1] - b'0');
            }
            name => {
                head.ty = type_named(name).ok_or_else(|| c.error("a type, such as `.b32`"))?;
                typed = true;
                c.bump();
            }
        }
    }
    if typed { Ok(head) } else { Err(c.error("a type, such as `.b32`")) }
}

/// `.attribute(.managed)`, as written, without blanks and without the first dot.
pub(super) fn attribute(c: &mut Cursor<'_>) -> Result<String, ParseError> {
    let mut text = c.bump().text.to_owned();
    c.expect("(")?;
    text.push('(');
    let mut depth = 1u32;
    while depth > 0 {
        if c.at_end() || c.at(";") || c.at("{") {
            return Err(c.error("`)`"));
        }
        depth += u32::from(c.at("("));
        depth -= u32::from(c.at(")"));
        let token = c.bump();
        if token.kind == Kind::Dotted {
            text.push('.');
        }
        text.push_str(token.text);
    }
    Ok(text)
}

/// `.ptr .global .align 8` of a kernel parameter.
fn pointer(c: &mut Cursor<'_>) -> Result<String, ParseError> {
    let mut text = c.bump().text.to_owned();
    while c.now.kind == Kind::Dotted {
        if c.eat_dotted("align") {
            let bytes: u32 = c.integer("an alignment in bytes")?;
            text.push_str(&format!(" .align {bytes}"));
        } else if state_space(c.now.text).is_some() {
            text.push_str(" .");
            text.push_str(c.bump().text);
        } else {
            break;
        }
    }
    Ok(text)
}

fn declarator(c: &mut Cursor<'_>, head: &Head, linkage: Linkage) -> Result<Variable, ParseError> {
    let ptx_line = c.now.line;
    let name = c.word("the variable's name")?.to_owned();
    let mut dims = Vec::new();
    while c.eat("[") {
        if c.eat("]") {
            dims.push(None);
        } else {
            dims.push(Some(c.integer("an array's length")?));
            c.expect("]")?;
        }
    }
    let init = if c.eat("=") { Some(init(c, 0)?) } else { None };
    Ok(Variable {
        linkage,
        space: head.space,
        align: head.align,
        vector: head.vector,
        ty: head.ty,
        name,
        dims,
        init,
        attributes: head.attributes.clone(),
        ptx_line,
    })
}

/// `.global .align 4 .u32 a, b[2] = {1, 2};`, a linkage having been read already.
pub(super) fn variables(
    c: &mut Cursor<'_>,
    linkage: Linkage,
    into: &mut Vec<Variable>,
) -> Result<(), ParseError> {
    let head = head(c)?;
    loop {
        into.push(declarator(c, &head, linkage)?);
        if !c.eat(",") {
            return c.expect(";");
        }
    }
}

/// `(.param .b32 a, .param .align 16 .b8 b[16])`.
pub(super) fn parameters(c: &mut Cursor<'_>) -> Result<Vec<Variable>, ParseError> {
    c.expect("(")?;
    if c.eat(")") {
        return Ok(Vec::new());
    }
    let parameters = c.comma_list(|c| {
        let head = head(c)?;
        declarator(c, &head, Linkage::Internal)
    })?;
    c.expect(")")?;
    Ok(parameters)
}

/// `.reg .b32 %r<12>, q;`
pub(super) fn registers(c: &mut Cursor<'_>) -> Result<Statement, ParseError> {
    let head = head(c)?;
    let names = c.comma_list(|c| {
        let name = c.word("a register's name")?.to_owned();
        let count = if c.eat("<") {
            let count = c.integer("how many registers")?;
            c.expect(">")?;
            Some(count)
        } else {
            None
        };
        Ok(RegisterName { name, count })
    })?;
    c.expect(";")?;
    Ok(Statement::Registers { ty: head.ty, vector: head.vector, names })
}

fn init(c: &mut Cursor<'_>, depth: u32) -> Result<Init, ParseError> {
    if c.at("{") {
        if depth == MAX_INIT_DEPTH {
            return Err(c.error(format!("an initialiser nested at most {MAX_INIT_DEPTH} deep")));
        }
        c.bump();
        let items = if c.at("}") { Vec::new() } else { c.comma_list(|c| init(c, depth + 1))? };
        c.expect("}")?;
        return Ok(Init::List(items));
    }
    if c.now.kind == Kind::Word {
        return symbol(c, None);
    }
    let token = c.now;
    match c.literal("an initialiser")? {
        Literal::Int(mask) if c.eat("(") => {
            let mask = u64::try_from(mask).map_err(|_| c.error_at(&token, "a mask of 64 bits"))?;
            let symbol = symbol(c, Some(mask))?;
            c.expect(")")?;
            Ok(symbol)
        }
        Literal::Int(value) => Ok(Init::Int(value)),
        Literal::F32(bits) => Ok(Init::F32(bits)),
        Literal::F64(bits) => Ok(Init::F64(bits)),
    }
}

/// `sym+4`, `generic(sym)+4`.
fn symbol(c: &mut Cursor<'_>, mask: Option<u64>) -> Result<Init, ParseError> {
    let generic = c.now.text == "generic" && c.after.is_punct("(");
    if generic {
        c.bump();
        c.bump();
    }
    let name = c.word("a symbol")?.to_owned();
    if generic {
        c.expect(")")?;
    }
    let offset = c.offset()?;
    Ok(Init::Symbol { name, offset, generic, mask })
}
