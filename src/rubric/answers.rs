//! Answers against their questions: form and range, and a pasted transcript where one was handed in.
//!
//! Whether a count is *right* is never asked: a race may show on none of a hundred runs, and zero is an honest answer.

use crate::exercise::{Exercise, MadeEdit, Question, QuestionKind, Scope};
use crate::record::{AnswerRecord, Notice};
use crate::submission::{Submission, transcript};

/// Longest answer kept, in characters.
const LONGEST: usize = 4_000;

/// One record a question, in the exercise's order, and what is to be said about them. `form` is `ok`, `missing`,
/// `malformed` or `contradicts-transcript`.
pub fn record(exercise: &Exercise, submission: &Submission) -> (Vec<AnswerRecord>, Vec<Notice>) {
    let pasted = Pasted::read(submission);
    let mut notices = unknown_answers(exercise, submission);
    let mut records = Vec::new();
    for question in &exercise.questions {
        let value =
            submission.answers.iter().find(|(id, _)| is_named(id, &question.id)).map(|(_, value)| value);
        let outcome = match (&question.kind, value) {
            (_, Some(value)) if is_blank(value) => Outcome::missing(),
            (QuestionKind::Count { .. }, value) => count(exercise, question, value, &pasted, &mut notices),
            (_, None) => Outcome::missing(),
            (QuestionKind::Sentence { .. }, Some(value)) => sentence(question, value, &mut notices),
            (QuestionKind::Choice { options, .. }, Some(value)) => {
                choice(question, options, value, &mut notices)
            }
        };
        records.push(AnswerRecord {
            id: question.id.clone(),
            question: question.text.clone(),
            given: cut(&outcome.given),
            form: outcome.form.to_owned(),
        });
    }
    let missing: Vec<&str> = records.iter().filter(|r| r.form == "missing").map(|r| r.id.as_str()).collect();
    if !missing.is_empty() {
        let message = format!("Not answered: {}. Write them in answers.toml.", missing.join(", "));
        notices.push(notice("missing-answers", message));
    }
    (records, notices)
}

struct Outcome {
    given: String,
    form: &'static str,
}

impl Outcome {
    fn missing() -> Self {
        Outcome { given: String::new(), form: "missing" }
    }

    fn malformed(value: &toml::Value) -> Self {
        Outcome { given: shown(value), form: "malformed" }
    }
}

fn notice(kind: &str, message: String) -> Notice {
    Notice { kind: kind.to_owned(), message, file: String::new(), line: 0 }
}

/// Whether an answer's key means the question: case, `-` for `_` and a table around it make no difference.
fn is_named(key: &str, id: &str) -> bool {
    let plain = |text: &str| text.trim().to_lowercase().replace(['-', ' '], "_");
    plain(key) == plain(id) || key.rsplit_once('.').is_some_and(|(_, last)| plain(last) == plain(id))
}

fn unknown_answers(exercise: &Exercise, submission: &Submission) -> Vec<Notice> {
    let known: Vec<&str> = exercise.questions.iter().map(|question| question.id.as_str()).collect();
    let unknown = submission.answers.iter().filter(|(key, _)| !known.iter().any(|id| is_named(key, id)));
    unknown
        .take(20)
        .map(|(key, _)| {
            let message =
                format!("`{}` answers no question; the questions are {}.", cut(key), known.join(", "));
            notice("unknown-answer", message)
        })
        .collect()
}

fn is_blank(value: &toml::Value) -> bool {
    match value {
        toml::Value::String(text) => text.trim().is_empty(),
        toml::Value::Array(items) => items.is_empty(),
        _ => false,
    }
}

fn count(
    exercise: &Exercise,
    question: &Question,
    value: Option<&toml::Value>,
    pasted: &Pasted,
    notices: &mut Vec<Notice>,
) -> Outcome {
    let QuestionKind::Count { max, configuration, kernel, repeats } = &question.kind else {
        return Outcome::missing();
    };
    let most = max.eval(&Scope::from(&exercise.constants)).unwrap_or(i64::MAX);
    let printed = pasted.counts(kernel, blocks(exercise, configuration, kernel));
    let repeats = *repeats as usize;
    let Some(value) = value else { return from_transcript(question, &printed, repeats, notices) };
    let Some(counts) = whole_numbers(value).filter(|counts| counts.len() == 1 || counts.len() == repeats)
    else {
        let form =
            if repeats == 1 { "one whole number".to_owned() } else { format!("{repeats} whole numbers") };
        let message = format!("`{}` is {}, expected {form} from 0 to {most}.", question.id, shown(value));
        notices.push(notice("answer-malformed", message));
        return Outcome::malformed(value);
    };
    if let Some(outside) = counts.iter().find(|count| !(0..=most).contains(*count)) {
        let message = format!("`{}`: {outside} is outside 0 to {most}.", question.id);
        notices.push(notice("answer-out-of-range", message));
        return Outcome::malformed(value);
    }
    let given = listed(&counts);
    let contradicted =
        counts.iter().find(|count| !printed.is_empty() && !printed.iter().any(|p| p.count == **count));
    if let Some(count) = contradicted {
        let (seen, file) = (listed(&printed.iter().map(|p| p.count).collect::<Vec<_>>()), &printed[0].file);
        let message = format!("`{}` is {count}, and {file} shows {seen} for {kernel}.", question.id);
        notices.push(notice("answer-contradicts-transcript", message));
        return Outcome { given, form: "contradicts-transcript" };
    }
    Outcome { given, form: "ok" }
}

/// A count that was not written down but pasted. Of several runs of one size the first is as given, and the repeated
/// experiment comes last, as the exercise asks for them.
fn from_transcript(
    question: &Question,
    printed: &[Printed],
    repeats: usize,
    notices: &mut Vec<Notice>,
) -> Outcome {
    if printed.len() < repeats {
        return Outcome::missing();
    }
    let used = if repeats == 1 { &printed[..1] } else { &printed[printed.len() - repeats..] };
    let given = listed(&used.iter().map(|p| p.count).collect::<Vec<_>>());
    let message = format!("`{}` was not answered; {given} was taken from {}.", question.id, used[0].file);
    notices.push(notice("answer-from-transcript", message));
    Outcome { given, form: "ok" }
}

/// Blocks of a kernel's launch in a configuration, which tells one pasted run from another.
fn blocks(exercise: &Exercise, configuration: &str, kernel: &str) -> Option<i64> {
    let configuration = exercise.configurations.iter().find(|c| c.name == configuration)?;
    let row = exercise.rows.iter().find(|row| row.label == kernel)?;
    let mut scope = Scope::from(&exercise.constants);
    for edit in &configuration.edits {
        if let MadeEdit::Constant { name, value } = edit {
            scope.set(name.clone(), *value);
        }
    }
    row.grid.eval(&scope).ok()
}

fn sentence(question: &Question, value: &toml::Value, notices: &mut Vec<Notice>) -> Outcome {
    match value {
        toml::Value::String(text) => Outcome { given: text.trim().to_owned(), form: "ok" },
        other => {
            let message = format!("`{}` is {}, expected a sentence in quotes.", question.id, shown(other));
            notices.push(notice("answer-malformed", message));
            Outcome::malformed(other)
        }
    }
}

fn choice(
    question: &Question,
    options: &[String],
    value: &toml::Value,
    notices: &mut Vec<Notice>,
) -> Outcome {
    let given = shown(value);
    let word = given.trim().trim_end_matches('.').to_lowercase();
    match options.iter().find(|option| option.to_lowercase() == word) {
        Some(option) => Outcome { given: option.clone(), form: "ok" },
        None => {
            let message = format!("`{}` is {given}, expected one of {}.", question.id, options.join(", "));
            notices.push(notice("answer-malformed", message));
            Outcome::malformed(value)
        }
    }
}

/// `3`, `"3"`, `"3 of 100"`, `3.0`, or a list of these.
fn whole_numbers(value: &toml::Value) -> Option<Vec<i64>> {
    match value {
        toml::Value::Array(items) if items.len() <= 100 => items.iter().map(whole_number).collect(),
        single => whole_number(single).map(|count| vec![count]),
    }
}

fn whole_number(value: &toml::Value) -> Option<i64> {
    match value {
        toml::Value::Integer(count) => Some(*count),
        toml::Value::Float(count) if count.fract() == 0.0 && count.abs() < 1e15 => Some(*count as i64),
        toml::Value::String(text) => {
            let text = text.trim();
            let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
            let (number, rest) = text.split_at(digits);
            let rest = rest.trim_start();
            let is_of = rest.is_empty() || rest.starts_with("of ") || rest.starts_with('/');
            number.parse().ok().filter(|_| is_of)
        }
        _ => None,
    }
}

fn listed(counts: &[i64]) -> String {
    counts.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")
}

fn shown(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => cut(text),
        other => cut(&other.to_string()),
    }
}

fn cut(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST).chain(" … (cut)".chars()).collect()
}

/// A count in pasted output.
struct Printed {
    kernel: String,
    blocks: Option<i64>,
    count: i64,
    file: String,
}

/// Every count in the pasted output, in order of files and lines.
struct Pasted(Vec<Printed>);

impl Pasted {
    fn read(submission: &Submission) -> Self {
        let mut found = Vec::new();
        for file in &submission.transcripts {
            for row in transcript::rows(&file.text) {
                let Some(count) = row.wrong.or(row.mismatches).and_then(|count| i64::try_from(count).ok())
                else {
                    continue;
                };
                let blocks = row.blocks.and_then(|blocks| i64::try_from(blocks).ok());
                found.push(Printed { kernel: row.kernel, blocks, count, file: file.name.clone() });
            }
        }
        Pasted(found)
    }

    /// The counts of one kernel in runs of that many blocks, or of a size that the output does not tell.
    fn counts(&self, kernel: &str, blocks: Option<i64>) -> Vec<Printed> {
        let same_size = |printed: &&Printed| printed.blocks.is_none() || printed.blocks == blocks;
        let rows = self.0.iter().filter(|printed| printed.kernel == kernel).filter(same_size);
        rows.map(|p| Printed {
            kernel: p.kernel.clone(),
            blocks: p.blocks,
            count: p.count,
            file: p.file.clone(),
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exercise::Catalogue;
    use crate::submission::SourceFile;

    fn day27(answers: &str, output: &[&str]) -> (Vec<AnswerRecord>, Vec<Notice>) {
        let exercise = Catalogue::embedded().load("day27-memory-model").expect("the exercise loads");
        let table: toml::Table = answers.parse().expect("the answers are TOML");
        let file = |(i, text): (usize, &&str)| SourceFile {
            name: format!("out{i}.txt"),
            text: (*text).to_owned(),
            cell: None,
        };
        let submission = Submission {
            answers: table.into_iter().collect(),
            transcripts: output.iter().enumerate().map(file).collect(),
            ..Submission::default()
        };
        record(&exercise, &submission)
    }

    fn run(blocks: u32, racy: u32, fenced: u32) -> String {
        format!(
            "{blocks} blocks x 256 threads, 100 launches per kernel\n\
             kernel                runs  wrong  first bad run     total there\n\
             sumLastBlockRacy       100      {racy}              -               -\n\
             sumLastBlockFenced     100      {fenced}              -               -\n"
        )
    }

    fn forms(records: &[AnswerRecord]) -> Vec<&str> {
        records.iter().map(|record| record.form.as_str()).collect()
    }

    #[test]
    fn zero_is_an_honest_answer() {
        let (records, notices) = day27(
            "wrong_as_given = 0\nwrong-fence-below = [0, 0, 0]\nWrong_Blocks_8192 = \"0 of 100\"\nwhy = \"because\"\n",
            &[],
        );
        assert_eq!(forms(&records), ["ok", "ok", "ok", "ok"]);
        assert_eq!(records[1].given, "0, 0, 0");
        assert_eq!(notices, []);
    }

    #[test]
    fn form_and_range_are_checked() {
        let (records, notices) = day27(
            "wrong_as_given = 101\nwrong_fence_below = [0, 0]\nwrong_blocks_8192 = \"none\"\nwhy = 3\nwhat = 1\n",
            &[],
        );
        assert_eq!(forms(&records), ["malformed", "malformed", "malformed", "malformed"]);
        let kinds: Vec<&str> = notices.iter().map(|notice| notice.kind.as_str()).collect();
        let malformed = "answer-malformed";
        assert_eq!(kinds, ["unknown-answer", "answer-out-of-range", malformed, malformed, malformed]);
        assert!(notices[1].message.contains("101 is outside 0 to 100"), "{}", notices[1].message);
    }

    #[test]
    fn a_pasted_transcript_is_compared() {
        let (records, notices) = day27(
            "wrong_as_given = 3\nwrong_fence_below = 4\nwrong_blocks_8192 = 7\n",
            &[&run(1024, 3, 0), &run(1024, 2, 4), &run(8192, 9, 0)],
        );
        assert_eq!(forms(&records), ["ok", "ok", "contradicts-transcript", "missing"]);
        assert!(notices.iter().any(|n| n.message.contains("is 7, and out2.txt shows 9")), "{notices:?}");
    }

    #[test]
    fn what_was_only_pasted_is_taken() {
        let runs = [run(1024, 5, 0), run(1024, 1, 11), run(1024, 1, 12), run(1024, 1, 13), run(8192, 9, 0)];
        let (records, _) = day27("", &runs.iter().map(String::as_str).collect::<Vec<_>>());
        let given: Vec<&str> = records.iter().map(|record| record.given.as_str()).collect();
        assert_eq!(given, ["5", "11, 12, 13", "9", ""]);
        assert_eq!(forms(&records), ["ok", "ok", "ok", "missing"]);
    }
}
