//! From the text of `rubric.toml` to a [`Rubric`].

use std::ops::Range;

use toml::Spanned;

use super::schema::{CriterionTable, ExerciseTable, FORMAT, KindName, RubricFile};
use super::{CriterionKind, CriterionPlan, ExerciseRubric, LatePolicy, Rubric};
use crate::exercise::{LoadError, line_of};

impl Rubric {
    /// Reads a rubric. Names of kernels, configurations and questions are checked by [`Rubric::exercise`], which knows
    /// the exercise.
    ///
    /// # Errors
    /// The first mistake found, with its line.
    pub fn parse(file: &str, text: &str) -> Result<Self, LoadError> {
        let raw: RubricFile =
            toml::from_str(text).map_err(|error| LoadError::from_toml(file, text, &error))?;
        let reader = Reader { file, text };
        if *raw.format.get_ref() != FORMAT {
            let problem = format!("format {} is not known, expected {FORMAT}", raw.format.get_ref());
            return Err(reader.error(raw.format.span(), problem, "use a grader that knows this format"));
        }
        let late = reader.late(raw.late.as_ref())?;
        let mut exercises = std::collections::BTreeMap::new();
        for (id, table) in &raw.exercises {
            exercises.insert(id.clone(), reader.exercise(id, table, late)?);
        }
        Ok(Rubric { file: file.to_owned(), late, exercises })
    }
}

struct Reader<'a> {
    file: &'a str,
    text: &'a str,
}

impl Reader<'_> {
    fn error(&self, span: Range<usize>, problem: impl Into<String>, advice: impl Into<String>) -> LoadError {
        LoadError::new(self.file, line_of(self.text, &span), problem, advice)
    }

    fn late(&self, policy: Option<&Spanned<LatePolicy>>) -> Result<Option<LatePolicy>, LoadError> {
        let Some(policy) = policy else { return Ok(None) };
        match policy.get_ref().problem() {
            Some(problem) => Err(self.error(policy.span(), problem, "percentages are of the full points")),
            None => Ok(Some(*policy.get_ref())),
        }
    }

    fn exercise(
        &self,
        id: &str,
        spanned: &Spanned<ExerciseTable>,
        late: Option<LatePolicy>,
    ) -> Result<ExerciseRubric, LoadError> {
        let table = spanned.get_ref();
        let mut criteria: Vec<CriterionPlan> = Vec::new();
        for criterion in &table.criteria {
            let plan = self.criterion(criterion)?;
            if criteria.iter().any(|other| other.id == plan.id) {
                let problem = format!("`{id}` has two criteria called `{}`", plan.id);
                return Err(self.error(criterion.get_ref().id.span(), problem, "rename one"));
            }
            criteria.push(plan);
        }
        let sum: f64 = criteria.iter().map(|criterion| criterion.points).sum();
        let points = *table.points.get_ref();
        if (sum - points).abs() > 1e-9 {
            let problem = format!("the criteria of `{id}` add up to {sum} points, and points is {points}");
            return Err(self.error(table.points.span(), problem, "make the two agree"));
        }
        let late = self.late(table.late.as_ref())?.or(late);
        Ok(ExerciseRubric { exercise: id.to_owned(), points, criteria, late })
    }

    fn criterion(&self, spanned: &Spanned<CriterionTable>) -> Result<CriterionPlan, LoadError> {
        let table = spanned.get_ref();
        let points = *table.points.get_ref();
        if !points.is_finite() || points < 0.0 {
            return Err(self.error(table.points.span(), format!("points is {points}"), "write 0 or more"));
        }
        self.check_keys(spanned)?;
        let configuration = table.configuration.clone().unwrap_or_default();
        let kernel = table.kernel.clone().unwrap_or_default();
        let kernels = table.kernels.clone().unwrap_or_default();
        let kind = match table.kind {
            KindName::Gate => CriterionKind::Gate { configuration, kernel },
            KindName::Hidden => CriterionKind::Hidden { kernels },
            KindName::Verdict => CriterionKind::Verdict { configuration, kernel },
            KindName::Rule => {
                CriterionKind::Rule { configuration, kernel, rule: table.rule.clone().unwrap_or_default() }
            }
            KindName::NoErrors => CriterionKind::NoErrors { configuration, kernels },
            KindName::Edit => CriterionKind::Edit { configuration },
            KindName::Answers => {
                CriterionKind::Answers { questions: table.questions.clone().unwrap_or_default() }
            }
            KindName::Sentence => {
                CriterionKind::Sentence { question: table.question.clone().unwrap_or_default() }
            }
            KindName::Manual => CriterionKind::Manual,
        };
        Ok(CriterionPlan {
            id: table.id.get_ref().clone(),
            title: table.title.clone(),
            points,
            kind,
            provisional: table.provisional,
            line: line_of(self.text, &table.id.span()),
        })
    }

    /// A kind's keys are all there, and no other kind's.
    fn check_keys(&self, spanned: &Spanned<CriterionTable>) -> Result<(), LoadError> {
        let table = spanned.get_ref();
        let given = [
            ("configuration", table.configuration.is_some()),
            ("kernel", table.kernel.is_some()),
            ("kernels", table.kernels.as_ref().is_some_and(|list| !list.is_empty())),
            ("rule", table.rule.is_some()),
            ("question", table.question.is_some()),
            ("questions", table.questions.as_ref().is_some_and(|list| !list.is_empty())),
        ];
        let wanted = table.kind.keys();
        for (key, is_given) in given {
            let is_wanted = wanted.contains(&key);
            if is_given == is_wanted {
                continue;
            }
            let (id, kind) = (table.id.get_ref(), table.kind.word());
            let problem = if is_wanted {
                format!("`{id}` is a {kind} criterion without `{key}`")
            } else {
                format!("`{id}` is a {kind} criterion, which takes no `{key}`")
            };
            let advice = match wanted {
                [] => "it takes no further keys".to_owned(),
                keys => format!("it takes {}", keys.join(", ")),
            };
            return Err(self.error(table.id.span(), problem, advice));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "format = 1\n[exercises.a]\npoints = 10\n";

    fn problem(text: &str) -> (u32, String) {
        let error = Rubric::parse("rubric.toml", text).expect_err("the rubric is wrong");
        (error.line, error.to_string())
    }

    #[test]
    fn a_rubric_is_read() {
        let text = format!(
            "{HEAD}late = {{ per-day-percent = 10 }}\n[[exercises.a.criteria]]\nid = \"g\"\ntitle = \"G\"\n\
             points = 10\nkind = \"gate\"\nconfiguration = \"c\"\nkernel = \"k\"\n"
        );
        let rubric = Rubric::parse("rubric.toml", &text).unwrap();
        let exercise = &rubric.exercises["a"];
        assert_eq!(exercise.late.map(|late| late.cap_percent), Some(100.0));
        let kind = CriterionKind::Gate { configuration: "c".into(), kernel: "k".into() };
        assert_eq!((exercise.criteria[0].line, &exercise.criteria[0].kind), (6, &kind));
    }

    #[test]
    fn every_mistake_has_its_line() {
        let criterion =
            |rest: &str| format!("{HEAD}[[exercises.a.criteria]]\nid = \"g\"\ntitle = \"G\"\n{rest}\n");
        let (line, text) = problem(&criterion("points = 4\nkind = \"manual\""));
        assert_eq!(line, 3);
        assert!(text.contains("add up to 4 points, and points is 10"), "{text}");
        let (line, text) = problem(&criterion("points = 10\nkind = \"gate\"\nkernel = \"k\""));
        assert_eq!(line, 5);
        assert!(text.contains("without `configuration`; it takes configuration, kernel"), "{text}");
        let (_, text) = problem(&criterion("points = 10\nkind = \"manual\"\nrule = \"r\""));
        assert!(text.contains("takes no `rule`"), "{text}");
        let (line, text) = problem(&criterion("points = -1\nkind = \"manual\""));
        assert_eq!((line, text.contains("points is -1")), (7, true));
        let (line, text) = problem(&criterion("points = 10\nkind = \"magic\""));
        assert_eq!(line, 8);
        assert!(text.contains("magic") && text.contains("no-errors"), "{text}");
        assert_eq!(problem("format = 2\n").0, 1);
        assert_eq!(problem("format = 1\nlate = { per-day-percent = 500 }\n").0, 2);
        assert_eq!(problem("format = 1\n[exercises.a\n").0, 2);
    }
}
