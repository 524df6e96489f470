//! The configurations and hidden instances of `exercise.toml`.

use toml::Spanned;

use super::error::LoadError;
use super::load::Reader;
use super::plan::sweep_scopes;
use super::schema::{Base, ConfigurationTable, InstanceTable, RecogniseTable};
use super::{Buffer, Configuration, Instance, MadeEdit, Recognise, Region, RegionKind, RowPlan, Scope};

impl Reader<'_> {
    pub(super) fn configurations(
        &self,
        tables: &[Spanned<ConfigurationTable>],
        regions: &[Region],
        rows: &[RowPlan],
    ) -> Result<Vec<Configuration>, LoadError> {
        let mut configurations: Vec<Configuration> = Vec::new();
        for spanned in tables {
            let table = spanned.get_ref();
            let name = table.name.get_ref();
            if configurations.iter().any(|other| other.name == *name) {
                let problem = format!("the configuration `{name}` is declared twice");
                return Err(self.error(table.name.span(), problem, "rename one"));
            }
            if table.repeat == 0 {
                return Err(self.error(
                    spanned.span(),
                    format!("`{name}` is repeated 0 times"),
                    "write repeat = 1",
                ));
            }
            let expect_rule = match &table.expect_rule {
                Some(rule) => {
                    let (label, rule_name) = (&rule.get_ref().kernel, &rule.get_ref().rule);
                    if !rows.iter().any(|row| row.label == *label) {
                        return Err(self.unknown(
                            rule.span(),
                            "row",
                            label,
                            rows.iter().map(|row| row.label.as_str()),
                        ));
                    }
                    Some((rule_name.clone(), label.clone()))
                }
                None => None,
            };
            configurations.push(Configuration {
                name: name.clone(),
                title: table.title.clone(),
                edits: self.made_edits(spanned, rows)?,
                recognise: table
                    .recognise
                    .iter()
                    .map(|r| self.recognise(r, regions))
                    .collect::<Result<_, _>>()?,
                on_students: table.made_from == Base::Student,
                repeat: table.repeat,
                expect_rule,
            });
        }
        if configurations.is_empty() {
            return Err(self.error(
                0..0,
                "there is no configuration",
                "add [[configurations]] with name = \"as-given\"",
            ));
        }
        Ok(configurations)
    }

    fn made_edits(
        &self,
        spanned: &Spanned<ConfigurationTable>,
        rows: &[RowPlan],
    ) -> Result<Vec<MadeEdit>, LoadError> {
        let table = spanned.get_ref();
        let mut edits = Vec::new();
        if let Some(name) = &table.edit_file {
            let Some(text) = self.closed.files.get(name.get_ref()) else {
                let problem = format!("`{}` is not there", name.get_ref());
                let advice = format!("put it below {}", self.closed.shown);
                return Err(self.error(name.span(), problem, advice));
            };
            edits.push(MadeEdit::File(super::TextFile { name: name.get_ref().clone(), text: text.clone() }));
        }
        for (name, value) in &table.set {
            if self.constants.get(name).is_none() {
                return Err(self.unknown(spanned.span(), "constant", name, self.constants.names()));
            }
            edits.push(MadeEdit::Constant { name: name.clone(), value: *value });
        }
        let mut scope = self.constants.clone();
        for (name, value) in &table.set {
            scope.set(name.clone(), *value);
        }
        self.launches_hold(spanned.span(), &scope, rows)?;
        Ok(edits)
    }

    /// Every row's launch is possible with other constants.
    fn launches_hold(
        &self,
        span: std::ops::Range<usize>,
        constants: &Scope,
        rows: &[RowPlan],
    ) -> Result<(), LoadError> {
        for row in rows {
            for scope in sweep_scopes(constants, row.sweep.as_ref()) {
                let grid = format!("the grid of {}", row.label);
                self.value_within(&row.grid, span.clone(), &scope, &grid, 1..=i64::from(i32::MAX))?;
                let block = format!("the block of {}", row.label);
                self.value_within(&row.block, span.clone(), &scope, &block, 1..=1024)?;
            }
        }
        Ok(())
    }

    fn recognise(
        &self,
        spanned: &Spanned<RecogniseTable>,
        regions: &[Region],
    ) -> Result<Recognise, LoadError> {
        let table = spanned.get_ref();
        let ids = || regions.iter().map(|region| region.id.as_str());
        if let Some(region) = table.region.as_deref().filter(|region| !ids().any(|id| id == *region)) {
            return Err(self.unknown(spanned.span(), "region", region, ids()));
        }
        let lists = (!table.words.is_empty(), !table.after.is_empty());
        match (&table.constant, table.value, &table.region, table.edited, lists) {
            (Some(name), Some(value), None, None, (false, false)) => {
                let is_region = |region: &Region| matches!(&region.kind, RegionKind::Constant { name: n, .. } if n == name);
                if !regions.iter().any(is_region) {
                    return Err(self.unknown(spanned.span(), "constant region", name, ids()));
                }
                Ok(Recognise::Constant { name: name.clone(), value })
            }
            (None, None, Some(region), Some(true), (false, false)) => {
                Ok(Recognise::Edited { region: region.clone() })
            }
            (None, None, Some(region), Some(false), (false, false)) => {
                Ok(Recognise::Unedited { region: region.clone() })
            }
            (None, None, Some(region), None, (true, true)) => Ok(Recognise::Order {
                region: region.clone(),
                words: table.words.clone(),
                after: table.after.clone(),
            }),
            _ => Err(self.error(
                spanned.span(),
                "a file is recognised by a constant, an edited region or an order of words",
                "write { constant, value }, { region, edited } or { region, words, after }",
            )),
        }
    }

    pub(super) fn instances(
        &self,
        tables: &[Spanned<InstanceTable>],
        configurations: &[Configuration],
        buffers: &[Buffer],
        rows: &[RowPlan],
    ) -> Result<Vec<Instance>, LoadError> {
        tables.iter().map(|table| self.instance(table, configurations, buffers, rows)).collect()
    }

    fn instance(
        &self,
        spanned: &Spanned<InstanceTable>,
        configurations: &[Configuration],
        buffers: &[Buffer],
        rows: &[RowPlan],
    ) -> Result<Instance, LoadError> {
        let table = spanned.get_ref();
        for name in &table.configurations {
            if !configurations.iter().any(|configuration| configuration.name == *name) {
                let known = configurations.iter().map(|configuration| configuration.name.as_str());
                return Err(self.unknown(spanned.span(), "configuration", name, known));
            }
        }
        if let Some(name) =
            table.fills.keys().find(|name| !buffers.iter().any(|buffer| buffer.name == **name))
        {
            let known = buffers.iter().map(|buffer| buffer.name.as_str());
            return Err(self.unknown(spanned.span(), "buffer", name, known));
        }
        if table.runs == 0 {
            return Err(self.error(spanned.span(), "an instance of 0 runs shows nothing", "write runs = 3"));
        }
        let mut scope = self.constants.clone();
        for (name, value) in &table.constants {
            if scope.get(name).is_none() {
                return Err(self.unknown(spanned.span(), "constant", name, self.constants.names()));
            }
            scope.set(name.clone(), *value);
        }
        self.launches_hold(spanned.span(), &scope, rows)?;
        Ok(Instance {
            name: table.name.clone(),
            configurations: table.configurations.clone(),
            constants: table.constants.clone(),
            fills: table.fills.iter().map(|(name, fill)| (name.clone(), fill.0.clone())).collect(),
            runs: table.runs,
        })
    }
}
