//! `answers.toml`, read leniently: what can be understood is kept, what cannot is said with its line.

use toml::de::DeTable;

use super::intake::Intake;

/// Reads the answers of one file into the submission. A later answer to the same question replaces an earlier one.
pub(super) fn read(intake: &mut Intake, name: &str, text: &str) {
    let (values, problems) = parse(text);
    for (line, what) in problems {
        let message = format!("{name}, line {line}: {what}.");
        intake.notice("answers-malformed", message, name, line);
    }
    for (id, value) in values {
        let answers = &mut intake.submission.answers;
        if let Some(at) = answers.iter().position(|(known, _)| *known == id) {
            answers[at].1 = value;
            let message = format!("`{id}` is answered more than once; the answer in {name} is used.");
            intake.notice("answer-twice", message, name, 0);
        } else {
            answers.push((id, value));
        }
    }
}

type Values = Vec<(String, toml::Value)>;

/// Ids with values, and problems with their 1-based lines. `[answers]` and other tables are transparent.
fn parse(text: &str) -> (Values, Vec<(u32, String)>) {
    match text.parse::<toml::Table>() {
        Ok(table) => (flatten(table), Vec::new()),
        Err(_) => salvage(text),
    }
}

/// What is left when one statement is wrong: the statements that parse alone.
fn salvage(text: &str) -> (Values, Vec<(u32, String)>) {
    let (_, errors) = DeTable::parse_recoverable(text);
    let mut problems: Vec<(u32, String)> = Vec::new();
    for error in errors {
        let at = error.span().map_or(0, |span| span.start.min(text.len()));
        let line = line_of(text, at);
        // One problem a line: those that follow it there are its echo.
        if problems.iter().all(|(known, _)| *known != line) && problems.len() < 20 {
            problems.push((line, error.message().lines().collect::<Vec<_>>().join(" ")));
        }
    }
    let mut values = Values::new();
    for statement in statements(text) {
        if let Ok(table) = statement.parse::<toml::Table>() {
            for (id, value) in flatten(table) {
                match values.iter().position(|(known, _)| *known == id) {
                    Some(at) => values[at].1 = value,
                    None => values.push((id, value)),
                }
            }
        }
    }
    if problems.is_empty() {
        problems.push((1, "this is not TOML: write one `name = value` a line".to_owned()));
    }
    (values, problems)
}

/// Runs of lines that begin with `name =`, up to the next such line or table header.
fn statements(text: &str) -> Vec<String> {
    let mut runs: Vec<String> = Vec::new();
    for line in text.lines() {
        let key = line.split('=').next().unwrap_or_default().trim();
        let is_key = line.contains('=')
            && !key.is_empty()
            && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '"' | '\'' | ' '));
        let is_header = line.trim_start().starts_with('[') && line.trim_end().ends_with(']');
        if is_key || is_header || runs.is_empty() {
            runs.push(String::new());
        }
        if !is_header && let Some(run) = runs.last_mut() {
            run.push_str(line);
            run.push('\n');
        }
    }
    runs
}

fn flatten(table: toml::Table) -> Values {
    let mut values = Values::new();
    for (key, value) in table {
        match value {
            toml::Value::Table(inner) if key == "answers" => values.extend(flatten(inner)),
            toml::Value::Table(inner) => {
                values.extend(flatten(inner).into_iter().map(|(id, value)| (format!("{key}.{id}"), value)));
            }
            value => values.push((key, value)),
        }
    }
    values
}

fn line_of(text: &str, at: usize) -> u32 {
    let newlines = text.as_bytes()[..at].iter().filter(|&&b| b == b'\n').count();
    u32::try_from(newlines + 1).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn types_are_kept_and_tables_are_transparent() {
        let (values, problems) = parse("wrong = 3\nlist = [0, 0, 1]\n[answers]\nwhy = \"because\"\n");
        assert_eq!(problems, []);
        let value = |id: &str| &values.iter().find(|(known, _)| known == id).unwrap().1;
        assert_eq!(value("wrong"), &toml::Value::Integer(3));
        assert_eq!(value("list").as_array().map(Vec::len), Some(3));
        assert_eq!(value("why"), &toml::Value::String("because".into()));
    }

    #[test]
    fn one_bad_line_costs_that_line_alone() {
        let (values, problems) = parse("a = 1\nwhy = it is the same bug\nb = 2\n");
        assert_eq!(values.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(problems.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2]);
    }

    proptest! {
        #[test]
        fn any_text_is_answered(text in "\\PC{0,200}") {
            parse(&text);
        }

        #[test]
        fn any_toml_like_text_is_answered(text in "([a-c]|=|\\[|\\]|\"|'|\\{|\\}|\n|\\.|#|1| |,){0,120}") {
            parse(&text);
        }
    }
}
