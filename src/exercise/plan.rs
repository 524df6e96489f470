//! The rows of `exercise.toml`: launches, arguments, what they are compared with.

use std::collections::BTreeMap;

use toml::Spanned;

use super::error::LoadError;
use super::load::Reader;
use super::schema::{ArgumentValue, ExpectTable, RowTable, TableName};
use super::{Argument, Buffer, Expect, Expr, RowPlan, Scope, Table, TextFile, Want};

/// CUDA's limits for a one-dimensional launch.
const MAX_GRID: i64 = i32::MAX as i64;
const MAX_BLOCK: i64 = 1024;
/// Most dynamic shared memory that the exercises may ask for, in bytes.
const MAX_SHARED: i64 = 227 << 10;
/// Fewest launches of a gated row (contract rule 9), and the most.
const RUNS: std::ops::RangeInclusive<i64> = 2..=10_000;

impl Reader<'_> {
    pub(super) fn rows(
        &self,
        tables: &[Spanned<RowTable>],
        buffers: &[Buffer],
    ) -> Result<Vec<RowPlan>, LoadError> {
        let mut rows: Vec<RowPlan> = Vec::new();
        for spanned in tables {
            let row = self.row(spanned.get_ref(), buffers)?;
            if rows.iter().any(|other| other.label == row.label) {
                let problem = format!("two rows are called `{}`", row.label);
                return Err(self.error(spanned.span(), problem, "give one a `label` of its own"));
            }
            rows.push(row);
        }
        if !rows.iter().any(|row| row.gated) {
            return Err(self.error(0..0, "no row is gated", "set `gated = true` on the rows that decide"));
        }
        Ok(rows)
    }

    fn row(&self, table: &RowTable, buffers: &[Buffer]) -> Result<RowPlan, LoadError> {
        let kernel = table.kernel.get_ref();
        let sweep =
            table.sweep.as_ref().map(|sweep| (sweep.get_ref().name.clone(), sweep.get_ref().values.clone()));
        if let Some(spanned) = table.sweep.as_ref().filter(|sweep| sweep.get_ref().values.is_empty()) {
            return Err(self.error(
                spanned.span(),
                "a sweep has at least one value",
                "write values = [32, 256]",
            ));
        }
        let scopes = sweep_scopes(&self.constants, sweep.as_ref());
        let scope = &scopes[0];
        let named = |what: &str| format!("the {what} of {kernel}");
        let shared = match &table.shared {
            Some(text) => self.expression(text, scope, &named("dynamic shared memory"), 0..=MAX_SHARED)?,
            None => Expr::number(0),
        };
        let row = RowPlan {
            kernel: kernel.clone(),
            label: table.label.clone().unwrap_or_else(|| default_label(kernel, &table.defines)),
            grid: self.expression(&table.grid, scope, &named("grid"), 1..=MAX_GRID)?,
            block: self.expression(&table.block, scope, &named("block"), 1..=MAX_BLOCK)?,
            dynamic_shared: shared,
            runs: self.expression(&table.runs, scope, &named("number of runs"), RUNS)?,
            args: self.arguments(&table.args, scope, buffers)?,
            expect: table.expect.iter().map(|e| self.expect(e, scope, buffers)).collect::<Result<_, _>>()?,
            gated: table.gated,
            table: match table.table {
                TableName::Sum => Table::Sum,
                TableName::Tally => Table::Tally,
                TableName::Sweep => Table::Sweep,
            },
            sweep,
            defines: table.defines.clone().into_iter().collect(),
            barrier_skipped: self.barrier_skipped(table)?,
        };
        if row.expect.is_empty() {
            let advice = "add expect = [{ buffer = \"…\", oracle = \"…\" }]";
            return Err(self.error(
                table.kernel.span(),
                format!("{kernel} is compared with nothing"),
                advice,
            ));
        }
        for scope in &scopes[1..] {
            self.value_within(&row.grid, table.grid.span(), scope, &named("grid"), 1..=MAX_GRID)?;
            self.value_within(&row.block, table.block.span(), scope, &named("block"), 1..=MAX_BLOCK)?;
        }
        Ok(row)
    }

    fn barrier_skipped(&self, table: &RowTable) -> Result<Option<String>, LoadError> {
        match &table.barrier_skipped {
            Some(word) if !matches!(word.get_ref().as_str(), "error" | "note") => {
                let problem =
                    format!("barrier-skipped is `{}`, expected \"error\" or \"note\"", word.get_ref());
                Err(self.error(word.span(), problem, "the default is \"error\""))
            }
            word => Ok(word.as_ref().map(|word| word.get_ref().clone())),
        }
    }

    fn arguments(
        &self,
        values: &[Spanned<ArgumentValue>],
        scope: &Scope,
        buffers: &[Buffer],
    ) -> Result<Vec<Argument>, LoadError> {
        values
            .iter()
            .map(|value| match value.get_ref() {
                ArgumentValue::Buffer(name) => self
                    .buffer(name, value.span(), buffers)
                    .map(|buffer| Argument::Buffer(buffer.name.clone())),
                ArgumentValue::Scalar(ty, text) => {
                    let spanned = Spanned::new(value.span(), super::schema::Text(text.clone()));
                    let value = self.expression(&spanned, scope, "an argument", i64::MIN..=i64::MAX)?;
                    Ok(Argument::Scalar { ty: *ty, value })
                }
            })
            .collect()
    }

    fn buffer<'b>(
        &self,
        name: &str,
        span: std::ops::Range<usize>,
        buffers: &'b [Buffer],
    ) -> Result<&'b Buffer, LoadError> {
        buffers.iter().find(|buffer| buffer.name == name).ok_or_else(|| {
            self.unknown(span, "buffer", name, buffers.iter().map(|buffer| buffer.name.as_str()))
        })
    }

    fn expect(
        &self,
        spanned: &Spanned<ExpectTable>,
        scope: &Scope,
        buffers: &[Buffer],
    ) -> Result<Expect, LoadError> {
        let table = spanned.get_ref();
        let buffer = self.buffer(table.buffer.get_ref(), table.buffer.span(), buffers)?;
        let want = match (&table.value, &table.oracle) {
            (Some(value), None) => {
                Want::Value(self.expression(value, scope, "the expected value", 0..=i64::MAX)?)
            }
            (None, Some(kernel)) => Want::Oracle {
                kernel: kernel.get_ref().clone(),
                args: self.arguments(&table.args, scope, buffers)?,
            },
            _ => {
                let advice = "give either value = \"expression\", or oracle = \"kernel\" with args";
                return Err(self.error(spanned.span(), "an expectation is one of value and oracle", advice));
            }
        };
        Ok(Expect { buffer: buffer.name.clone(), want })
    }

    /// Every oracle named is a kernel of `oracle.cu`.
    pub(super) fn check_oracles(&self, rows: &[RowPlan], oracle: Option<&TextFile>) -> Result<(), LoadError> {
        for want in rows.iter().flat_map(|row| &row.expect).map(|expect| &expect.want) {
            let Want::Oracle { kernel, .. } = want else { continue };
            let there = oracle.is_some_and(|file| file.text.contains(kernel.as_str()));
            if !there {
                let place = format!("{}/oracle.cu", self.closed.shown);
                let problem = format!("the oracle kernel `{kernel}` is not there");
                let advice = format!("write it as extern \"C\" __global__ void {kernel}(…)");
                return Err(LoadError::new(place, 0, problem, advice));
            }
        }
        Ok(())
    }
}

/// The scopes under which a row is launched: one a value of its sweep.
pub(super) fn sweep_scopes(constants: &Scope, sweep: Option<&(String, Vec<i64>)>) -> Vec<Scope> {
    match sweep {
        Some((name, values)) => values.iter().map(|value| constants.with(name, *value)).collect(),
        None => vec![constants.clone()],
    }
}

fn default_label(kernel: &str, defines: &BTreeMap<String, String>) -> String {
    let mut label = kernel.to_owned();
    for name in defines.keys() {
        label.push_str(" -D");
        label.push_str(name);
    }
    label
}
