//! A rubric's names against the exercise that they are about.

use super::{CriterionKind, CriterionPlan, ExerciseRubric, Rubric};
use crate::exercise::{Exercise, LoadError, QuestionKind};

impl Rubric {
    /// The rubric of one exercise, every name in it known to the exercise.
    ///
    /// # Errors
    /// When the exercise has no rubric, or a criterion names what the exercise does not have.
    pub fn exercise(&self, exercise: &Exercise) -> Result<&ExerciseRubric, LoadError> {
        let Some(rubric) = self.exercises.get(&exercise.id) else {
            let problem = format!("the exercise `{}` has no rubric", exercise.id);
            let advice = format!("add [exercises.{}] with its points and criteria", exercise.id);
            return Err(LoadError::new(&self.file, 0, problem, advice));
        };
        for criterion in &rubric.criteria {
            check(criterion, exercise)
                .map_err(|(problem, advice)| LoadError::new(&self.file, criterion.line, problem, advice))?;
        }
        Ok(rubric)
    }
}

type Problem = (String, String);

fn check(criterion: &CriterionPlan, exercise: &Exercise) -> Result<(), Problem> {
    let labels: Vec<&str> = exercise.rows.iter().map(|row| row.label.as_str()).collect();
    let configurations: Vec<&str> = exercise.configurations.iter().map(|c| c.name.as_str()).collect();
    let questions: Vec<&str> = exercise.questions.iter().map(|q| q.id.as_str()).collect();
    let id = &criterion.id;
    let known = |what: &str, name: &str, known: &[&str]| {
        if known.contains(&name) {
            return Ok(());
        }
        Err((format!("`{id}` names the {what} `{name}`, which the exercise does not have"), listed(known)))
    };
    match &criterion.kind {
        CriterionKind::Gate { configuration, kernel }
        | CriterionKind::Verdict { configuration, kernel }
        | CriterionKind::Rule { configuration, kernel, .. } => {
            known("configuration", configuration, &configurations)?;
            known("row", kernel, &labels)
        }
        CriterionKind::Hidden { kernels } => {
            if exercise.instances.is_empty() {
                let advice = "add [[instances]] to exercise.toml, or take the criterion out".to_owned();
                return Err((format!("`{id}` asks for hidden instances, and the exercise has none"), advice));
            }
            kernels.iter().try_for_each(|kernel| known("row", kernel, &labels))
        }
        CriterionKind::NoErrors { configuration, kernels } => {
            known("configuration", configuration, &configurations)?;
            kernels.iter().try_for_each(|kernel| known("row", kernel, &labels))
        }
        CriterionKind::Edit { configuration } => known("configuration", configuration, &configurations),
        CriterionKind::Answers { questions: asked } => {
            asked.iter().try_for_each(|question| known("question", question, &questions))?;
            match asked.iter().find(|question| is_sentence(exercise, question)) {
                Some(question) => Err((
                    format!("`{id}` counts the sentence `{question}` as an answer of right form"),
                    "give it a criterion of kind sentence".to_owned(),
                )),
                None => Ok(()),
            }
        }
        CriterionKind::Sentence { question } => {
            known("question", question, &questions)?;
            if is_sentence(exercise, question) {
                return Ok(());
            }
            Err((
                format!("`{id}` reads `{question}` as a sentence, and it is none"),
                "use kind answers".to_owned(),
            ))
        }
        CriterionKind::Manual => Ok(()),
    }
}

fn is_sentence(exercise: &Exercise, question: &str) -> bool {
    exercise.questions.iter().any(|q| q.id == question && matches!(q.kind, QuestionKind::Sentence { .. }))
}

fn listed(known: &[&str]) -> String {
    if known.is_empty() { "it has none".to_owned() } else { format!("known: {}", known.join(", ")) }
}
