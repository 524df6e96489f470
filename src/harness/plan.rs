//! An exercise's rows, with every expression computed: what a device is asked to run.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::fill::filled;
use crate::device::{JobArgument, JobBuffer};
use crate::exercise::{
    Argument, Exercise, Expect, Expr, ExprError, Fill, Instance, RowPlan, Scope, Table, Want,
};

/// Most bytes that one buffer, and all buffers of a row, may have.
const MOST_BUFFER_BYTES: i64 = 2 << 30;
/// Most launches of one row.
const MOST_RUNS: i64 = 10_000;

/// One row, ready to run but for its expected values.
#[derive(Debug, Clone)]
pub struct PlannedRow {
    /// Place among all rows of the plan.
    pub index: usize,
    /// The kernel's C++ name.
    pub kernel: String,
    /// What records call the row.
    pub label: String,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub dynamic_shared: u32,
    pub runs: u32,
    /// Only those that the row's arguments name.
    pub buffers: Vec<JobBuffer>,
    pub arguments: Vec<JobArgument>,
    pub expect: Vec<PlannedExpect>,
    pub gated: bool,
    pub table: Table,
    /// The sweep's name and value here.
    pub sweep: Option<(String, i64)>,
    pub defines: Vec<(String, String)>,
    pub barrier_skipped: Option<String>,
    /// Two rows of one program with equal identities have equal outcomes.
    pub identity: String,
}

/// What one buffer must hold after a run.
#[derive(Debug, Clone)]
pub struct PlannedExpect {
    /// Index into [`PlannedRow::buffers`].
    pub buffer: usize,
    pub want: PlannedWant,
}

/// Where the expected bytes come from.
#[derive(Debug, Clone)]
pub enum PlannedWant {
    /// Every element alike, derived from the constants.
    Bytes(Arc<Vec<u8>>),
    /// An oracle kernel's last argument, `want`.
    Oracle { kernel: String, buffers: Vec<JobBuffer>, arguments: Vec<JobArgument>, want: usize },
}

/// A row that cannot be planned: the exercise is wrong, or a constant makes it impossible.
#[derive(Debug, Clone, thiserror::Error)]
pub enum PlanError {
    #[error("row `{kernel}`, {what}: {source}")]
    Expression { kernel: String, what: String, source: ExprError },
    #[error("row `{kernel}`, {what}: {value} is outside {least} to {most}")]
    Range { kernel: String, what: String, value: i64, least: i64, most: i64 },
    #[error("row `{kernel}` names the buffer `{buffer}`, which the exercise does not have")]
    UnknownBuffer { kernel: String, buffer: String },
}

impl PlannedExpect {
    fn identity(&self) -> String {
        match &self.want {
            PlannedWant::Bytes(bytes) => format!("{} {}", self.buffer, blake3::hash(bytes).to_hex()),
            PlannedWant::Oracle { kernel, buffers, arguments, .. } => {
                let held: Vec<&str> = buffers.iter().map(|b| b.identity.as_str()).collect();
                format!("{} {kernel} {arguments:?} {held:?}", self.buffer)
            }
        }
    }
}

impl PlannedRow {
    /// Threads in a block.
    pub fn threads(&self) -> u32 {
        self.block.iter().product()
    }

    /// `1024 x 256`, as the contract words a launch.
    pub fn launch(&self) -> String {
        format!("{} x {}", dimensions(self.grid), dimensions(self.block))
    }

    /// `sumLastBlockRacy`, `scanTileRacy at 32 threads`.
    pub fn title(&self) -> String {
        match &self.sweep {
            Some((name, value)) => format!("{} at {value} {name}", self.label),
            None => self.label.clone(),
        }
    }
}

/// `8`, or `(8, 2)` when more than one dimension is used.
fn dimensions(size: [u32; 3]) -> String {
    match size {
        [x, 1, 1] => x.to_string(),
        [x, y, 1] => format!("({x}, {y})"),
        [x, y, z] => format!("({x}, {y}, {z})"),
    }
}

/// Plans all rows of an exercise for one program's constants, sweeps unrolled in the contract's order: all rows at
/// the first value, then all at the next. `seed` is what random fills are made from.
pub fn plan(
    exercise: &Exercise,
    constants: &Scope,
    instance: Option<&Instance>,
    seed: u64,
) -> Result<Vec<PlannedRow>, PlanError> {
    let planner = Planner { exercise, instance, seed };
    let mut data = BufferCache::default();
    let mut planned = Vec::new();
    let mut rows = exercise.rows.as_slice();
    while let Some(first) = rows.first() {
        let alike = rows.iter().take_while(|row| row.sweep == first.sweep).count();
        let (group, rest) = rows.split_at(alike);
        rows = rest;
        let values: Vec<Option<(String, i64)>> = match &first.sweep {
            Some((name, values)) => values.iter().map(|&v| Some((name.clone(), v))).collect(),
            None => vec![None],
        };
        for value in values {
            let mut names = constants.clone();
            if let Some((name, value)) = &value {
                names.set(name.clone(), *value);
            }
            for row in group {
                let next = planner.row(row, &names, value.clone(), &mut data)?;
                planned.push(PlannedRow { index: planned.len(), ..next });
            }
        }
    }
    Ok(planned)
}

/// Contents of buffers, made once for all rows that hold the same.
type BufferCache = BTreeMap<(String, usize), Arc<Vec<u8>>>;

struct Planner<'a> {
    exercise: &'a Exercise,
    instance: Option<&'a Instance>,
    seed: u64,
}

impl Planner<'_> {
    fn row(
        &self,
        row: &RowPlan,
        names: &Scope,
        sweep: Option<(String, i64)>,
        data: &mut BufferCache,
    ) -> Result<PlannedRow, PlanError> {
        let kernel = row.kernel.as_str();
        let most_grid = i64::from(i32::MAX);
        let grid = self.number(kernel, "grid", &row.grid, names, 1, most_grid)?;
        let block = self.number(kernel, "block", &row.block, names, 1, 1024)?;
        let dynamic_shared = self.number(kernel, "dynamic_shared", &row.dynamic_shared, names, 0, 1 << 20)?;
        let runs = match self.instance {
            Some(instance) => instance.runs.max(1),
            None => self.number(kernel, "runs", &row.runs, names, 1, MOST_RUNS)? as u32,
        };
        let mut buffers = Vec::new();
        let arguments = self.arguments(kernel, &row.args, names, None, &mut buffers, data)?;
        let mut expect = Vec::new();
        for item in &row.expect {
            expect.push(self.expect(kernel, item, names, &mut buffers, data)?);
        }
        let held: Vec<&str> = buffers.iter().map(|b| b.identity.as_str()).collect();
        let wants: Vec<String> = expect.iter().map(PlannedExpect::identity).collect();
        let launch = (grid, block, dynamic_shared, runs, &row.barrier_skipped);
        let identity = format!("{launch:?} {arguments:?} {held:?} {wants:?}");
        Ok(PlannedRow {
            index: 0,
            identity,
            kernel: row.kernel.clone(),
            label: row.label.clone(),
            grid: [grid as u32, 1, 1],
            block: [block as u32, 1, 1],
            dynamic_shared: dynamic_shared as u32,
            runs,
            buffers,
            arguments,
            expect,
            gated: row.gated,
            table: row.table,
            sweep,
            defines: row.defines.clone(),
            barrier_skipped: row.barrier_skipped.clone(),
        })
    }

    fn expect(
        &self,
        kernel: &str,
        item: &Expect,
        names: &Scope,
        buffers: &mut Vec<JobBuffer>,
        data: &mut BufferCache,
    ) -> Result<PlannedExpect, PlanError> {
        let buffer = self.buffer(kernel, &item.buffer, names, buffers, data)?;
        let ty = buffers[buffer].ty;
        let bytes = buffers[buffer].contents.len();
        let want = match &item.want {
            Want::Value(expression) => {
                let value = self.number(kernel, "expect", expression, names, i64::MIN, i64::MAX)?;
                PlannedWant::Bytes(Arc::new(scalar(ty, value).repeat(bytes / ty.bytes() as usize)))
            }
            Want::Oracle { kernel: oracle, args } => {
                let mut own = Vec::new();
                let poison = filled(&Fill::Poison, ty, bytes / ty.bytes() as usize, 0, "want");
                let want = JobBuffer {
                    name: "want".into(),
                    ty,
                    contents: Arc::new(poison),
                    read_only: false,
                    identity: format!("want: {bytes} {ty:?}"),
                    poisoned: true,
                };
                let arguments = self.arguments(kernel, args, names, Some(want), &mut own, data)?;
                let want = own.iter().position(|b| b.name == "want").unwrap_or_default();
                PlannedWant::Oracle { kernel: oracle.clone(), buffers: own, arguments, want }
            }
        };
        Ok(PlannedExpect { buffer, want })
    }

    /// The arguments' bytes and buffers. With `want`, an oracle's: the buffer named `want` is that one, and it is
    /// passed last where the arguments do not name it.
    fn arguments(
        &self,
        kernel: &str,
        args: &[Argument],
        names: &Scope,
        want: Option<JobBuffer>,
        buffers: &mut Vec<JobBuffer>,
        data: &mut BufferCache,
    ) -> Result<Vec<JobArgument>, PlanError> {
        let oracle = want.is_some();
        let named = args.iter().any(|a| matches!(a, Argument::Buffer(name) if name == "want"));
        buffers.extend(want);
        let mut arguments = Vec::new();
        for argument in args {
            arguments.push(match argument {
                Argument::Buffer(name) => {
                    JobArgument::Buffer(self.buffer(kernel, name, names, buffers, data)?)
                }
                Argument::Scalar { ty, value } => {
                    let value = self.number(kernel, "an argument", value, names, i64::MIN, i64::MAX)?;
                    JobArgument::Bytes(scalar(*ty, value))
                }
            });
        }
        if oracle && !named {
            arguments.push(JobArgument::Buffer(0));
        }
        Ok(arguments)
    }

    /// Index of the buffer `name` in `buffers`, added when it is not there.
    fn buffer(
        &self,
        kernel: &str,
        name: &str,
        names: &Scope,
        buffers: &mut Vec<JobBuffer>,
        data: &mut BufferCache,
    ) -> Result<usize, PlanError> {
        if let Some(index) = buffers.iter().position(|b| b.name == name) {
            return Ok(index);
        }
        let unknown = || PlanError::UnknownBuffer { kernel: kernel.to_owned(), buffer: name.to_owned() };
        let buffer = self.exercise.buffers.iter().find(|b| b.name == name).ok_or_else(unknown)?;
        let size = i64::from(buffer.ty.bytes());
        let what = format!("length of `{name}`");
        let len = self.number(kernel, &what, &buffer.len, names, 1, MOST_BUFFER_BYTES / size)? as usize;
        let fill = self.instance.and_then(|i| i.fills.get(name)).unwrap_or(&buffer.reset);
        let contents = data
            .entry((name.to_owned(), len))
            .or_insert_with(|| Arc::new(filled(fill, buffer.ty, len, self.seed, name)))
            .clone();
        let seed = if matches!(fill, Fill::Random { .. }) { self.seed } else { 0 };
        buffers.push(JobBuffer {
            name: name.to_owned(),
            ty: buffer.ty,
            contents,
            read_only: buffer.read_only,
            identity: format!("{name}: {len} {:?} {fill:?} {seed}", buffer.ty),
            poisoned: *fill == Fill::Poison,
        });
        Ok(buffers.len() - 1)
    }

    fn number(
        &self,
        kernel: &str,
        what: &str,
        expression: &Expr,
        names: &Scope,
        least: i64,
        most: i64,
    ) -> Result<i64, PlanError> {
        let kernel = || kernel.to_owned();
        let value = expression.eval(names).map_err(|source| PlanError::Expression {
            kernel: kernel(),
            what: what.to_owned(),
            source,
        })?;
        if value < least || value > most {
            return Err(PlanError::Range { kernel: kernel(), what: what.to_owned(), value, least, most });
        }
        Ok(value)
    }
}

/// A whole number's bytes as `ty`.
fn scalar(ty: crate::exercise::ElementType, value: i64) -> Vec<u8> {
    use crate::exercise::ElementType as E;
    match ty {
        E::I32 | E::U32 => (value as u32).to_le_bytes().to_vec(),
        E::I64 | E::U64 => value.to_le_bytes().to_vec(),
        E::F32 => (value as f32).to_le_bytes().to_vec(),
        E::F64 => (value as f64).to_le_bytes().to_vec(),
    }
}
