//! A module as PTX text. Parsing what is printed gives the module back, line numbers apart.

use std::fmt::{self, Display, Formatter, Write};

use super::ast::{
    AddressBase, Function, FunctionKind, Init, Instruction, Linkage, Loc, Module, Operand, Statement,
    Variable,
};
use super::literal::escape;

impl Display for Module {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_module(f, self, true)
    }
}

/// Writes the module; `located` keeps `.loc`, `.file` and the debug strings.
pub(super) fn write_module(f: &mut impl Write, module: &Module, located: bool) -> fmt::Result {
    writeln!(f, ".version {}.{}", module.version.0, module.version.1)?;
    if !module.targets.is_empty() {
        writeln!(f, ".target {}", module.targets.join(", "))?;
    }
    writeln!(f, ".address_size {}\n", module.address_size)?;
    // A definition may use any variable, and a variable's initialiser any function that is declared.
    let defined = module.functions.iter().position(|f| f.body.is_some()).unwrap_or(module.functions.len());
    let (declared, others) = module.functions.split_at(defined);
    for function in declared {
        write_function(f, function, located)?;
    }
    for variable in &module.variables {
        write_variable(f, variable)?;
        f.write_str(";\n")?;
    }
    for function in others {
        write_function(f, function, located)?;
    }
    if !located {
        return Ok(());
    }
    for (index, path) in &module.files {
        writeln!(f, ".file {index} \"{}\"", escape(path))?;
    }
    if !module.debug_strings.is_empty() {
        f.write_str(".section .debug_str\n{\n")?;
        for (label, text) in &module.debug_strings {
            write!(f, "{label}:\n.b8 ")?;
            for byte in text.bytes() {
                write!(f, "{byte},")?;
            }
            f.write_str("0\n")?;
        }
        f.write_str("}\n")?;
    }
    Ok(())
}

fn linkage(linkage: Linkage) -> &'static str {
    match linkage {
        Linkage::Internal => "",
        Linkage::Visible => ".visible ",
        Linkage::Extern => ".extern ",
        Linkage::Weak => ".weak ",
        Linkage::Common => ".common ",
    }
}

fn write_variable(f: &mut impl Write, variable: &Variable) -> fmt::Result {
    write!(f, "{}.{}", linkage(variable.linkage), variable.space.name())?;
    let (pointers, others): (Vec<_>, Vec<_>) = variable.attributes.iter().partition(|a| a.starts_with("ptr"));
    for attribute in others {
        write!(f, " .{attribute}")?;
    }
    if let Some(align) = variable.align {
        write!(f, " .align {align}")?;
    }
    if let Some(lanes) = variable.vector {
        write!(f, " .v{lanes}")?;
    }
    write!(f, " .{}", variable.ty.name())?;
    // `.ptr .align 8` comes after the type, so that its alignment is not taken for the variable's.
    for pointer in pointers {
        write!(f, " .{pointer}")?;
    }
    write!(f, " {}", variable.name)?;
    for dim in &variable.dims {
        match dim {
            Some(length) => write!(f, "[{length}]")?,
            None => f.write_str("[]")?,
        }
    }
    if let Some(init) = &variable.init {
        f.write_str(" = ")?;
        write_init(f, init)?;
    }
    Ok(())
}

fn write_init(f: &mut impl Write, init: &Init) -> fmt::Result {
    match init {
        Init::Int(value) => write!(f, "{value}"),
        Init::F32(bits) => write!(f, "0f{bits:08X}"),
        Init::F64(bits) => write!(f, "0d{bits:016X}"),
        Init::Symbol { name, offset, generic, mask } => {
            if let Some(mask) = mask {
                write!(f, "0x{mask:X}(")?;
            }
            if *generic {
                write!(f, "generic({name})")?;
            } else {
                f.write_str(name)?;
            }
            write_offset(f, *offset)?;
            f.write_str(if mask.is_some() { ")" } else { "" })
        }
        Init::List(items) => write_list(f, "{", items, "}", write_init),
    }
}

fn write_offset(f: &mut impl Write, offset: i64) -> fmt::Result {
    if offset == 0 { Ok(()) } else { write!(f, "+{offset}") }
}

fn write_list<W: Write, T>(
    f: &mut W,
    open: &str,
    items: &[T],
    close: &str,
    write: fn(&mut W, &T) -> fmt::Result,
) -> fmt::Result {
    f.write_str(open)?;
    for (i, item) in items.iter().enumerate() {
        f.write_str(if i > 0 { ", " } else { "" })?;
        write(f, item)?;
    }
    f.write_str(close)
}

fn write_function(f: &mut impl Write, function: &Function, located: bool) -> fmt::Result {
    let kind = match function.kind {
        FunctionKind::Entry => ".entry",
        FunctionKind::Device => ".func",
    };
    write!(f, "{}{kind} ", linkage(function.linkage))?;
    if !function.results.is_empty() {
        write_list(f, "(", &function.results, ") ", write_variable)?;
    }
    f.write_str(&function.name)?;
    if !function.params.is_empty() {
        write_list(f, "(", &function.params, ")", write_variable)?;
    }
    f.write_char('\n')?;
    for directive in &function.directives {
        let values: Vec<String> = directive.values.iter().map(i64::to_string).collect();
        writeln!(f, ".{} {}", directive.name, values.join(", "))?;
    }
    match &function.body {
        None => f.write_str(";\n"),
        Some(body) => write_block(f, body, located),
    }
}

fn write_block(f: &mut impl Write, body: &[Statement], located: bool) -> fmt::Result {
    f.write_str("{\n")?;
    for statement in body {
        write_statement(f, statement, located)?;
    }
    f.write_str("}\n")
}

fn write_statement(f: &mut impl Write, statement: &Statement, located: bool) -> fmt::Result {
    match statement {
        Statement::Label(name) => writeln!(f, "{name}:"),
        Statement::Instruction(instruction) => writeln!(f, "\t{instruction};"),
        Statement::Registers { ty, vector, names } => {
            f.write_str("\t.reg ")?;
            if let Some(lanes) = vector {
                write!(f, ".v{lanes} ")?;
            }
            write!(f, ".{} ", ty.name())?;
            write_list(f, "", names, ";\n", |f, register| match register.count {
                Some(count) => write!(f, "{}<{count}>", register.name),
                None => f.write_str(&register.name),
            })
        }
        Statement::Variable(variable) => {
            f.write_char('\t')?;
            write_variable(f, variable)?;
            f.write_str(";\n")
        }
        Statement::Block(body) => write_block(f, body, located),
        Statement::Loc(loc) if located => writeln!(f, "\t{loc}"),
        Statement::Loc(_) => Ok(()),
        Statement::Pragma(text) => writeln!(f, "\t.pragma \"{}\";", escape(text)),
        Statement::BranchTargets { name, labels } => {
            writeln!(f, "\t{name}: .branchtargets {};", labels.join(", "))
        }
        Statement::CallTargets { name, functions } => {
            writeln!(f, "\t{name}: .calltargets {};", functions.join(", "))
        }
        Statement::CallPrototype { name, results, params } => {
            write!(f, "\t{name}: .callprototype ")?;
            if !results.is_empty() {
                write_list(f, "(", results, ") ", write_variable)?;
            }
            f.write_char('_')?;
            if !params.is_empty() {
                write_list(f, " (", params, ")", write_variable)?;
            }
            f.write_str(";\n")
        }
    }
}

impl Display for Loc {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, ".loc {} {} {}", self.file, self.line, self.column)?;
        let Some(at) = &self.inlined else { return Ok(()) };
        if !at.function.is_empty() {
            write!(f, ", function_name {}", at.function)?;
            write_offset(f, at.function_offset.into())?;
        }
        write!(f, ", inlined_at {} {} {}", at.file, at.line, at.column)
    }
}

impl Display for Instruction {
    /// The instruction as PTX writes it, without the semicolon: `@!%p1 ld.global.u32 %r1, [%rd2+4]`.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(predicate) = &self.predicate {
            write!(f, "@{}{} ", if predicate.negated { "!" } else { "" }, predicate.register)?;
        }
        f.write_str(&self.mnemonic())?;
        if self.operands.is_empty() {
            return Ok(());
        }
        write_list(f, " ", &self.operands, "", |f, operand| write!(f, "{operand}"))
    }
}

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Name { name, offset } => {
                f.write_str(name)?;
                write_offset(f, *offset)
            }
            Operand::Not(name) => write!(f, "!{name}"),
            Operand::Int(value) => write!(f, "{value}"),
            Operand::F32(bits) => write!(f, "0f{bits:08X}"),
            Operand::F64(bits) => write!(f, "0d{bits:016X}"),
            Operand::Address { base: AddressBase::Name(name), offset } => {
                write!(f, "[{name}")?;
                write_offset(f, *offset)?;
                f.write_char(']')
            }
            Operand::Address { base: AddressBase::Absolute, offset } => write!(f, "[{offset}]"),
            Operand::Coordinates(parts) => {
                write_list(f, "[", parts, "]", |f, operand| write!(f, "{operand}"))
            }
            Operand::Vector(parts) => write_list(f, "{", parts, "}", |f, operand| write!(f, "{operand}")),
            Operand::Pair(first, second) => write!(f, "{first}|{second}"),
            Operand::List(parts) => write_list(f, "(", parts, ")", |f, operand| write!(f, "{operand}")),
            Operand::Sink => f.write_char('_'),
        }
    }
}
