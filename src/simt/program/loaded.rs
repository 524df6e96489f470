//! The program as the rest of the grader sees it.

use std::sync::Arc;

use super::constants::{Constant, constant};
use super::image::Image;
use super::tables::{Tables, element_bytes};
use crate::ptx::{Frame, Module, Variable, plain_name};
use crate::simt::code::{Function, Instr, Op};
use crate::simt::decode::{self, LoadError};
use crate::simt::event::Site;
use crate::simt::memory::GlobalMemory;

/// A decoded module.
#[derive(Debug)]
pub struct Program {
    pub(in crate::simt) code: Vec<Instr>,
    pub(in crate::simt) functions: Vec<Function>,
    pub(in crate::simt) tables: Tables,
    kernels: Vec<Kernel>,
}

/// A kernel (`.entry`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kernel {
    /// The PTX name.
    pub name: String,
    pub(in crate::simt) function: u32,
    pub parameters: Vec<Parameter>,
    /// Bytes of statically declared shared memory.
    pub static_shared: u32,
    /// Where `extern __shared__` memory begins.
    pub dynamic_start: u32,
    /// Named shared variables that the kernel can reach, by offset.
    pub shared: Vec<SharedVariable>,
    /// Functions that it can reach, itself included.
    pub(in crate::simt) reached: Vec<u32>,
    /// From `__launch_bounds__`.
    pub max_threads: Option<u32>,
}

/// A kernel's parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    pub offset: u32,
    pub bytes: u32,
    pub align: u32,
}

/// A `__shared__` variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedVariable {
    /// As in the source: `tile`.
    pub name: String,
    pub offset: u32,
    pub bytes: u32,
    /// Bytes of one element, as well as it can be told.
    pub element: u32,
}

impl SharedVariable {
    pub(in crate::simt) fn declared(variable: &Variable, offset: u32, bytes: u32) -> Self {
        SharedVariable {
            name: plain_name(&variable.name),
            offset,
            bytes,
            element: element_bytes(variable, bytes),
        }
    }
}

/// Where an instruction comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourcePos {
    /// Innermost first: the line itself, then the call sites it was inlined at. Never empty.
    pub frames: Vec<Frame>,
}

impl SourcePos {
    pub fn file(&self) -> &str {
        &self.frames[0].file
    }

    pub fn line(&self) -> u32 {
        self.frames[0].line
    }

    pub fn column(&self) -> u32 {
        self.frames[0].column
    }
}

impl Program {
    /// Decodes a module. Instructions that the device does not execute fault only when they are reached.
    pub fn load(module: &Module) -> Result<Program, LoadError> {
        decode::load(module)
    }

    pub(in crate::simt) fn assemble(
        code: Vec<Instr>,
        functions: Vec<Function>,
        kernels: Vec<Kernel>,
        tables: Tables,
    ) -> Program {
        Program { code, functions, tables, kernels }
    }

    /// Number of sites.
    pub fn sites(&self) -> u32 {
        self.code.len() as u32
    }

    pub fn kernels(&self) -> &[Kernel] {
        &self.kernels
    }

    /// A kernel by its PTX name.
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.kernels.iter().find(|k| k.name == name)
    }

    /// The source position of an instruction, where the line table has one. Compiler-made code says line 0;
    /// the nearest earlier real line of the same function is given for it.
    pub fn source(&self, site: Site) -> Option<SourcePos> {
        let function = self.functions.iter().find(|f| f.defined && (f.entry..f.end).contains(&site))?;
        let mut fallback = None;
        for at in (function.entry..=site).rev() {
            let note = self.tables.notes.get(at as usize)?;
            let Some(frames) = self.tables.locations.get(note.location as usize) else { break };
            let Some(first) = frames.first() else { continue };
            if first.line != 0 {
                return Some(SourcePos { frames: frames.clone() });
            }
            fallback.get_or_insert_with(|| frames.clone());
        }
        fallback.map(|frames| SourcePos { frames })
    }

    /// The PTX text of an instruction.
    pub fn text(&self, site: Site) -> &str {
        let text = self.tables.notes.get(site as usize).map_or(u32::MAX, |n| n.text);
        self.tables.texts.get(text as usize).map_or("", String::as_str)
    }

    /// The PTX name of the function that holds a site.
    pub fn function(&self, site: Site) -> Option<&str> {
        let holds = |f: &&Function| f.defined && (f.entry..f.end).contains(&site);
        self.functions.iter().find(holds).map(|f| f.name.as_str())
    }

    /// The initial value of a scalar module variable, by PTX name or by the source's: `constexpr int kBlocks`.
    pub fn constant(&self, name: &str) -> Option<Constant> {
        let variables = &self.tables.variables;
        let variable = variables
            .iter()
            .find(|v| v.name == name)
            .or_else(|| variables.iter().find(|v| v.plain == name))?;
        constant(variable)
    }

    /// Whether a kernel can reach an instruction whose mnemonic has all the given parts (`["atom", "add"]`).
    pub fn uses(&self, kernel: &str, parts: &[&str]) -> bool {
        let Some(kernel) = self.kernel(kernel) else { return false };
        kernel.reached.iter().filter_map(|&f| self.functions.get(f as usize)).any(|f| {
            (f.entry..f.end).any(|site| {
                let mut words = self.text(site).split_whitespace();
                let mnemonic = words.find(|word| !word.starts_with('@')).unwrap_or("").trim_end_matches(';');
                parts.iter().all(|part| mnemonic.split('.').any(|q| q == *part))
            })
        })
    }

    /// Sites that a kernel can reach and the device does not execute.
    pub fn unsupported(&self, kernel: &str) -> Vec<Site> {
        let Some(kernel) = self.kernel(kernel) else { return Vec::new() };
        let functions = kernel.reached.iter().filter_map(|&f| self.functions.get(f as usize));
        functions
            .flat_map(|f| f.entry..f.end)
            .filter(|&site| self.code[site as usize].op == Op::Unsupported)
            .collect()
    }

    /// Allocates and initialises the module's variables in a memory.
    pub fn instantiate(self: &Arc<Self>, memory: &mut GlobalMemory) -> Image {
        Image::new(Arc::clone(self), memory)
    }
}
