//! A function's body: scopes, labels, declarations and instructions.

use super::ast::{Instruction, Linkage, Predicate, Statement};
use super::cursor::Cursor;
use super::debug;
use super::declare;
use super::error::ParseError;
use super::lexer::Kind;
use super::operand;

/// Scopes within scopes; a text that nests deeper is refused, because the tree is walked recursively.
pub(super) const MAX_SCOPE_DEPTH: usize = 100;

/// The statements up to the `}` that closes the body, whose `{` has been read.
pub(super) fn statements(c: &mut Cursor<'_>) -> Result<Vec<Statement>, ParseError> {
    let mut outer: Vec<Vec<Statement>> = Vec::new();
    let mut here: Vec<Statement> = Vec::new();
    loop {
        if c.at("{") {
            if outer.len() == MAX_SCOPE_DEPTH {
                return Err(c.error(format!("scopes nested at most {MAX_SCOPE_DEPTH} deep")));
            }
            c.bump();
            outer.push(std::mem::take(&mut here));
        } else if c.eat("}") {
            match outer.pop() {
                None => return Ok(here),
                Some(enclosing) => {
                    let block = std::mem::replace(&mut here, enclosing);
                    here.push(Statement::Block(block));
                }
            }
        } else if !c.eat(";") {
            statement(c, &mut here)?;
        }
    }
}

fn statement(c: &mut Cursor<'_>, into: &mut Vec<Statement>) -> Result<(), ParseError> {
    match c.now.kind {
        Kind::Dotted => directive(c, into),
        Kind::Word if c.after.is_punct(":") => {
            let name = c.bump().text.to_owned();
            c.bump();
            into.push(labelled(c, name)?);
            Ok(())
        }
        Kind::Word => {
            into.push(Statement::Instruction(instruction(c)?));
            Ok(())
        }
        Kind::Punct if c.at("@") => {
            into.push(Statement::Instruction(instruction(c)?));
            Ok(())
        }
        _ => Err(c.error("an instruction, a label, a directive or `}`")),
    }
}

fn directive(c: &mut Cursor<'_>, into: &mut Vec<Statement>) -> Result<(), ParseError> {
    match c.now.text {
        "reg" => into.push(declare::registers(c)?),
        "loc" => into.push(Statement::Loc(debug::loc(c)?)),
        "pragma" => {
            c.bump();
            into.extend(c.comma_list(|c| c.quoted("a pragma's string"))?.into_iter().map(Statement::Pragma));
            c.expect(";")?;
        }
        name if declare::state_space(name).is_some() => {
            let mut variables = Vec::new();
            declare::variables(c, Linkage::Internal, &mut variables)?;
            into.extend(variables.into_iter().map(Statement::Variable));
        }
        "extern" | "visible" | "weak" | "common" => {
            let linkage = match c.bump().text {
                "extern" => Linkage::Extern,
                "visible" => Linkage::Visible,
                "weak" => Linkage::Weak,
                _ => Linkage::Common,
            };
            let mut variables = Vec::new();
            declare::variables(c, linkage, &mut variables)?;
            into.extend(variables.into_iter().map(Statement::Variable));
        }
        _ => c.skip_directive(),
    }
    Ok(())
}

/// What a label names: a place, or the targets or the prototype of a jump through a register.
fn labelled(c: &mut Cursor<'_>, name: String) -> Result<Statement, ParseError> {
    let statement = match c.now.text {
        _ if c.now.kind != Kind::Dotted => return Ok(Statement::Label(name)),
        "branchtargets" => {
            c.bump();
            let labels = c.comma_list(|c| c.word("a label").map(str::to_owned))?;
            Statement::BranchTargets { name, labels }
        }
        "calltargets" => {
            c.bump();
            let functions = c.comma_list(|c| c.word("a function").map(str::to_owned))?;
            Statement::CallTargets { name, functions }
        }
        "callprototype" => {
            c.bump();
            let results = if c.at("(") { declare::parameters(c)? } else { Vec::new() };
            c.word("`_`")?;
            let params = if c.at("(") { declare::parameters(c)? } else { Vec::new() };
            // `.noreturn` and `.abi_preserve n` change nothing for the caller.
            while c.now.kind == Kind::Dotted || c.now.kind == Kind::Number {
                c.bump();
            }
            Statement::CallPrototype { name, results, params }
        }
        _ => return Ok(Statement::Label(name)),
    };
    c.expect(";")?;
    Ok(statement)
}

fn instruction(c: &mut Cursor<'_>) -> Result<Instruction, ParseError> {
    let ptx_line = c.now.line;
    let predicate = if c.eat("@") {
        let negated = c.eat("!");
        Some(Predicate { negated, register: c.word("a predicate register")?.to_owned() })
    } else {
        None
    };
    let opcode = c.word("an instruction")?.to_owned();
    let mut qualifiers = Vec::new();
    while c.now.kind == Kind::Dotted {
        qualifiers.push(c.bump().text.to_owned());
    }
    let operands = if c.at(";") { Vec::new() } else { c.comma_list(operand::operand)? };
    if !c.eat(";") {
        return Err(c.error("`,` or `;`"));
    }
    Ok(Instruction { predicate, opcode, qualifiers, operands, ptx_line })
}
