//! A function's body, statement by statement.
//!
//! A body is decoded twice: the first pass numbers every PTX register and notes what each instruction reads
//! and writes, the second uses the compact numbering that [`super::allocate`] made of it.

use std::collections::HashMap;

use super::allocate::{Mapping, Node};
use super::scope::{Class, Named, Register, Scopes};
use crate::ptx::{Function as PtxFunction, Instruction, SourceLines, StateSpace, Statement, Type, Variable};
use crate::simt::code::{Function, Instr, NO_GUARD, Op, Place, Reg};
use crate::simt::program::{Note, SharedVariable, Tables};

/// The device does not execute this instruction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Refused;
pub(super) type Done = Result<(), Refused>;

/// Module-scope names.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    /// Global and constant variables, by index.
    pub variables: HashMap<String, usize>,
    /// Module-scope shared variables, by offset.
    pub shared: HashMap<String, u32>,
    pub dynamic_shared: HashMap<String, u32>,
    pub functions: HashMap<String, u32>,
}

/// A body while it is decoded.
pub(super) struct Body<'m> {
    pub symbols: &'m Symbols,
    pub tables: &'m mut Tables,
    pub kernel: bool,
    pub scopes: Scopes,
    pub code: Vec<Instr>,
    pub notes: Vec<Note>,
    pub nodes: Vec<Node>,
    pub mapping: Option<&'m Mapping>,
    /// Positions of labels, by label number.
    pub labels: Vec<Option<u32>>,
    /// Lists of labels for indexed branches, local to the body.
    pub target_lists: Vec<Vec<u32>>,
    pub frame: u32,
    pub shared_end: u32,
    pub shared: Vec<SharedVariable>,
    pub callees: Vec<u32>,
    pub indirect_calls: bool,
    pub uses_common_shared: bool,
    pub guard: u32,
    pub cc: Option<Register>,
    location: u32,
    lines: SourceLines<'m>,
}

impl<'m> Body<'m> {
    pub fn new(
        symbols: &'m Symbols,
        tables: &'m mut Tables,
        kernel: bool,
        shared_start: u32,
        mapping: Option<&'m Mapping>,
        lines: SourceLines<'m>,
    ) -> Self {
        Body {
            symbols,
            tables,
            kernel,
            scopes: Scopes::default(),
            code: Vec::new(),
            notes: Vec::new(),
            nodes: Vec::new(),
            mapping,
            labels: Vec::new(),
            target_lists: Vec::new(),
            frame: 0,
            shared_end: shared_start,
            shared: Vec::new(),
            callees: Vec::new(),
            indirect_calls: false,
            uses_common_shared: false,
            guard: NO_GUARD,
            cc: None,
            location: u32::MAX,
            lines,
        }
    }

    /// Decodes the whole function; `code` and the rest hold the outcome.
    pub fn function(&mut self, function: &'m PtxFunction, offset: u32) -> Function {
        self.scopes.enter();
        let mut result = Function { name: function.name.clone(), entry: offset, ..Default::default() };
        if self.kernel {
            let mut at = 0;
            for param in &function.params {
                let (bytes, align) = extent(param);
                at = align_up(at, align);
                self.scopes.declare(&param.name, Named::Param { offset: at });
                result.params.push(Place::Frame { offset: at, bytes });
                at = at.saturating_add(bytes);
            }
        } else {
            result.params = function.params.iter().map(|p| self.formal(p)).collect();
            result.results = function.results.iter().map(|p| self.formal(p)).collect();
        }
        if let Some(body) = &function.body {
            result.defined = true;
            self.statements(body);
            // Falling off the end returns.
            self.begin_node();
            self.guard = NO_GUARD;
            self.emit(Op::Ret, 0, 0, 0, 0, 0);
            self.end_node("ret".to_owned());
        }
        self.scopes.leave();
        self.resolve_labels(offset);
        let counts = self.mapping.map_or(self.scopes.counts, |m| m.counts);
        result.preds = counts[0].max(1);
        result.rows32 = counts[1].max(1);
        result.rows64 = counts[2].max(1);
        result.frame_bytes = align_up(self.frame, 16);
        result.end = offset + self.code.len() as u32;
        result
    }

    /// A device function's parameter or result: a register, or a place in the frame.
    fn formal(&mut self, variable: &Variable) -> Place {
        if variable.space == StateSpace::Reg {
            let register = self.scopes.fresh(variable.ty);
            self.scopes.declare(&variable.name, Named::Register(register));
            // Written by the caller, read by results: live throughout.
            self.begin_node();
            let reg = self.write(register);
            self.end_empty_node();
            return place_of(register, reg);
        }
        let (offset, bytes) = self.frame_variable(variable);
        Place::Frame { offset, bytes }
    }

    fn frame_variable(&mut self, variable: &Variable) -> (u32, u32) {
        let (bytes, align) = extent(variable);
        self.frame = align_up(self.frame, align);
        let offset = self.frame;
        self.frame = self.frame.saturating_add(bytes);
        self.scopes.declare(&variable.name, Named::Frame { offset, bytes });
        (offset, bytes)
    }

    fn statements(&mut self, statements: &'m [Statement]) {
        // Labels and lists first: a branch may go forward.
        for statement in statements {
            if let Statement::Label(name) = statement {
                let number = self.labels.len() as u32;
                self.labels.push(None);
                self.scopes.declare(name, Named::Label(number));
            }
        }
        for statement in statements {
            match statement {
                Statement::BranchTargets { name, labels } => {
                    let list = labels
                        .iter()
                        .filter_map(|l| match self.scopes.find(l) {
                            Some(Named::Label(number)) => Some(number),
                            _ => None,
                        })
                        .collect();
                    let number = self.target_lists.len() as u32;
                    self.target_lists.push(list);
                    self.scopes.declare(name, Named::Targets(number));
                }
                Statement::CallPrototype { name, .. } | Statement::CallTargets { name, .. } => {
                    self.scopes.declare(name, Named::Ignored);
                }
                _ => {}
            }
        }
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &'m Statement) {
        match statement {
            Statement::Label(name) => {
                if let Some(Named::Label(number)) = self.scopes.find(name) {
                    self.labels[number as usize] = Some(self.code.len() as u32);
                    self.begin_node();
                    self.end_empty_node();
                    self.nodes.last_mut().expect("a node was just ended").label = Some(number);
                }
            }
            Statement::Registers { ty, vector: _, names } => {
                for register in names {
                    match register.count {
                        Some(count) => self.scopes.family(&register.name, count, *ty),
                        None => {
                            let fresh = self.scopes.fresh(*ty);
                            self.scopes.declare(&register.name, Named::Register(fresh));
                        }
                    }
                }
            }
            Statement::Variable(variable) => self.variable(variable),
            Statement::Block(statements) => {
                self.scopes.enter();
                self.statements(statements);
                self.scopes.leave();
            }
            Statement::Loc(loc) => {
                self.lines.enter(loc);
                self.location = self.tables.locations.len() as u32;
                self.tables.locations.push(self.lines.frames());
            }
            Statement::Instruction(instruction) => self.instruction(instruction),
            _ => {}
        }
    }

    fn variable(&mut self, variable: &Variable) {
        if variable.space == StateSpace::Shared {
            let (bytes, align) = extent(variable);
            self.shared_end = align_up(self.shared_end, align);
            let offset = self.shared_end;
            self.shared_end = self.shared_end.saturating_add(bytes);
            self.scopes.declare(&variable.name, Named::Shared { offset });
            self.shared.push(SharedVariable::declared(variable, offset, bytes));
        } else {
            self.frame_variable(variable);
        }
    }

    fn instruction(&mut self, ins: &Instruction) {
        self.begin_node();
        let start = self.code.len();
        self.guard = NO_GUARD;
        let mut refused = false;
        if let Some(predicate) = &ins.predicate {
            match self.scopes.find(&predicate.register) {
                Some(Named::Register(register)) if register.class == Class::Pred => {
                    self.guard = self.read(register) << 1 | u32::from(predicate.negated);
                }
                _ => refused = true,
            }
        }
        if refused || self.decode(ins).is_err() {
            self.code.truncate(start);
            self.emit(Op::Unsupported, 0, 0, 0, 0, 0);
        } else if self.code.len() == start {
            self.emit(Op::Nop, 0, 0, 0, 0, 0);
        }
        self.end_node(ins.to_string());
    }

    /// Chooses the file that knows the opcode.
    fn decode(&mut self, ins: &Instruction) -> Done {
        match ins.opcode.as_str() {
            "bra" | "brx" | "call" | "ret" | "exit" | "trap" | "brkpt" | "bar" | "barrier" | "membar"
            | "fence" | "nanosleep" | "pmevent" | "setmaxnreg" | "griddepcontrol" => self.control(ins),
            "ld" | "ldu" | "st" | "cvta" | "isspacep" | "prefetch" | "prefetchu" | "discard"
            | "applypriority" | "createpolicy" | "cp" => self.memory(ins),
            "atom" | "red" => self.atomic(ins),
            "shfl" | "vote" | "match" | "redux" | "activemask" | "elect" => self.collective(ins),
            "cvt" => self.convert(ins),
            "mov" => self.mov(ins),
            _ => {
                if self.float(ins)? {
                    return Ok(());
                }
                self.arithmetic(ins)
            }
        }
    }

    /// The nodes that end in a block barrier.
    pub fn barriers(&self) -> Vec<usize> {
        let is_barrier =
            |node: &Node| node.end > node.first && self.code[node.end as usize - 1].op == Op::Barrier;
        (0..self.nodes.len()).filter(|&n| is_barrier(&self.nodes[n])).collect()
    }

    pub fn emit(&mut self, op: Op, d: Reg, a: Reg, b: Reg, c: Reg, imm: i64) {
        self.code.push(Instr { op, guard: self.guard, d, a, b, c, imm });
    }

    fn begin_node(&mut self) {
        self.nodes.push(Node { first: self.code.len() as u32, ..Node::default() });
    }

    fn end_empty_node(&mut self) {
        let end = self.code.len() as u32;
        if let Some(node) = self.nodes.last_mut() {
            node.end = end;
        }
    }

    fn end_node(&mut self, text: String) {
        let start = self.nodes.last().map_or(0, |n| n.first as usize);
        let guarded = self.guard != NO_GUARD;
        self.tables.texts.push(text);
        let text = self.tables.texts.len() as u32 - 1;
        for _ in start..self.code.len() {
            self.notes.push(Note { text, location: self.location });
        }
        self.end_empty_node();
        let last = self.code.last().copied();
        let node = self.nodes.last_mut().expect("a node is open");
        node.guarded = guarded;
        if let Some(last) = last {
            match last.op {
                Op::Bra => node.targets = vec![last.imm as u32],
                Op::BraIndexed => node.targets = self.target_lists[last.imm as usize].clone(),
                _ => {}
            }
            node.falls_through =
                guarded || !matches!(last.op, Op::Bra | Op::BraIndexed | Op::Ret | Op::Exit | Op::Trap);
        }
    }

    fn map(&self, register: Register) -> Reg {
        match self.mapping {
            Some(mapping) => mapping.physical(register),
            None => register.number,
        }
    }

    /// Notes that the current instruction reads a register; its number.
    pub fn read(&mut self, register: Register) -> Reg {
        if let Some(node) = self.nodes.last_mut() {
            node.reads.push(register);
        }
        self.map(register)
    }

    /// Notes that the current instruction writes a register; its number.
    pub fn write(&mut self, register: Register) -> Reg {
        if let Some(node) = self.nodes.last_mut() {
            node.writes.push(register);
        }
        self.map(register)
    }

    /// A register for one instruction's own use.
    pub fn temp(&mut self, ty: Type) -> Reg {
        let register = self.scopes.fresh(ty);
        self.write(register)
    }

    fn resolve_labels(&mut self, offset: u32) {
        let position = |label: u32, labels: &[Option<u32>]| {
            labels[label as usize].expect("a declared label has a place")
        };
        let first_list = self.tables.targets.len() as i64;
        for list in &self.target_lists {
            let list = list.iter().map(|&l| position(l, &self.labels) + offset).collect();
            self.tables.targets.push(list);
        }
        for instr in &mut self.code {
            match instr.op {
                Op::Bra => instr.imm = i64::from(position(instr.imm as u32, &self.labels) + offset),
                Op::BraIndexed => instr.imm += first_list,
                _ => {}
            }
        }
    }
}

pub(super) fn place_of(register: Register, reg: Reg) -> Place {
    match register.class {
        Class::Pred => Place::Pred(reg),
        Class::W32 => Place::Row32(reg),
        _ => Place::Row64(reg),
    }
}

/// Size and alignment of a variable in bytes.
pub(super) fn extent(variable: &Variable) -> (u32, u32) {
    let element = variable.ty.bytes() * u32::from(variable.vector.unwrap_or(1));
    let count = variable.dims.iter().fold(1u64, |n, d| n.saturating_mul(d.unwrap_or(0)));
    let bytes = u64::from(element).saturating_mul(count);
    (bytes.min(u64::from(u32::MAX)) as u32, variable.align.unwrap_or(element).clamp(1, MOST_ALIGN))
}

/// The largest alignment that is kept; NVRTC writes 16 at most, and inline assembly anything.
const MOST_ALIGN: u32 = 4096;

/// Sums of sizes stay at the top of what they can count: no launch has as much, so none begins.
pub(super) fn align_up(value: u32, align: u32) -> u32 {
    value.checked_next_multiple_of(align.max(1)).unwrap_or(u32::MAX)
}
