//! An exercise, parsed and validated. Plain data: the rooms above decide what to do with it.

use std::collections::BTreeMap;

pub use super::expression::{Expr, ExprError, Scope};

/// An exercise with everything that grading needs, wherever it came from (embedded in the binary or a folder).
#[derive(Debug, Clone)]
pub struct Exercise {
    pub id: String,
    pub title: String,
    /// One paragraph for `warpgrade start`.
    pub summary: String,
    /// What the student does and hands in, for `warpgrade start`; Markdown.
    pub task: String,
    /// A whole CUDA program: the starter that students edit, and what the grader splices their edits into.
    pub template: TextFile,
    /// The staff's correct program (`reference/<id>/solution.cu`), where there is one. Never embedded in the binary.
    pub solution: Option<TextFile>,
    /// The staff's right answers (`reference/<id>/answers.toml`), which go with the solution and the mutants.
    pub answers: Option<TextFile>,
    /// The serial kernels that compute expected results (`reference/<id>/oracle.cu`).
    pub oracle: Option<TextFile>,
    /// Programs with a known outcome (`reference/<id>/mutants/*.cu`).
    pub mutants: Vec<Mutant>,
    /// Sample submissions that students may see, each with its known outcome.
    pub examples: Vec<Example>,
    /// In order of helpfulness.
    pub hints: Vec<Hint>,
    pub regions: Vec<Region>,
    /// Constants that expressions may name, with the template's values. A running plan takes the values from the
    /// compiled program instead.
    pub constants: BTreeMap<String, i64>,
    pub buffers: Vec<Buffer>,
    pub rows: Vec<RowPlan>,
    pub configurations: Vec<Configuration>,
    /// The same plan on other data and sizes; hidden from students.
    pub instances: Vec<Instance>,
    pub questions: Vec<Question>,
    pub compile: Compile,
    /// Warp instructions that one launch may take on the embedded device; `None` leaves it to the device.
    pub launch_budget: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextFile {
    /// Path as a person would name it: `template.cu`, `mutants/fence-below.cu`.
    pub name: String,
    pub text: String,
}

/// A named piece of the template that a student may change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    pub id: String,
    pub kind: RegionKind,
    /// In a student's words, for messages: `the fenced kernel`.
    pub title: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegionKind {
    /// A `__global__` definition; its signature must match the template's.
    Kernel { name: String },
    /// A `__device__` helper; its signature must match.
    Function { name: String },
    /// A `constexpr` (or `#define`) constant, whose value is read back from the PTX.
    Constant { name: String, min: i64, max: i64 },
    /// The lines between `// snippet: label` and `// end snippet`, inside the kernel named, where it is inside one.
    Snippet { label: String, kernel: Option<String> },
}

/// Element types of buffers and arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ElementType {
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

impl ElementType {
    pub fn bytes(self) -> u32 {
        match self {
            ElementType::I32 | ElementType::U32 | ElementType::F32 => 4,
            ElementType::I64 | ElementType::U64 | ElementType::F64 => 8,
        }
    }
}

/// What a buffer holds before every launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fill {
    Zero,
    /// Every element 1.
    Ones,
    /// Element i is i.
    Iota,
    /// Bytes that no right answer has; the default of outputs.
    Poison,
    /// Small whole numbers from the instance's seed (exact in f32 sums), never all alike.
    Random {
        below: u32,
    },
}

/// A device buffer, reset before every launch (contract rule 10).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Buffer {
    pub name: String,
    pub ty: ElementType,
    /// Elements; over the constants: `kBlocks`, `kElems`.
    pub len: Expr,
    pub reset: Fill,
    /// A kernel must not change it: compared with the host's copy after each run.
    pub read_only: bool,
}

/// One row of the contract: a kernel, its launch, and what decides it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowPlan {
    /// The kernel's C++ name.
    pub kernel: String,
    /// The name under which the row and its verdict are recorded (`Row::kernel`, `KernelVerdict::kernel`), unique but
    /// for sweeps: the kernel's name, unless the file says otherwise (`reverseBlock -DSKIP_SYNC`).
    pub label: String,
    /// Blocks, one-dimensional.
    pub grid: Expr,
    /// Threads a block, one-dimensional.
    pub block: Expr,
    /// Bytes.
    pub dynamic_shared: Expr,
    /// The number of launches.
    pub runs: Expr,
    /// Buffer names, or expressions; in the order of the parameters.
    pub args: Vec<Argument>,
    /// Buffer compared, and with what.
    pub expect: Vec<Expect>,
    pub gated: bool,
    pub table: Table,
    /// For sweeps: the row is repeated with `name` bound to each value (`threads` = 32, 256).
    pub sweep: Option<(String, Vec<i64>)>,
    /// Extra `-D` defines under which this row's program is built (`SKIP_SYNC`).
    pub defines: Vec<(String, String)>,
    /// Severity of `barrier-skipped` for this row, where the exercise changes it: `error` or `note`.
    pub barrier_skipped: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Argument {
    Buffer(String),
    Scalar { ty: ElementType, value: Expr },
}

/// The contract's table formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Table {
    /// `kernel runs wrong first-bad-run total-there`.
    Sum,
    /// `tally-kernel runs wrong lowest-count want`.
    Tally,
    /// `threads kernel mismatches first-bad gated`.
    Sweep,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expect {
    pub buffer: String,
    pub want: Want,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Want {
    /// An oracle kernel of `oracle.cu`, run once on one thread: its arguments as for a row, plus `want`,
    /// a buffer like the one compared, which it fills.
    Oracle { kernel: String, args: Vec<Argument> },
    /// An expression, equal for every element.
    Value(Expr),
}

/// One program to be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Configuration {
    pub name: String,
    pub title: String,
    /// How the grader makes this configuration itself from the template when no handed-in file is one: an edit
    /// file (`reference/<id>/configurations/<name>.cu`), or constants to set. Empty for `as-given`.
    pub edits: Vec<MadeEdit>,
    /// Which handed-in file is this configuration: all must hold of the edit found in it.
    pub recognise: Vec<Recognise>,
    /// Whether a made configuration starts from the student's own first program (their fix at another size) instead
    /// of from the pristine template.
    pub on_students: bool,
    /// Times the whole plan is repeated (fence-below: 3).
    pub repeat: u32,
    /// The rule that the checker must find here, and in which kernel (by label), for the configuration to be right.
    /// That kernel's rows are report-only in this configuration: what is undefined is never gated (contract rule 2).
    pub expect_rule: Option<(String, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MadeEdit {
    /// A whole file whose regions replace the template's.
    File(TextFile),
    Constant {
        name: String,
        value: i64,
    },
}

/// How a handed-in program is recognised as a configuration, by its edit and never by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recognise {
    Constant {
        name: String,
        value: i64,
    },
    /// The region differs from the template's (after comments and white space are dropped).
    Edited {
        region: String,
    },
    Unedited {
        region: String,
    },
    /// In the region's text, without comments: some word that begins with one of `words` stands after the first one
    /// that begins with one of `after`, and none stands before it. See [`Recognise::order_holds`].
    Order {
        region: String,
        words: Vec<String>,
        after: Vec<String>,
    },
}

/// A hidden run of the same plan on other data and sizes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    pub name: String,
    /// The configurations that are run on it.
    pub configurations: Vec<String>,
    /// Constants replaced in the template (never by the student): `kElems = 1000003`.
    pub constants: BTreeMap<String, i64>,
    /// Buffers' contents replaced.
    pub fills: BTreeMap<String, Fill>,
    /// Launches per row here.
    pub runs: u32,
}

/// Something the student answers in `answers.toml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    pub id: String,
    pub text: String,
    pub kind: QuestionKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuestionKind {
    /// A whole number (or a list of them, one a repeat), 0 to the expression's value.
    Count { max: Expr, configuration: String, kernel: String, repeats: u32 },
    /// A sentence; ideas that it must name, each a list of alternative wordings (regular words, lower case).
    Sentence { ideas: Vec<Idea> },
    /// One of some words.
    Choice { options: Vec<String>, right: Option<String> },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Idea {
    pub id: String,
    pub title: String,
    /// Each alternative is a set of stems that must all occur.
    pub any_of: Vec<Vec<String>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    pub title: String,
    pub text: String,
    /// Show it when one of these rules (or notice kinds) was found; empty: always last.
    pub when: Vec<String>,
}

/// How programs of this exercise are compiled.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Compile {
    /// `compute_75`.
    pub arch: String,
    /// Headers that a student may include, e.g. `cuda/atomic`.
    pub headers: Vec<String>,
}

/// A program with a known outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct Mutant {
    pub file: TextFile,
    pub expect: Expected,
}

/// A sample submission with a known outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// Path below the exercise's folder: `examples/right`.
    pub name: String,
    pub title: String,
    /// Its files, with names relative to the example.
    pub files: Vec<TextFile>,
    pub expect: Expected,
}

/// What a mutant or an example must give; in a mutant, written in its first lines as `// expect: …`
/// (see [`Expected::parse`]).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Expected {
    /// Rules that must be found, as errors.
    pub rules: Vec<ExpectedRule>,
    /// Labels of kernels that must be `defined`, in every configuration that runs them.
    pub defined: Vec<String>,
    /// Labels of kernels whose rows must be exact in every configuration, hidden ones too.
    pub exact: Vec<String>,
    /// Labels of kernels with a wrong row in some configuration.
    pub wrong: Vec<String>,
    /// Exit code of `grade`.
    pub exit: Option<i32>,
    /// Least and most points (automatic and provisional) in percent.
    pub percent: Option<(f64, f64)>,
    /// Notice kinds that must be there: `signature-changed`, `compile-error`.
    pub notices: Vec<String>,
    /// Words that must occur in a compiler message, a failure or the reason why a row stopped.
    pub says: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedRule {
    /// In this configuration; `None`: in any.
    pub configuration: Option<String>,
    /// Row label.
    pub kernel: String,
    pub rule: String,
}
