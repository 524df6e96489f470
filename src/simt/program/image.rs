//! A program in a memory: its variables allocated, their addresses known.

use std::sync::Arc;

use super::constants::initial_bytes;
use super::loaded::Program;
use crate::simt::memory::GlobalMemory;
use crate::simt::rows::{Row32, Row64, splat32, splat64};
use crate::simt::space::function_address;

/// A program together with where its module variables lie in one [`GlobalMemory`] (and in its clones).
#[derive(Debug, Clone)]
pub struct Image {
    pub(in crate::simt) program: Arc<Program>,
    pub(in crate::simt) words: Vec<Row32>,
    pub(in crate::simt) doubles: Vec<Row64>,
    /// Address of each module variable.
    addresses: Vec<u64>,
}

impl Image {
    /// Allocates the program's variables in `memory` and initialises them.
    pub fn new(program: Arc<Program>, memory: &mut GlobalMemory) -> Self {
        let variables = &program.tables.variables;
        let addresses: Vec<u64> = variables
            .iter()
            .map(|v| {
                let address = memory.allocate(&v.plain, u64::from(v.bytes), v.element);
                if v.constant {
                    memory.protect(address);
                }
                address
            })
            .collect();
        let mut resolve = |name: &str| {
            if let Some(index) = variables.iter().position(|v| v.name == name) {
                return Some(addresses[index]);
            }
            let function = program.functions.iter().position(|f| f.name == name)?;
            Some(function_address(function as u32))
        };
        for (variable, &address) in variables.iter().zip(&addresses) {
            let bytes = initial_bytes(variable, &mut resolve);
            if let Some(target) = memory.slice_mut(address, u64::from(variable.bytes)) {
                target.copy_from_slice(&bytes);
            }
        }
        let pool = &program.tables.pool;
        let mut doubles: Vec<Row64> = pool.doubles.iter().map(|&v| splat64(v)).collect();
        for &(row, variable, offset) in &pool.addresses {
            doubles[row] = splat64(addresses[variable].wrapping_add_signed(offset));
        }
        let words = pool.words.iter().map(|&v| splat32(v)).collect();
        Image { words, doubles, addresses, program }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Device address of a module variable, by PTX name or by the source's.
    pub fn address(&self, name: &str) -> Option<u64> {
        let variables = &self.program.tables.variables;
        let index = variables
            .iter()
            .position(|v| v.name == name)
            .or_else(|| variables.iter().position(|v| v.plain == name))?;
        Some(self.addresses[index])
    }

    /// Writes every module variable's initial value again, as a fresh load of the module would.
    pub fn reset(&self, memory: &mut GlobalMemory) {
        let variables = &self.program.tables.variables;
        for (variable, &address) in variables.iter().zip(&self.addresses) {
            let bytes = initial_bytes(variable, &mut |name| {
                self.address(name).or_else(|| {
                    let function = self.program.functions.iter().position(|f| f.name == name)?;
                    Some(function_address(function as u32))
                })
            });
            if let Some(target) = memory.slice_mut(address, u64::from(variable.bytes)) {
                target.copy_from_slice(&bytes);
            }
        }
    }
}
