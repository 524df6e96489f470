//! A whole module: lays out variables, decodes every function, collects the kernels.

use std::collections::HashMap;

use super::allocate::allocate;
use super::body::{Body, Symbols, align_up, extent};
use crate::ptx::{FunctionKind, Linkage, Module, Operand, SourceLines, StateSpace, Statement, plain_name};
use crate::simt::code::Place;
use crate::simt::program::{Kernel, ModuleVariable, Parameter, Program, SharedVariable, Tables};

/// Why a module cannot be loaded at all. Single instructions that the device does not know never cause it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    #[error("the module uses {0}-bit addresses; the device has 64-bit ones")]
    AddressSize(u32),
    #[error("the program's variables take more than the {} that the device has for them; `{name}` is one of them", megabytes(*most))]
    TooLarge { name: String, most: u32 },
}

/// Most bytes of all variables in global and constant memory, and of those in shared memory.
const MOST_GLOBAL: u32 = 64 << 20;
const MOST_SHARED: u32 = 1 << 20;

fn megabytes(bytes: u32) -> String {
    format!("{} MB", bytes >> 20)
}

/// Adds a variable's bytes to those before it.
fn grown(end: u32, bytes: u32, most: u32, name: &str) -> Result<u32, LoadError> {
    let end = end.checked_add(bytes).filter(|end| *end <= most);
    end.ok_or_else(|| LoadError::TooLarge { name: plain_name(name), most })
}

/// What is known of a function once decoded, to find what a kernel reaches.
struct Reach {
    callees: Vec<u32>,
    indirect: bool,
    common_shared: bool,
    shared: Vec<SharedVariable>,
}

pub(in crate::simt) fn load(module: &Module) -> Result<Program, LoadError> {
    if module.address_size != 64 && module.address_size != 0 {
        return Err(LoadError::AddressSize(module.address_size));
    }
    let mut symbols = Symbols::default();
    let mut tables = Tables::default();
    let (common, common_end) = module_variables(module, &mut symbols, &mut tables)?;
    for function in &module.functions {
        let next = symbols.functions.len() as u32;
        symbols.functions.entry(function.name.clone()).or_insert(next);
    }
    let mut functions = vec![Default::default(); symbols.functions.len()];
    let mut reaches: HashMap<u32, Reach> = HashMap::new();
    let mut program_code = Vec::new();
    // Shared variables of device functions follow the module's; each kernel's own start after them all.
    let mut device_shared_end = common_end;
    let mut kernels = Vec::new();
    let (entries, devices): (Vec<_>, Vec<_>) =
        module.functions.iter().partition(|f| f.kind == FunctionKind::Entry);
    for function in devices.into_iter().chain(entries) {
        let index = symbols.functions[&function.name];
        let kernel = function.kind == FunctionKind::Entry;
        if function.body.is_none() {
            let known: &mut crate::simt::code::Function = &mut functions[index as usize];
            if known.name.is_empty() {
                known.name = function.name.clone();
            }
            continue;
        }
        let offset = program_code.len() as u32;
        let lengths = tables.lengths();
        let mut first = Body::new(
            &symbols,
            &mut tables,
            kernel,
            device_shared_end,
            None,
            SourceLines::new(module, function),
        );
        first.function(function, offset);
        let mut mapping = allocate(&first.nodes, first.scopes.counts, &first.scopes.pairs, &first.barriers());
        let live_after = std::mem::take(&mut mapping.live_after);
        tables.truncate(lengths);
        let mut body = Body::new(
            &symbols,
            &mut tables,
            kernel,
            device_shared_end,
            Some(&mapping),
            SourceLines::new(module, function),
        );
        let decoded = body.function(function, offset);
        let reach = Reach {
            callees: std::mem::take(&mut body.callees),
            indirect: body.indirect_calls,
            common_shared: body.uses_common_shared,
            shared: std::mem::take(&mut body.shared),
        };
        let last = |node: usize| offset + body.nodes[node].end - 1;
        let live: Vec<_> = live_after.into_iter().map(|(node, live)| (last(node), live)).collect();
        let shared_end = body.shared_end;
        program_code.append(&mut body.code);
        let mut notes = std::mem::take(&mut body.notes);
        tables.notes.append(&mut notes);
        tables.live_after.extend(live);
        if kernel {
            kernels.push((function, index, shared_end));
        } else {
            device_shared_end = shared_end;
        }
        functions[index as usize] = decoded;
        reaches.insert(index, reach);
    }
    let kernels = kernels
        .into_iter()
        .map(|(function, index, shared_end)| {
            let reached = reachable(index, &reaches);
            let any_indirect = reached.iter().any(|f| reaches.get(f).is_some_and(|r| r.indirect));
            let mut shared = Vec::new();
            if any_indirect || reached.iter().any(|f| reaches.get(f).is_some_and(|r| r.common_shared)) {
                shared.extend(common.iter().cloned());
            }
            for function in &reached {
                if let Some(reach) = reaches.get(function) {
                    shared.extend(reach.shared.iter().cloned());
                }
            }
            if any_indirect {
                for (f, reach) in &reaches {
                    if !reached.contains(f) && !functions[*f as usize].name.is_empty() {
                        shared.extend(reach.shared.iter().filter(|v| v.offset < device_shared_end).cloned());
                    }
                }
            }
            shared.sort_by_key(|v| v.offset);
            shared.dedup_by_key(|v| v.offset);
            let static_shared = if shared.is_empty() { 0 } else { shared_end };
            let places = &functions[index as usize].params;
            let parameters = function
                .params
                .iter()
                .zip(places)
                .map(|(variable, place)| {
                    let (offset, bytes) = match place {
                        Place::Frame { offset, bytes } => (*offset, *bytes),
                        _ => (0, 0),
                    };
                    Parameter { offset, bytes, align: extent(variable).1 }
                })
                .collect();
            let dynamic_align = symbols.dynamic_shared.values().copied().max().unwrap_or(16).max(16);
            let mut reached: Vec<u32> = reached;
            reached.sort_unstable();
            let max_threads = function
                .directives
                .iter()
                .find(|d| d.name == "maxntid" || d.name == "reqntid")
                .map(|d| d.values.iter().map(|&v| v.clamp(1, 1024) as u32).product());
            Kernel {
                name: function.name.clone(),
                function: index,
                parameters,
                static_shared,
                dynamic_start: align_up(static_shared, dynamic_align),
                shared,
                reached,
                max_threads,
            }
        })
        .collect();
    Ok(Program::assemble(program_code, functions, kernels, tables))
}

/// Functions that a call from `start` can reach by direct calls and taken addresses.
fn reachable(start: u32, reaches: &HashMap<u32, Reach>) -> Vec<u32> {
    let mut seen = vec![start];
    let mut next = 0;
    while next < seen.len() {
        if let Some(reach) = reaches.get(&seen[next]) {
            for &callee in &reach.callees {
                if !seen.contains(&callee) {
                    seen.push(callee);
                }
            }
        }
        next += 1;
    }
    seen
}

/// Module-scope variables: global and constant ones get an index, shared ones an offset.
fn module_variables(
    module: &Module,
    symbols: &mut Symbols,
    tables: &mut Tables,
) -> Result<(Vec<SharedVariable>, u32), LoadError> {
    let mut shared = Vec::new();
    let mut end = 0;
    let mut global = 0;
    for variable in &module.variables {
        let (bytes, align) = extent(variable);
        match variable.space {
            StateSpace::Shared => {
                let open = variable.linkage == Linkage::Extern || variable.dims.contains(&None);
                if open {
                    symbols.dynamic_shared.insert(variable.name.clone(), align);
                } else {
                    end = align_up(end, align);
                    symbols.shared.insert(variable.name.clone(), end);
                    shared.push(SharedVariable::declared(variable, end, bytes));
                    end = grown(end, bytes, MOST_SHARED, &variable.name)?;
                }
            }
            StateSpace::Global | StateSpace::Const => {
                global = grown(global, bytes, MOST_GLOBAL, &variable.name)?;
                symbols.variables.insert(variable.name.clone(), tables.variables.len());
                tables.variables.push(ModuleVariable::declared(variable, bytes));
            }
            _ => {}
        }
    }
    if module.functions.iter().any(|f| f.body.as_ref().is_some_and(|body| reads_grid_workspace(body))) {
        tables.variables.push(ModuleVariable::grid_workspace());
    }
    Ok((shared, end))
}

/// Whether the driver's grid workspace is asked for: its address is in `%envreg1` and `%envreg2`.
fn reads_grid_workspace(body: &[Statement]) -> bool {
    body.iter().any(|statement| {
        match statement {
        Statement::Block(inner) => reads_grid_workspace(inner),
        Statement::Instruction(instruction) => instruction.operands.iter().any(|operand| {
            matches!(operand, Operand::Name { name, .. } if name == "%envreg1" || name == "%envreg2")
        }),
        _ => false,
    }
    })
}
