//! The typed form of a PTX module.
//!
//! The tree is syntactic where PTX is open-ended (an instruction keeps its opcode and its
//! qualifiers as written, because NVRTC versions order them differently: `fence.gpu.sc` in 12.9,
//! `fence.sc.gpu` in 13.5) and typed where it is closed (declarations, state spaces, operands).
//! An instruction that nobody knows still parses: it is the device's business to refuse it, with its line.
//!
//! Source: PTX ISA, chapters "Syntax" and "State Spaces, Types, and Variables".

use std::collections::BTreeMap;

/// A whole PTX translation unit.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Module {
    /// `.version major.minor`.
    pub version: (u32, u32),
    /// `.target` list, e.g. `["sm_75"]`.
    pub targets: Vec<String>,
    /// `.address_size`, 64 in all that NVRTC emits.
    pub address_size: u32,
    /// Module-scope variables, in order.
    pub variables: Vec<Variable>,
    /// Functions (declarations and definitions), in order.
    pub functions: Vec<Function>,
    /// `.file` table: index to path.
    pub files: BTreeMap<u32, String>,
    /// Strings of `.section .debug_str`, by label: the (mangled) names of inlined functions.
    pub debug_strings: BTreeMap<String, String>,
}

/// A state space that a variable can be declared in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StateSpace {
    Reg,
    Sreg,
    Const,
    Global,
    Local,
    Param,
    Shared,
    Tex,
}

/// A fundamental type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    S8,
    S16,
    S32,
    S64,
    U8,
    U16,
    U32,
    U64,
    F16,
    F16x2,
    Bf16,
    Bf16x2,
    F32,
    F64,
    B8,
    B16,
    B32,
    B64,
    B128,
    Pred,
}

impl Type {
    /// Size in bytes; a predicate counts as one.
    pub fn bytes(self) -> u32 {
        match self {
            Type::S8 | Type::U8 | Type::B8 | Type::Pred => 1,
            Type::S16 | Type::U16 | Type::F16 | Type::Bf16 | Type::B16 => 2,
            Type::S32 | Type::U32 | Type::F16x2 | Type::Bf16x2 | Type::F32 | Type::B32 => 4,
            Type::S64 | Type::U64 | Type::F64 | Type::B64 => 8,
            Type::B128 => 16,
        }
    }
}

/// Who can see a name from outside the module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Linkage {
    /// No directive: local to the module.
    #[default]
    Internal,
    Visible,
    Extern,
    Weak,
    Common,
}

/// A declared variable: `.global .align 4 .u32 kBlocks = 1024;`.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    pub linkage: Linkage,
    pub space: StateSpace,
    /// `.align`, in bytes, where written.
    pub align: Option<u32>,
    /// `.v2` / `.v4`.
    pub vector: Option<u8>,
    pub ty: Type,
    pub name: String,
    /// Array dimensions, outermost first; `None` is the empty dimension of `extern __shared__ t[]`.
    pub dims: Vec<Option<u64>>,
    pub init: Option<Init>,
    /// `attribute(.managed)`, `ptr .global .align 8` and the like, as written, without the first dot.
    pub attributes: Vec<String>,
    /// Line of the declaration in the PTX text, 1-based; 0 when synthesised.
    pub ptx_line: u32,
}

/// A variable's initialiser.
#[derive(Debug, Clone, PartialEq)]
pub enum Init {
    /// Integers of any width and sign, e.g. `-125`.
    Int(i128),
    /// A floating literal, as its bits: `0f3F800000`, `0d...`, or decimal.
    F32(u32),
    F64(u64),
    /// A symbol's address plus a byte offset; `generic` for `generic(sym)`, `byte` for `0xFF(sym)` masks.
    Symbol {
        name: String,
        offset: i64,
        generic: bool,
        mask: Option<u64>,
    },
    List(Vec<Init>),
}

/// Kernel (`.entry`) or device function (`.func`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FunctionKind {
    Entry,
    Device,
}

/// A function, declared or defined.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    pub linkage: Linkage,
    pub kind: FunctionKind,
    /// The name as in PTX, i.e. mangled.
    pub name: String,
    /// `.func (…results…) name(…params…)`.
    pub results: Vec<Variable>,
    pub params: Vec<Variable>,
    /// Performance and ABI directives: `.maxntid 256, 1, 1`, `.minnctapersm 2`, `.noreturn`, …
    pub directives: Vec<Directive>,
    /// `None` for a declaration (`.extern .func vprintf`).
    pub body: Option<Vec<Statement>>,
    pub ptx_line: u32,
}

/// A function directive with its values.
#[derive(Debug, Clone, PartialEq)]
pub struct Directive {
    /// Without the dot.
    pub name: String,
    pub values: Vec<i64>,
}

/// One statement of a function's body, in order.
#[derive(Debug, Clone, PartialEq)]
pub enum Statement {
    Label(String),
    Instruction(Instruction),
    /// `.reg .b32 %r<12>;` or `.reg .pred p, q;`
    Registers {
        ty: Type,
        vector: Option<u8>,
        names: Vec<RegisterName>,
    },
    /// A `.local`, `.shared` or `.param` variable declared inside the body.
    Variable(Variable),
    /// A nested `{ … }` scope: its registers and labels are its own.
    Block(Vec<Statement>),
    Loc(Loc),
    Pragma(String),
    /// `name: .branchtargets L1, L2;` (for `brx.idx`).
    BranchTargets {
        name: String,
        labels: Vec<String>,
    },
    /// `name: .callprototype (…) _ (…);` (for indirect calls).
    CallPrototype {
        name: String,
        results: Vec<Variable>,
        params: Vec<Variable>,
    },
    /// `name: .calltargets f, g;`.
    CallTargets {
        name: String,
        functions: Vec<String>,
    },
}

/// One declared register name, or a numbered family: `%r<12>` is `%r0 … %r11`.
#[derive(Debug, Clone, PartialEq)]
pub struct RegisterName {
    pub name: String,
    pub count: Option<u32>,
}

/// `.loc file line column[, function_name L, inlined_at file line column]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loc {
    pub file: u32,
    pub line: u32,
    pub column: u32,
    pub inlined: Option<InlinedAt>,
}

/// Where the function of this location was inlined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InlinedAt {
    /// Label into [`Module::debug_strings`], plus a byte offset (`$L__info_string0+12`).
    pub function: String,
    pub function_offset: u32,
    pub file: u32,
    pub line: u32,
    pub column: u32,
}

/// One instruction.
#[derive(Debug, Clone, PartialEq)]
pub struct Instruction {
    /// `@%p1` / `@!%p1`.
    pub predicate: Option<Predicate>,
    /// `ld`, `atom`, `bar`, …: what stands before the first dot.
    pub opcode: String,
    /// What follows, split at the dots, in the order written: `["global", "add", "u32"]`.
    /// `::` stays inside a qualifier (`shared::cta`).
    pub qualifiers: Vec<String>,
    pub operands: Vec<Operand>,
    /// Line in the PTX text, 1-based; 0 when synthesised.
    pub ptx_line: u32,
}

impl Instruction {
    /// Whether a qualifier stands anywhere in the mnemonic.
    pub fn has(&self, qualifier: &str) -> bool {
        self.qualifiers.iter().any(|q| q == qualifier)
    }

    /// The mnemonic as written: `atom.global.add.u32`.
    pub fn mnemonic(&self) -> String {
        let mut out = self.opcode.clone();
        for qualifier in &self.qualifiers {
            out.push('.');
            out.push_str(qualifier);
        }
        out
    }
}

/// An instruction's guard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Predicate {
    pub negated: bool,
    pub register: String,
}

/// An instruction's operand.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// A register, special register (`%tid.x`), variable, label or function: which one only the scope tells.
    /// `sym+4` outside brackets carries its offset.
    Name {
        name: String,
        offset: i64,
    },
    /// `!%p`.
    Not(String),
    /// An integer literal; `U` suffix and radix are not kept, the sign is.
    Int(i128),
    /// `0f…` (bits) and `0d…` (bits); decimal floats are `F64`.
    F32(u32),
    F64(u64),
    /// `[%rd1+8]`, `[sym+4]`, `[16]`.
    Address {
        base: AddressBase,
        offset: i64,
    },
    /// `[tensor, {%r1, %r2}]`: texture and tensor coordinates, and the like.
    Coordinates(Vec<Operand>),
    /// `{%r1, %r2}`.
    Vector(Vec<Operand>),
    /// `%r1|%p1`.
    Pair(Box<Operand>, Box<Operand>),
    /// `(a, b)` of a call.
    List(Vec<Operand>),
    /// `_`.
    Sink,
}

/// What an address is relative to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AddressBase {
    /// A register or a variable.
    Name(String),
    /// An absolute address, wholly in the offset.
    Absolute,
}
