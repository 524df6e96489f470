//! From an exercise's folder, as text, to an [`Exercise`] whose every name and expression has been checked.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use toml::Spanned;

use super::error::{LoadError, line_of};
use super::schema::{BufferTable, ExampleTable, ExerciseFile, FORMAT, RegionTable, Text};
use super::{
    Buffer, Compile, Example, Exercise, Expected, Expr, Mutant, Region, RegionKind, Scope, TextFile, hints,
};

/// Most elements of one buffer (1 GiB of 8-byte elements).
const MAX_ELEMENTS: i64 = 1 << 27;
/// Least warp instructions of a launch.
const LEAST_BUDGET: u64 = 10_000;

/// The text files of one exercise, by path below their folder, with `/`.
#[derive(Debug, Clone, Default)]
pub struct Folder {
    /// The folder as messages name it: `exercises/day27-memory-model`.
    pub shown: String,
    pub files: BTreeMap<String, String>,
}

impl Folder {
    fn path(&self, name: &str) -> String {
        format!("{}/{name}", self.shown)
    }

    fn text_file(&self, name: &str) -> Option<TextFile> {
        self.files.get(name).map(|text| TextFile { name: name.to_owned(), text: text.clone() })
    }
}

/// Reads one exercise. `open` is what students may see, `closed` what they must not.
///
/// # Errors
/// The first mistake found, with its file and line.
pub fn exercise(open: &Folder, closed: &Folder) -> Result<Exercise, LoadError> {
    let file = open.path("exercise.toml");
    let missing =
        |what: &str| LoadError::new(open.path(what), 0, "the file is missing", "every exercise has one");
    let text = open.files.get("exercise.toml").ok_or_else(|| missing("exercise.toml"))?;
    let raw: ExerciseFile =
        toml::from_str(text).map_err(|error| LoadError::from_toml(&file, text, &error))?;
    let reader = Reader { file, text, open, closed, constants: Scope::from(&raw.constants) };
    reader.check_head(&raw)?;
    let template = open.text_file("template.cu").ok_or_else(|| missing("template.cu"))?;
    reader.check_constants(&raw, &template)?;

    let regions = reader.regions(&raw.regions)?;
    let buffers = reader.buffers(&raw.buffers)?;
    let rows = reader.rows(&raw.rows, &buffers)?;
    let configurations = reader.configurations(&raw.configurations, &regions, &rows)?;
    let instances = reader.instances(&raw.instances, &configurations, &buffers, &rows)?;
    let questions = reader.questions(&raw.questions, &configurations, &rows)?;
    let oracle = closed.text_file("oracle.cu");
    reader.check_oracles(&rows, oracle.as_ref())?;
    let launch_budget = reader.launch_budget(raw.launch_budget.as_ref())?;
    Ok(Exercise {
        id: raw.id.get_ref().clone(),
        title: raw.title,
        summary: raw.summary.trim().to_owned(),
        task: raw.task.trim().to_owned(),
        solution: closed.text_file("solution.cu"),
        answers: closed.text_file("answers.toml"),
        oracle,
        mutants: mutants(closed)?,
        examples: reader.examples(&raw.examples)?,
        hints: open.files.get("hints.md").map_or_else(Vec::new, |text| hints::parse(text)),
        template,
        regions,
        constants: raw.constants,
        buffers,
        rows,
        configurations,
        instances,
        questions,
        compile: Compile { arch: raw.compile.arch.into_inner(), headers: raw.compile.headers },
        launch_budget,
    })
}

/// The file being read, and what its expressions may name.
pub(super) struct Reader<'a> {
    file: String,
    text: &'a str,
    open: &'a Folder,
    pub(super) closed: &'a Folder,
    pub(super) constants: Scope,
}

impl Reader<'_> {
    pub(super) fn error(
        &self,
        span: Range<usize>,
        problem: impl Into<String>,
        advice: impl Into<String>,
    ) -> LoadError {
        LoadError::new(self.file.clone(), line_of(self.text, &span), problem, advice)
    }

    /// An error for a name that should be one of `known`.
    pub(super) fn unknown<'k>(
        &self,
        span: Range<usize>,
        what: &str,
        name: &str,
        known: impl IntoIterator<Item = &'k str>,
    ) -> LoadError {
        let known: Vec<&str> = known.into_iter().collect();
        let advice = if known.is_empty() {
            "none is declared".to_owned()
        } else {
            format!("known: {}", known.join(", "))
        };
        self.error(span, format!("there is no {what} `{name}`"), advice)
    }

    /// An expression that has a value within `allowed` over `scope`.
    pub(super) fn expression(
        &self,
        text: &Spanned<Text>,
        scope: &Scope,
        what: &str,
        allowed: std::ops::RangeInclusive<i64>,
    ) -> Result<Expr, LoadError> {
        let expr = Expr::parse(&text.get_ref().0).map_err(|error| {
            self.error(text.span(), format!("{what}: {error}"), "write arithmetic over the constants")
        })?;
        self.value_within(&expr, text.span(), scope, what, allowed)?;
        Ok(expr)
    }

    pub(super) fn value_within(
        &self,
        expr: &Expr,
        span: Range<usize>,
        scope: &Scope,
        what: &str,
        allowed: std::ops::RangeInclusive<i64>,
    ) -> Result<i64, LoadError> {
        let value = expr.eval(scope).map_err(|error| {
            self.error(span.clone(), format!("{what}: {error}"), "declare it under [constants]")
        })?;
        if allowed.contains(&value) {
            return Ok(value);
        }
        let problem =
            format!("{what}: `{expr}` is {value}, expected {} to {}", allowed.start(), allowed.end());
        Err(self.error(span, problem, "correct the expression or the constants"))
    }

    fn check_head(&self, raw: &ExerciseFile) -> Result<(), LoadError> {
        if *raw.format.get_ref() != FORMAT {
            let problem = format!("format {} is not known, expected {FORMAT}", raw.format.get_ref());
            return Err(self.error(raw.format.span(), problem, "use a grader that knows this format"));
        }
        let folder = self.open.shown.rsplit('/').next().unwrap_or_default();
        if raw.id.get_ref() != folder {
            let problem = format!("the id is `{}`, and the folder is `{folder}`", raw.id.get_ref());
            return Err(self.error(raw.id.span(), problem, "give both the same name"));
        }
        let arch = &raw.compile.arch;
        let number = arch.get_ref().strip_prefix("compute_").map(|rest| rest.trim_end_matches(['a', 'f']));
        if !number.is_some_and(|rest| rest.parse::<u32>().is_ok_and(|number| number >= 70)) {
            let problem = format!("arch is `{}`, expected compute_70 or later", arch.get_ref());
            return Err(self.error(arch.span(), problem, "the course's floor is compute_75"));
        }
        Ok(())
    }

    /// Every declared constant stands in the template: their values are compared when the program has been compiled.
    fn launch_budget(&self, budget: Option<&Spanned<u64>>) -> Result<Option<u64>, LoadError> {
        let Some(budget) = budget else { return Ok(None) };
        if *budget.get_ref() < LEAST_BUDGET {
            let problem = format!("a launch-budget of {} ends every kernel", budget.get_ref());
            return Err(self.error(budget.span(), problem, "give a hundred times what a right kernel takes"));
        }
        Ok(Some(*budget.get_ref()))
    }

    fn check_constants(&self, raw: &ExerciseFile, template: &TextFile) -> Result<(), LoadError> {
        let Some(name) = raw.constants.keys().find(|name| !template.text.contains(name.as_str())) else {
            return Ok(());
        };
        let at = self.text.find(name.as_str()).unwrap_or(0);
        let problem = format!("the constant `{name}` does not stand in template.cu");
        Err(self.error(at..at, problem, "declare it there as `constexpr int`, or take it out of [constants]"))
    }

    fn regions(&self, tables: &[Spanned<RegionTable>]) -> Result<Vec<Region>, LoadError> {
        let mut regions: Vec<Region> = Vec::new();
        for spanned in tables {
            let table = spanned.get_ref();
            let id = table.id.get_ref();
            if regions.iter().any(|region| region.id == *id) {
                return Err(self.error(
                    table.id.span(),
                    format!("the region `{id}` is declared twice"),
                    "rename one",
                ));
            }
            let kind = self.region_kind(spanned, tables)?;
            regions.push(Region { id: id.clone(), kind, title: table.title.clone() });
        }
        Ok(regions)
    }

    fn region_kind(
        &self,
        spanned: &Spanned<RegionTable>,
        all: &[Spanned<RegionTable>],
    ) -> Result<RegionKind, LoadError> {
        let table = spanned.get_ref();
        match (&table.kernel, &table.function, &table.constant, &table.snippet) {
            (Some(name), None, None, None) => Ok(RegionKind::Kernel { name: name.clone() }),
            (None, Some(name), None, None) => Ok(RegionKind::Function { name: name.clone() }),
            (None, None, Some(name), None) => {
                if self.constants.get(name.get_ref()).is_none() {
                    return Err(self.unknown(
                        name.span(),
                        "constant",
                        name.get_ref(),
                        self.constants.names(),
                    ));
                }
                let (Some(min), Some(max)) = (table.min, table.max) else {
                    let advice = "write for example min = 2, max = 65536";
                    return Err(self.error(name.span(), "a constant's region has `min` and `max`", advice));
                };
                Ok(RegionKind::Constant { name: name.get_ref().clone(), min, max })
            }
            (None, None, None, Some(label)) => {
                if let Some(inside) = &table.inside {
                    let mut kernels = all.iter().filter_map(|region| region.get_ref().kernel.as_deref());
                    if !kernels.any(|kernel| kernel == inside.get_ref()) {
                        let kernels = all.iter().filter_map(|region| region.get_ref().kernel.as_deref());
                        return Err(self.unknown(inside.span(), "kernel region", inside.get_ref(), kernels));
                    }
                }
                let kernel = table.inside.as_ref().map(|inside| inside.get_ref().clone());
                Ok(RegionKind::Snippet { label: label.get_ref().clone(), kernel })
            }
            _ => Err(self.error(
                spanned.span(),
                format!("the region `{}` must be exactly one thing", table.id.get_ref()),
                "give it one of kernel, function, constant, snippet",
            )),
        }
    }

    fn buffers(&self, tables: &[BufferTable]) -> Result<Vec<Buffer>, LoadError> {
        let mut names = BTreeSet::new();
        let mut buffers = Vec::new();
        for table in tables {
            let name = table.name.get_ref();
            if !names.insert(name.clone()) {
                return Err(self.error(
                    table.name.span(),
                    format!("the buffer `{name}` is declared twice"),
                    "rename one",
                ));
            }
            let what = format!("the length of `{name}`");
            buffers.push(Buffer {
                name: name.clone(),
                ty: table.ty.0,
                len: self.expression(&table.len, &self.constants, &what, 1..=MAX_ELEMENTS)?,
                reset: table.reset.0.clone(),
                read_only: table.read_only,
            });
        }
        Ok(buffers)
    }

    fn examples(&self, tables: &[Spanned<ExampleTable>]) -> Result<Vec<Example>, LoadError> {
        tables.iter().map(|spanned| self.example(spanned)).collect()
    }

    fn example(&self, spanned: &Spanned<ExampleTable>) -> Result<Example, LoadError> {
        let table = spanned.get_ref();
        let below = format!("{}/", table.path);
        let mut files = Vec::new();
        for (path, text) in &self.open.files {
            let name = match path.strip_prefix(&below) {
                Some(name) => name,
                None if *path == table.path => path.rsplit('/').next().unwrap_or(path),
                None => continue,
            };
            files.push(TextFile { name: name.to_owned(), text: text.clone() });
        }
        if files.is_empty() {
            let problem = format!("the example `{}` has no files", table.path);
            return Err(self.error(
                spanned.span(),
                problem,
                "add the file or folder, or take the example out",
            ));
        }
        let expect = Expected::parse(&table.expect)
            .map_err(|error| self.error(spanned.span(), error.to_string(), "see docs/authors.md"))?;
        Ok(Example { name: table.path.clone(), title: table.title.clone(), files, expect })
    }
}

fn mutants(closed: &Folder) -> Result<Vec<Mutant>, LoadError> {
    let mut mutants = Vec::new();
    for (path, text) in
        closed.files.iter().filter(|(path, _)| path.starts_with("mutants/") && path.ends_with(".cu"))
    {
        let wrong = |line: u32, problem: String| {
            LoadError::new(closed.path(path), line, problem, "see docs/authors.md")
        };
        let expect = Expected::from_source(text).map_err(|(line, error)| wrong(line, error.to_string()))?;
        if expect.is_empty() {
            return Err(wrong(1, "a mutant begins with what it must give: `// expect: …`".to_owned()));
        }
        mutants.push(Mutant { file: TextFile { name: path.clone(), text: text.clone() }, expect });
    }
    Ok(mutants)
}
