//! A program's constants, read back from the compiled PTX and never from its text.

use std::collections::BTreeMap;

use crate::exercise::Scope;
use crate::nvrtc::bare_text;
use crate::ptx::{Init, Module, StateSpace, Variable};

/// What the compiled program's constants are.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Constants {
    /// Whole numbers, for expressions.
    pub whole: Scope,
    /// Every constant as text, for the record.
    pub shown: BTreeMap<String, String>,
}

/// Source text that, put after a program, makes the values of names visible in its PTX, whatever declares them:
/// constants, macros, enumerators.
///
/// Its variables' names hold a hash of the program's code, so that no program can declare them itself and choose its own
/// values: it would have to contain its own hash. Comments and names of files have no part in it, and programs that differ
/// there alone stay one program to the compiler.
#[derive(Debug)]
pub struct Probe {
    prefix: String,
    /// The source text.
    pub text: String,
}

impl Probe {
    /// For `names`, after the program `source`.
    pub fn new<'n>(source: &str, names: impl IntoIterator<Item = &'n String>) -> Probe {
        let prefix = format!("warpgrade_{}_", &blake3::hash(bare_text(source).as_bytes()).to_hex()[..32]);
        let mut text = String::from("\n#line 1 \"template\"\n");
        for name in names {
            text.push_str(&format!(
                "extern \"C\" __device__ long long {prefix}{name} = (long long)({name});\n"
            ));
        }
        Probe { prefix, text }
    }
}

impl Constants {
    /// Reads what a probe made visible.
    pub fn read(module: &Module, probe: &Probe) -> Constants {
        let mut constants = Constants::default();
        for variable in &module.variables {
            if variable.space == StateSpace::Global
                && let Some(name) = variable.name.strip_prefix(&probe.prefix)
                && let Some(value) = whole_value(variable)
            {
                constants.shown.insert(name.to_owned(), value.to_string());
                constants.whole.set(name.to_owned(), value);
            }
        }
        constants
    }
}

/// The value of a probe's variable, which is a `long long`.
fn whole_value(variable: &Variable) -> Option<i64> {
    match variable.init {
        // PTX writes negative numbers as the unsigned ones that they are the bits of.
        Some(Init::Int(value)) => Some(value as i64),
        // A variable without initialiser is zero (PTX 5.4.4).
        None => Some(0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ptx::{Linkage, Type};

    fn variable(name: String, init: Option<Init>) -> Variable {
        Variable {
            linkage: Linkage::Visible,
            space: StateSpace::Global,
            align: Some(8),
            vector: None,
            ty: Type::U64,
            name,
            dims: Vec::new(),
            init,
            attributes: Vec::new(),
            ptx_line: 0,
        }
    }

    #[test]
    fn only_the_probes_variables_are_read() {
        let names = ["kBlocks".to_owned(), "kOffset".to_owned(), "kZero".to_owned()];
        let probe = Probe::new("constexpr int kBlocks = 8192;", &names);
        assert!(names.iter().all(|name| probe.text.contains(&format!("(long long)({name})"))));
        let of = |name: &str| format!("{}{name}", probe.prefix);
        let module = Module {
            variables: vec![
                variable("kBlocks".to_owned(), Some(Init::Int(2))),
                variable("warpgrade_value_of_kBlocks".to_owned(), Some(Init::Int(3))),
                variable(of("kBlocks"), Some(Init::Int(8192))),
                variable(of("kOffset"), Some(Init::Int(18_446_744_073_709_551_491))),
                variable(of("kZero"), None),
            ],
            ..Module::default()
        };
        let constants = Constants::read(&module, &probe);
        assert_eq!(constants.whole.get("kBlocks"), Some(8192));
        assert_eq!(constants.whole.get("kOffset"), Some(-125));
        assert_eq!(constants.whole.get("kZero"), Some(0));
        assert_eq!(constants.shown["kOffset"], "-125");
    }

    #[test]
    fn another_program_has_another_probe() {
        let prefix = |source: &str| Probe::new(source, &[]).prefix;
        assert_ne!(prefix("a"), prefix("b"));
    }
}
