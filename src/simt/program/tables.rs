//! Side tables that instructions index, and module variables.

use std::collections::HashMap;

use super::pool::Pool;
use crate::ptx::{Frame, Init, StateSpace, Type, Variable, plain_name};
use crate::simt::code::{Access, Atomic, Barrier, CallSite, Collective, Live};

/// What is known of one site.
#[derive(Debug, Clone, Copy)]
pub(in crate::simt) struct Note {
    /// Index of the PTX text.
    pub text: u32,
    /// Index of the source position, or `u32::MAX`.
    pub location: u32,
}

#[derive(Debug, Default)]
pub(in crate::simt) struct Tables {
    pub pool: Pool,
    pub accesses: Vec<Access>,
    pub atomics: Vec<Atomic>,
    pub barriers: Vec<Barrier>,
    pub collectives: Vec<Collective>,
    pub calls: Vec<CallSite>,
    /// `brx.idx` targets, by list.
    pub targets: Vec<Vec<u32>>,
    pub texts: Vec<String>,
    /// Source positions, innermost frame first.
    pub locations: Vec<Vec<Frame>>,
    pub notes: Vec<Note>,
    /// By the site of a barrier, what is live after it.
    pub live_after: HashMap<u32, Live>,
    pub variables: Vec<ModuleVariable>,
}

impl Tables {
    /// Lengths of what a decoding pass appends to.
    pub fn lengths(&self) -> [usize; 8] {
        [
            self.accesses.len(),
            self.atomics.len(),
            self.barriers.len(),
            self.collectives.len(),
            self.calls.len(),
            self.targets.len(),
            self.texts.len(),
            self.locations.len(),
        ]
    }

    /// Undoes a pass.
    pub fn truncate(&mut self, lengths: [usize; 8]) {
        self.accesses.truncate(lengths[0]);
        self.atomics.truncate(lengths[1]);
        self.barriers.truncate(lengths[2]);
        self.collectives.truncate(lengths[3]);
        self.calls.truncate(lengths[4]);
        self.targets.truncate(lengths[5]);
        self.texts.truncate(lengths[6]);
        self.locations.truncate(lengths[7]);
    }
}

/// A `.global` or `.const` variable of the module.
#[derive(Debug, Clone)]
pub(in crate::simt) struct ModuleVariable {
    /// As in PTX.
    pub name: String,
    /// As in the source.
    pub plain: String,
    pub ty: Type,
    pub bytes: u32,
    /// Bytes of one element.
    pub element: u32,
    pub constant: bool,
    pub init: Option<Init>,
}

impl ModuleVariable {
    /// Name of [`Self::grid_workspace`], which no program can declare.
    pub const GRID_WORKSPACE: &'static str = "%grid_workspace";

    /// What the driver gives a cooperative launch: two words, of which the second is the grid barrier
    /// (`cooperative_groups/details/driver_abi.h`).
    pub fn grid_workspace() -> Self {
        ModuleVariable {
            name: Self::GRID_WORKSPACE.to_owned(),
            plain: "the grid's barrier".to_owned(),
            ty: Type::U32,
            bytes: 8,
            element: 4,
            constant: false,
            init: None,
        }
    }

    pub fn declared(variable: &Variable, bytes: u32) -> Self {
        ModuleVariable {
            name: variable.name.clone(),
            plain: plain_name(&variable.name),
            ty: variable.ty,
            bytes,
            element: element_bytes(variable, bytes),
            constant: variable.space == StateSpace::Const,
            init: variable.init.clone(),
        }
    }
}

/// The element that a message should count in. NVRTC declares aggregates as bytes, whose alignment is then
/// the best guess at what they hold.
pub(super) fn element_bytes(variable: &Variable, bytes: u32) -> u32 {
    let own = variable.ty.bytes();
    match variable.align {
        Some(align) if own == 1 && align > 1 && align <= 8 && bytes.is_multiple_of(align) => align,
        _ => own,
    }
}
