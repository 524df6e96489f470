//! The questions of `exercise.toml`.

use toml::Spanned;

use super::error::LoadError;
use super::load::Reader;
use super::schema::{KindName, QuestionTable};
use super::{Configuration, Idea, Question, QuestionKind, RowPlan};

impl Reader<'_> {
    pub(super) fn questions(
        &self,
        tables: &[Spanned<QuestionTable>],
        configurations: &[Configuration],
        rows: &[RowPlan],
    ) -> Result<Vec<Question>, LoadError> {
        let mut questions: Vec<Question> = Vec::new();
        for spanned in tables {
            let table = spanned.get_ref();
            let id = table.id.get_ref();
            if questions.iter().any(|question| question.id == *id) {
                return Err(self.error(
                    table.id.span(),
                    format!("the question `{id}` is asked twice"),
                    "rename one",
                ));
            }
            let kind = match table.kind {
                KindName::Count => self.count(spanned, configurations, rows)?,
                KindName::Sentence => self.sentence(spanned)?,
                KindName::Choice => self.choice(spanned)?,
            };
            questions.push(Question { id: id.clone(), text: table.text.trim().to_owned(), kind });
        }
        Ok(questions)
    }

    fn count(
        &self,
        spanned: &Spanned<QuestionTable>,
        configurations: &[Configuration],
        rows: &[RowPlan],
    ) -> Result<QuestionKind, LoadError> {
        let table = spanned.get_ref();
        let (Some(max), Some(configuration), Some(kernel)) =
            (&table.max, &table.configuration, &table.kernel)
        else {
            let advice = "write max = \"kRepeats\", configuration = \"…\", kernel = \"…\"";
            return Err(self.error(spanned.span(), "a count has max, configuration and kernel", advice));
        };
        if !configurations.iter().any(|known| known.name == *configuration) {
            let known = configurations.iter().map(|known| known.name.as_str());
            return Err(self.unknown(spanned.span(), "configuration", configuration, known));
        }
        if !rows.iter().any(|row| row.label == *kernel) {
            return Err(self.unknown(
                spanned.span(),
                "row",
                kernel,
                rows.iter().map(|row| row.label.as_str()),
            ));
        }
        Ok(QuestionKind::Count {
            max: self.expression(max, &self.constants, "the largest count", 1..=i64::MAX)?,
            configuration: configuration.clone(),
            kernel: kernel.clone(),
            repeats: table.repeats.unwrap_or(1).max(1),
        })
    }

    fn sentence(&self, spanned: &Spanned<QuestionTable>) -> Result<QuestionKind, LoadError> {
        let table = spanned.get_ref();
        let empty =
            |idea: &super::schema::IdeaTable| idea.any_of.is_empty() || idea.any_of.iter().any(Vec::is_empty);
        if table.ideas.is_empty() || table.ideas.iter().any(empty) {
            let advice = "write ideas = [{ id, title, any-of = [[\"store\", \"before\"]] }]";
            return Err(self.error(spanned.span(), "a sentence has ideas, each with any-of", advice));
        }
        let ideas = table
            .ideas
            .iter()
            .map(|idea| Idea {
                id: idea.id.clone(),
                title: idea.title.clone(),
                any_of: idea
                    .any_of
                    .iter()
                    .map(|stems| stems.iter().map(|stem| stem.to_lowercase()).collect())
                    .collect(),
            })
            .collect();
        Ok(QuestionKind::Sentence { ideas })
    }

    fn choice(&self, spanned: &Spanned<QuestionTable>) -> Result<QuestionKind, LoadError> {
        let table = spanned.get_ref();
        if table.options.len() < 2 {
            let advice = "write options = [\"a\", \"b\"]";
            return Err(self.error(spanned.span(), "a choice has at least two options", advice));
        }
        if let Some(right) = table.right.as_ref().filter(|right| !table.options.contains(right)) {
            return Err(self.unknown(
                spanned.span(),
                "option",
                right,
                table.options.iter().map(String::as_str),
            ));
        }
        Ok(QuestionKind::Choice { options: table.options.clone(), right: table.right.clone() })
    }
}
