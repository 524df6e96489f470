//! A kernel with everything that it can reach, and nothing else: what decides an execution of it.

use std::collections::{BTreeMap, BTreeSet};

use super::ast::{AddressBase, Function, Init, Module, Operand, Statement, Variable};

impl Module {
    /// The module without what `kernel` neither calls nor names, and without its line table. `None` for an unknown kernel.
    ///
    /// Two programs in which a kernel and what it uses are alike give equal modules, whatever else differs between them.
    pub fn reached_from(&self, kernel: &str) -> Option<Module> {
        let functions: BTreeMap<&str, &Function> =
            self.functions.iter().map(|f| (f.name.as_str(), f)).collect();
        let variables: BTreeMap<&str, &Variable> =
            self.variables.iter().map(|v| (v.name.as_str(), v)).collect();
        let (first, _) = functions.get_key_value(kernel)?;
        let mut reached: BTreeSet<&str> = [*first].into();
        let mut waiting: Vec<&str> = vec![first];
        while let Some(name) = waiting.pop() {
            let mut named = BTreeSet::new();
            if let Some(function) = functions.get(name) {
                names_of_body(function.body.as_deref().unwrap_or(&[]), &mut named);
            } else if let Some(variable) = variables.get(name) {
                names_of_init(variable.init.as_ref(), &mut named);
            }
            for name in named {
                let known = functions.get_key_value(name).map(|(known, _)| *known);
                let known = known.or_else(|| variables.get_key_value(name).map(|(known, _)| *known));
                if let Some(known) = known
                    && reached.insert(known)
                {
                    waiting.push(known);
                }
            }
        }
        // In the order of the text: a declaration may stand before its definition.
        let own = |name: &str| reached.contains(name);
        let mut module = Module {
            version: self.version,
            targets: self.targets.clone(),
            address_size: self.address_size,
            variables: self.variables.iter().filter(|v| own(&v.name)).cloned().collect(),
            functions: self.functions.iter().filter(|f| own(&f.name)).cloned().collect(),
            ..Module::default()
        };
        for function in &mut module.functions {
            function.body.iter_mut().for_each(drop_lines);
        }
        module.forget_ptx_lines();
        Some(module)
    }
}

fn drop_lines(body: &mut Vec<Statement>) {
    body.retain(|statement| !matches!(statement, Statement::Loc(_)));
    for statement in body {
        if let Statement::Block(inner) = statement {
            drop_lines(inner);
        }
    }
}

fn names_of_body<'a>(body: &'a [Statement], names: &mut BTreeSet<&'a str>) {
    for statement in body {
        match statement {
            Statement::Instruction(i) => i.operands.iter().for_each(|o| names_of_operand(o, names)),
            Statement::Block(inner) => names_of_body(inner, names),
            Statement::Variable(v) => names_of_init(v.init.as_ref(), names),
            Statement::CallTargets { functions, .. } => names.extend(functions.iter().map(String::as_str)),
            _ => {}
        }
    }
}

fn names_of_operand<'a>(operand: &'a Operand, names: &mut BTreeSet<&'a str>) {
    match operand {
        Operand::Name { name, .. } | Operand::Address { base: AddressBase::Name(name), .. } => {
            names.insert(name);
        }
        Operand::Vector(parts) | Operand::List(parts) | Operand::Coordinates(parts) => {
            parts.iter().for_each(|o| names_of_operand(o, names));
        }
        Operand::Pair(a, b) => {
            names_of_operand(a, names);
            names_of_operand(b, names);
        }
        _ => {}
    }
}

fn names_of_init<'a>(init: Option<&'a Init>, names: &mut BTreeSet<&'a str>) {
    match init {
        Some(Init::Symbol { name, .. }) => {
            names.insert(name);
        }
        Some(Init::List(parts)) => parts.iter().for_each(|part| names_of_init(Some(part), names)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use crate::ptx::parse;

    const TWO_KERNELS: &str = "
.version 8.8
.target sm_75
.address_size 64
.global .align 4 .u32 used = 1;
.global .align 4 .u32 other = 2;
.global .align 8 .u64 table[1] = {generic(pointed)};
.global .align 4 .u32 pointed = 3;
.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
.func helper()
{
	ret;
}
.visible .entry first(.param .u64 p)
{
	.reg .b32 %r<3>;
	.reg .b64 %rd<2>;
	.loc 1 LINE 3
	ld.global.u32 %r1, [used];
	{
	.loc 1 LINE 9
	mov.u64 %rd1, table;
	call.uni helper, ();
	}
	ret;
}
.visible .entry second(.param .u64 p)
{
	.reg .b32 %r<3>;
	ld.global.u32 %r1, [other];
	ret;
}
.file 1 \"FILE\"
";

    #[test]
    fn what_a_kernel_reaches_is_there_and_lines_are_not() {
        let text = |line: &str, file: &str| TWO_KERNELS.replace("LINE", line).replace("FILE", file);
        let own = |text: &str| {
            let module = parse(text).expect("a module").reached_from("first").expect("a kernel");
            module.normalised_text()
        };
        let reached = own(&text("12", "ada.cu"));
        for name in ["used", "table", "pointed", "helper"] {
            assert!(reached.contains(name), "{name}: {reached}");
        }
        for name in ["other", "second", "vprintf", "ada.cu", ".loc"] {
            assert!(!reached.contains(name), "{name}: {reached}");
        }
        assert_eq!(reached, own(&text("99", "grace.cu")), "another file and line is the same program");
        assert_ne!(reached, own(&text("12", "ada.cu").replace("used = 1", "used = 5")));
        let again = parse(&reached).expect("what is printed can be read").normalised_text();
        assert_eq!(again, reached);
        assert!(parse(&text("1", "a")).expect("a module").reached_from("third").is_none());
    }
}
