//! A program's constants, read back from the compiled PTX and never from its text.

use std::collections::BTreeMap;

use crate::exercise::Scope;
use crate::ptx::{Init, Module, StateSpace, Type, Variable, plain_name};

/// What the compiled program's constants are.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Constants {
    /// Whole numbers, for expressions.
    pub whole: Scope,
    /// Every constant as text, for the record.
    pub shown: BTreeMap<String, String>,
}

/// What the names of [`probe`]'s variables begin with.
const PROBE: &str = "warpgrade_value_of_";

/// Source text that, appended to a program, makes `names` visible in its PTX whatever they are: macros and
/// enumerators vanish there otherwise.
pub fn probe(names: &[String]) -> String {
    let mut text = String::from("\n#line 1 \"template\"\n");
    for name in names {
        text.push_str(&format!("extern \"C\" __device__ long long {PROBE}{name} = (long long)({name});\n"));
    }
    text
}

impl Constants {
    /// Reads every initialised scalar variable of global or constant memory.
    pub fn read(module: &Module) -> Constants {
        let mut constants = Constants::default();
        for variable in &module.variables {
            if !matches!(variable.space, StateSpace::Global | StateSpace::Const) || !variable.dims.is_empty()
            {
                continue;
            }
            let (name, probed) = match variable.name.strip_prefix(PROBE) {
                Some(name) => (name.to_owned(), true),
                None => (own_name(&variable.name), false),
            };
            if !probed && constants.shown.contains_key(&name) {
                continue;
            }
            if let Some(value) = whole_value(variable) {
                constants.shown.insert(name.clone(), value.to_string());
                if let Ok(value) = i64::try_from(value) {
                    constants.whole.set(name, value);
                }
            } else if let Some(value) = floating_value(variable) {
                constants.shown.insert(name, value.to_string());
            }
        }
        constants
    }
}

/// The name as the source's own namespace sees it: `course::kBlocks` is `kBlocks`.
fn own_name(mangled: &str) -> String {
    let name = plain_name(mangled);
    name.rsplit("::").next().unwrap_or(&name).to_owned()
}

fn whole_value(variable: &Variable) -> Option<i128> {
    let value = match (&variable.init, variable.ty) {
        (_, Type::F16 | Type::F32 | Type::F64 | Type::Bf16 | Type::F16x2 | Type::Bf16x2) => return None,
        (Some(Init::Int(value)), _) => *value,
        // A variable without initialiser is zero (PTX 5.4.4).
        (None, _) => 0,
        _ => return None,
    };
    // NVRTC writes `int` as `.u32`; a constant above the signed range is taken for the negative number it spells.
    Some(match variable.ty {
        Type::U32 | Type::S32 | Type::B32 => i128::from(value as i32),
        Type::U64 | Type::S64 | Type::B64 => i128::from(value as i64),
        Type::U16 | Type::S16 | Type::B16 => i128::from(value as i16),
        _ => value,
    })
}

fn floating_value(variable: &Variable) -> Option<f64> {
    match (&variable.init, variable.ty) {
        (Some(Init::F32(bits)), _) => Some(f32::from_bits(*bits).into()),
        (Some(Init::F64(bits)), Type::F32) => Some(f64::from_bits(*bits)),
        (Some(Init::F64(bits)), _) => Some(f64::from_bits(*bits)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ptx::Linkage;

    fn variable(name: &str, ty: Type, init: Option<Init>) -> Variable {
        Variable {
            linkage: Linkage::Internal,
            space: StateSpace::Global,
            align: Some(4),
            vector: None,
            ty,
            name: name.to_owned(),
            dims: Vec::new(),
            init,
            attributes: Vec::new(),
            ptx_line: 0,
        }
    }

    #[test]
    fn reads_whole_numbers_and_leaves_arrays() {
        let mut array = variable("kBlockSizes", Type::B8, None);
        array.dims = vec![Some(8)];
        let module = Module {
            variables: vec![
                variable("kBlocks", Type::U32, Some(Init::Int(8192))),
                variable("kOffset", Type::U32, Some(Init::Int(4_294_967_171))),
                variable("_ZN6course6kElemsE", Type::U64, Some(Init::Int(4_194_915))),
                variable("kZero", Type::U32, None),
                variable("kScale", Type::F32, Some(Init::F32(0x3f00_0000))),
                array,
            ],
            ..Module::default()
        };
        let constants = Constants::read(&module);
        assert_eq!(constants.whole.get("kBlocks"), Some(8192));
        assert_eq!(constants.whole.get("kOffset"), Some(-125));
        assert_eq!(constants.whole.get("kElems"), Some(4_194_915));
        assert_eq!(constants.whole.get("kZero"), Some(0));
        assert_eq!(constants.shown["kScale"], "0.5");
        assert!(!constants.shown.contains_key("kBlockSizes"));
    }

    #[test]
    fn a_probe_wins_over_a_variable_of_the_same_name() {
        let module = Module {
            variables: vec![
                variable("kBlocks", Type::U32, Some(Init::Int(7))),
                variable("warpgrade_value_of_kBlocks", Type::U64, Some(Init::Int(9))),
            ],
            ..Module::default()
        };
        assert_eq!(Constants::read(&module).whole.get("kBlocks"), Some(9));
    }
}
