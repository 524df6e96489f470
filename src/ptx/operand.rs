//! Instruction operands (PTX ISA, "Instruction Operands").

use super::ast::{AddressBase, Operand};
use super::cursor::Cursor;
use super::error::ParseError;
use super::lexer::Kind;
use super::literal::Literal;

/// One operand: a name, a number, an address, `{…}`, `(…)`, `a|b`, `!p` or `_`.
pub(super) fn operand(c: &mut Cursor<'_>) -> Result<Operand, ParseError> {
    if c.at("(") {
        return Ok(Operand::List(enclosed(c, "(", ")", simple_or_vector)?));
    }
    simple_or_vector(c)
}

fn simple_or_vector(c: &mut Cursor<'_>) -> Result<Operand, ParseError> {
    if c.at("{") {
        return Ok(Operand::Vector(enclosed(c, "{", "}", simple)?));
    }
    let first = simple(c)?;
    if c.eat("|") {
        return Ok(Operand::Pair(Box::new(first), Box::new(simple(c)?)));
    }
    Ok(first)
}

fn enclosed(
    c: &mut Cursor<'_>,
    open: &str,
    close: &str,
    rule: fn(&mut Cursor<'_>) -> Result<Operand, ParseError>,
) -> Result<Vec<Operand>, ParseError> {
    c.expect(open)?;
    if c.eat(close) {
        return Ok(Vec::new());
    }
    let items = c.comma_list(rule)?;
    if c.eat(close) { Ok(items) } else { Err(c.error(format!("`,` or `{close}`"))) }
}

/// An operand without parts of its own, addresses included.
fn simple(c: &mut Cursor<'_>) -> Result<Operand, ParseError> {
    if c.at("[") {
        return address(c);
    }
    if c.eat("!") {
        return Ok(Operand::Not(c.word("a predicate register")?.to_owned()));
    }
    if c.now.kind != Kind::Word {
        return Ok(match c.literal("an operand")? {
            Literal::Int(v) => Operand::Int(v),
            Literal::F32(bits) => Operand::F32(bits),
            Literal::F64(bits) => Operand::F64(bits),
        });
    }
    if c.now.text == "_" {
        c.bump();
        return Ok(Operand::Sink);
    }
    let name = c.dotted_name("a name")?;
    Ok(Operand::Name { name, offset: c.offset()? })
}

/// `[%rd1+8]`, `[sym]`, `[16]`, `[tensor, {%r1, %r2}]`.
fn address(c: &mut Cursor<'_>) -> Result<Operand, ParseError> {
    c.expect("[")?;
    let first = if c.now.kind == Kind::Word {
        let name = c.dotted_name("a name")?;
        (AddressBase::Name(name), c.offset()?)
    } else {
        (AddressBase::Absolute, c.integer("an address")?)
    };
    if c.at(",") {
        let (base, offset) = first;
        let mut parts = vec![match base {
            AddressBase::Name(name) => Operand::Name { name, offset },
            AddressBase::Absolute => Operand::Int(offset.into()),
        }];
        while c.eat(",") {
            parts.push(if c.at("{") {
                Operand::Vector(enclosed(c, "{", "}", coordinate)?)
            } else {
                coordinate(c)?
            });
        }
        c.expect("]")?;
        return Ok(Operand::Coordinates(parts));
    }
    c.expect("]")?;
    Ok(Operand::Address { base: first.0, offset: first.1 })
}

fn coordinate(c: &mut Cursor<'_>) -> Result<Operand, ParseError> {
    if c.at("[") { Err(c.error("a coordinate")) } else { simple(c) }
}
