//! The decoded form of a program: one array of small typed instructions.
//!
//! Registers are numbered within their class (32-bit, 64-bit, predicate) from the running function's
//! frame. A source with [`CONST`] set is a row of the constant pool instead, so that an immediate costs
//! nothing extra while a warp runs.

use super::event::{AtomicForm, FenceOrder, Order, Scope};

/// A register or constant row of the class that the operation implies.
pub(super) type Reg = u32;
/// Marks a row of the constant pool.
pub(super) const CONST: Reg = 1 << 31;
/// The guard that lets every lane through.
pub(super) const NO_GUARD: u32 = u32::MAX;
/// An absent address base.
pub(super) const NO_REG: Reg = u32::MAX;

/// One decoded instruction; its index in the program is its site.
#[derive(Debug, Clone, Copy)]
pub(super) struct Instr {
    pub op: Op,
    /// `register << 1 | negated`, or [`NO_GUARD`].
    pub guard: u32,
    pub d: Reg,
    pub a: Reg,
    pub b: Reg,
    pub c: Reg,
    /// Address offset, branch target, or index into a side table.
    pub imm: i64,
}

/// `setp` comparisons; the `u` forms hold when an operand is NaN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cmp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Equ,
    Neu,
    Ltu,
    Leu,
    Gtu,
    Geu,
    Num,
    Nan,
}

/// What a comparison's operands are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CmpType {
    S16,
    U16,
    S32,
    U32,
    S64,
    U64,
    F32,
    /// Subnormal operands count as zero.
    F32Ftz,
    F64,
    F16,
    Bf16,
}

/// What an instruction does. Its tag is a byte of its own, so that the loop's dispatch is one load and one jump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Op {
    Nop,
    // Moves.
    Mov32,
    Mov64,
    MovP,
    Special32(Special),
    Special64(Special),
    /// Local frame address (`imm` bytes into the frame): as a local-space or a generic address.
    Frame {
        wide: bool,
        generic: bool,
    },
    // 32-bit integers.
    Add32,
    Sub32,
    Mul32,
    Mad32,
    And32,
    Or32,
    Xor32,
    Not32,
    Shl32,
    ShrU32,
    ShrS32,
    MinU32,
    MaxU32,
    MinS32,
    MaxS32,
    MulWideU,
    MulWideS,
    MadWideU,
    MadWideS,
    // 64-bit integers.
    Add64,
    Sub64,
    Mul64,
    Mad64,
    And64,
    Or64,
    Xor64,
    Not64,
    Shl64,
    ShrU64,
    ShrS64,
    // Floating point, round to nearest even, no flush.
    AddF32,
    SubF32,
    MulF32,
    FmaF32,
    AddF64,
    SubF64,
    MulF64,
    FmaF64,
    // Conversions that need no rounding rule.
    ZeroExtend64,
    SignExtend64,
    Truncate32,
    /// Keep the low 8 or 16 bits.
    Low8,
    Low16,
    /// Sign-extend from 8 or 16 bits to 32.
    Sign8,
    Sign16,
    F32FromS32,
    F32FromU32,
    F64FromF32,
    F64FromS32,
    F64FromU32,
    // Comparison and selection.
    Setp(CmpType, Cmp),
    Sel32,
    Sel64,
    AndP,
    OrP,
    XorP,
    NotP,
    /// `d = a & !b` and `d = a | !b`, for the second output of `setp`.
    AndNotP,
    OrNotP,
    XorNotP,
    /// Any other computation, lane by lane.
    Scalar {
        op: Scalar,
        /// Bit 0: 64-bit result; bits 1 to 3: 64-bit a, b, c; bit 4: c is absent; bit 5: b is absent.
        widths: u8,
    },
    /// Add or subtract with carry: carry in (`c`) and carry out (`imm`) are predicate registers.
    Carry {
        wide: bool,
        subtract: bool,
        carry_in: bool,
        carry_out: bool,
    },
    /// The predicate of a per-lane 32-bit value: nonzero.
    NonZero32,
    // Memory. `imm` is the offset, `c` the index of the [`Access`].
    Load,
    LoadGlobal32,
    LoadGlobal64,
    LoadShared32,
    LoadParam32,
    LoadParam64,
    Store,
    StoreGlobal32,
    StoreGlobal64,
    StoreShared32,
    /// `cvta.to`-like checks: which space a generic address is in.
    IsSpace(MemSpace),
    /// Generic address from a space's own, and back.
    ToGeneric(MemSpace),
    FromGeneric(MemSpace),
    // Control.
    Bra,
    /// Everything below is carried out by the grid's side, between runs of the fast loop.
    BraIndexed,
    Call,
    Ret,
    Exit,
    Trap,
    Breakpoint,
    Atomic,
    StrongLoad,
    StrongStore,
    Fence(FenceOrder, Scope),
    Barrier,
    WarpBarrier,
    /// `shfl`, `vote`, `match`, `redux`, `elect`: `imm` is the index of the [`Collective`].
    Collective,
    Activemask,
    /// `nanosleep`: lets others run.
    Pause,
    /// The store before it, with the same operands, was an asynchronous copy's.
    Copying,
    /// `cp.async.commit_group`.
    CommitCopies,
    /// `cp.async.wait_group N` (`imm` is N), `cp.async.wait_all` (`imm` is negative).
    AwaitCopies,
    Unsupported,
}

/// State spaces of an access once decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MemSpace {
    Generic,
    Global,
    Const,
    Shared,
    Local,
    /// The kernel's parameters: the same bytes for every thread.
    Param,
}

/// How one element travels between memory and its register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    U8,
    /// Sign-extended to the given register width.
    S8(u8),
    U16,
    S16(u8),
    U32,
    S32Wide,
    U64,
    /// 128 bits in two consecutive 64-bit rows.
    B128,
}

impl Element {
    pub fn bytes(self) -> u32 {
        match self {
            Element::U8 | Element::S8(_) => 1,
            Element::U16 | Element::S16(_) => 2,
            Element::U32 | Element::S32Wide => 4,
            Element::U64 => 8,
            Element::B128 => 16,
        }
    }
}

/// A load or store in full.
#[derive(Debug, Clone, Copy)]
pub(super) struct Access {
    pub space: MemSpace,
    pub element: Element,
    /// Registers are 64-bit rows.
    pub wide: bool,
    /// The address register is a 32-bit row.
    pub address32: bool,
    pub order: Order,
    pub scope: Scope,
    pub count: u8,
    pub registers: [Reg; 8],
}

impl Access {
    pub fn bytes(&self) -> u32 {
        self.element.bytes() * u32::from(self.count)
    }
}

/// What an atomic computes from the old value `o` and operands `b`, `c`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AtomicOp {
    Add,
    AddF32,
    AddF64,
    AddF16,
    AddBf16,
    AddF16x2,
    AddBf16x2,
    MinU,
    MinS,
    MaxU,
    MaxS,
    /// `min`/`max` of halves, as `red`/`atom` have them.
    MinF16,
    MaxF16,
    MinBf16,
    MaxBf16,
    MinF16x2,
    MaxF16x2,
    MinBf16x2,
    MaxBf16x2,
    Inc,
    Dec,
    And,
    Or,
    Xor,
    Exch,
    Cas,
}

/// An `atom` or `red` in full.
#[derive(Debug, Clone, Copy)]
pub(super) struct Atomic {
    pub op: AtomicOp,
    pub space: MemSpace,
    pub address32: bool,
    /// Bytes of an element: 2, 4, 8 or 16.
    pub bytes: u8,
    /// Elements of a vector form; 1 otherwise.
    pub count: u8,
    pub reduction: bool,
    pub form: AtomicForm,
    pub order: Order,
    pub scope: Scope,
    pub d: [Reg; 8],
    pub b: [Reg; 8],
    pub c: Reg,
}

/// A `bar` or `barrier` in full. Registers are 32-bit rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Barrier {
    pub kind: super::event::BarrierKind,
    pub aligned: bool,
    pub id: Reg,
    pub expected: Option<Reg>,
    /// `bar.red`'s predicate, whether it is negated, and what becomes of it.
    pub predicate: Option<(Reg, bool)>,
    pub reduce: BarrierReduce,
    pub d: Reg,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BarrierReduce {
    None,
    Popc,
    And,
    Or,
}

/// The rows of a frame that may still be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Live {
    pub rows32: Vec<Reg>,
    pub rows64: Vec<Reg>,
    pub preds: Vec<Reg>,
}

/// Warp-wide operations that need the named lanes together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CollectiveOp {
    ShflIdx,
    ShflUp,
    ShflDown,
    ShflBfly,
    VoteAll,
    VoteAny,
    VoteUni,
    VoteBallot,
    MatchAny,
    MatchAll,
    ReduxAdd,
    ReduxMinU,
    ReduxMinS,
    ReduxMaxU,
    ReduxMaxS,
    ReduxAnd,
    ReduxOr,
    ReduxXor,
    ReduxMinF,
    ReduxMaxF,
    Elect,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Collective {
    pub op: CollectiveOp,
    /// 32-bit result, or the predicate result of a vote.
    pub d: Option<Reg>,
    /// Second result: `|p`.
    pub p: Option<Reg>,
    /// The value: a row, or a predicate (with negation) for votes.
    pub a: Reg,
    pub negated: bool,
    pub wide: bool,
    pub b: Reg,
    pub c: Reg,
    /// Member mask row.
    pub members: Reg,
}

/// Special registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Special {
    Tid(u8),
    Ntid(u8),
    Ctaid(u8),
    Nctaid(u8),
    LaneId,
    WarpId,
    NWarpId,
    LaneMaskEq,
    LaneMaskLe,
    LaneMaskLt,
    LaneMaskGe,
    LaneMaskGt,
    Clock,
    ClockHi,
    Clock64,
    GlobalTimer,
    GlobalTimerLo,
    GlobalTimerHi,
    SmId,
    NSmId,
    GridId,
    DynamicSharedSize,
    TotalSharedSize,
    /// Where dynamic shared memory begins (the address of `extern __shared__`), plus `imm`.
    DynamicShared,
    /// Address of what the driver gives a cooperative launch.
    GridWorkspaceLo,
    GridWorkspaceHi,
    Zero,
    One,
}

/// Where a called function's argument or result lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Byte offset in the frame, and size.
    Frame {
        offset: u32,
        bytes: u32,
    },
    Row32(Reg),
    Row64(Reg),
    Pred(Reg),
}

/// A call site.
#[derive(Debug, Clone)]
pub(super) struct CallSite {
    pub target: CallTarget,
    pub arguments: Vec<Place>,
    pub results: Vec<Place>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallTarget {
    Function(u32),
    /// A 64-bit row holding a function's address.
    Indirect(Reg),
    Builtin(Builtin),
}

/// Functions that the CUDA runtime supplies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Builtin {
    Vprintf,
    AssertFail,
    Malloc,
    Free,
}

/// A decoded function.
#[derive(Debug, Clone, Default)]
pub(super) struct Function {
    pub name: String,
    pub entry: u32,
    pub end: u32,
    pub rows32: u32,
    pub rows64: u32,
    pub preds: u32,
    /// Bytes of local memory: depot, parameters and call areas.
    pub frame_bytes: u32,
    pub params: Vec<Place>,
    pub results: Vec<Place>,
    pub defined: bool,
}

pub(super) use super::scalar::Scalar;
