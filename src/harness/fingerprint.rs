//! When two kernels are the same program: a hash of a kernel's PTX without its line table.

use std::collections::{BTreeMap, BTreeSet};

use crate::ptx::{AddressBase, Function, Init, Instruction, Module, Operand, Statement, Variable};

/// A hash of `kernel` and everything that it can reach in `module`: functions called and variables named.
/// Lines, files and debug strings play no part, so a moved comment changes nothing. `None` for an unknown kernel.
pub fn fingerprint(module: &Module, kernel: &str) -> Option<String> {
    let functions: BTreeMap<&str, &Function> =
        module.functions.iter().filter(|f| f.body.is_some()).map(|f| (f.name.as_str(), f)).collect();
    let variables: BTreeMap<&str, &Variable> =
        module.variables.iter().map(|v| (v.name.as_str(), v)).collect();
    functions.get(kernel)?;

    let mut reached: BTreeSet<&str> = [kernel].into();
    let mut waiting = vec![kernel];
    let mut hasher = blake3::Hasher::new();
    hasher.update(format!("{:?}", module.targets).as_bytes());
    while let Some(name) = waiting.pop() {
        let mut named = BTreeSet::new();
        if let Some(&function) = functions.get(name) {
            let function = without_lines(function);
            names_of_body(function.body.as_deref().unwrap_or(&[]), &mut named);
            hasher.update(format!("{function:?}").as_bytes());
        } else if let Some(&variable) = variables.get(name) {
            names_of_init(variable.init.as_ref(), &mut named);
            hasher.update(format!("{:?}", Variable { ptx_line: 0, ..variable.clone() }).as_bytes());
        }
        for name in named {
            let known = functions.get_key_value(name.as_str()).map(|(&k, _)| k);
            let known = known.or_else(|| variables.get_key_value(name.as_str()).map(|(&k, _)| k));
            if let Some(known) = known
                && reached.insert(known)
            {
                waiting.push(known);
            }
        }
    }
    Some(hasher.finalize().to_hex().to_string())
}

fn without_lines(function: &Function) -> Function {
    let plain = |v: &Variable| Variable { ptx_line: 0, ..v.clone() };
    Function {
        results: function.results.iter().map(plain).collect(),
        params: function.params.iter().map(plain).collect(),
        body: function.body.as_deref().map(plain_body),
        ptx_line: 0,
        ..function.clone()
    }
}

fn plain_body(body: &[Statement]) -> Vec<Statement> {
    let plain = |statement: &Statement| match statement {
        Statement::Loc(_) => None,
        Statement::Instruction(i) => Some(Statement::Instruction(Instruction { ptx_line: 0, ..i.clone() })),
        Statement::Variable(v) => Some(Statement::Variable(Variable { ptx_line: 0, ..v.clone() })),
        Statement::Block(inner) => Some(Statement::Block(plain_body(inner))),
        other => Some(other.clone()),
    };
    body.iter().filter_map(plain).collect()
}

fn names_of_body(body: &[Statement], names: &mut BTreeSet<String>) {
    for statement in body {
        match statement {
            Statement::Instruction(i) => i.operands.iter().for_each(|o| names_of_operand(o, names)),
            Statement::Block(inner) => names_of_body(inner, names),
            Statement::Variable(v) => names_of_init(v.init.as_ref(), names),
            Statement::CallTargets { functions, .. } => names.extend(functions.iter().cloned()),
            _ => {}
        }
    }
}

fn names_of_operand(operand: &Operand, names: &mut BTreeSet<String>) {
    match operand {
        Operand::Name { name, .. } | Operand::Address { base: AddressBase::Name(name), .. } => {
            names.insert(name.clone());
        }
        Operand::Vector(parts) | Operand::List(parts) => {
            parts.iter().for_each(|o| names_of_operand(o, names));
        }
        Operand::Pair(a, b) => {
            names_of_operand(a, names);
            names_of_operand(b, names);
        }
        _ => {}
    }
}

fn names_of_init(init: Option<&Init>, names: &mut BTreeSet<String>) {
    match init {
        Some(Init::Symbol { name, .. }) => {
            names.insert(name.clone());
        }
        Some(Init::List(parts)) => parts.iter().for_each(|part| names_of_init(Some(part), names)),
        _ => {}
    }
}
