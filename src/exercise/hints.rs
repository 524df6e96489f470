//! `hints.md`: one hint a `##` heading, in order of helpfulness.
//!
//! A heading may name what it is for: `## Name the two lines {missing-fence, fence-after-announcement}` is shown first
//! when one of those rules (or notice kinds) was found.

use super::Hint;

/// Reads hints. Text before the first heading introduces the file and is no hint.
pub fn parse(text: &str) -> Vec<Hint> {
    let mut hints: Vec<Hint> = Vec::new();
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            let (title, when) = heading_parts(heading);
            hints.push(Hint { title, text: String::new(), when });
        } else if let Some(hint) = hints.last_mut() {
            hint.text.push_str(line);
            hint.text.push('\n');
        }
    }
    for hint in &mut hints {
        hint.text = hint.text.trim().to_owned();
    }
    hints
}

fn heading_parts(heading: &str) -> (String, Vec<String>) {
    let heading = heading.trim();
    match heading.strip_suffix('}').and_then(|rest| rest.rsplit_once('{')) {
        Some((title, words)) => {
            let when =
                words.split(',').map(|word| word.trim().to_owned()).filter(|word| !word.is_empty()).collect();
            (title.trim().to_owned(), when)
        }
        None => (heading.to_owned(), Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_become_hints_with_their_rules() {
        let hints =
            parse("# Hints\nintro\n## First\n\na\n\nb\n## Second {missing-fence, compile-error}\nc\n");
        assert_eq!(hints.len(), 2);
        assert_eq!((hints[0].title.as_str(), hints[0].text.as_str()), ("First", "a\n\nb"));
        assert_eq!(hints[1].title, "Second");
        assert_eq!(hints[1].when, ["missing-fence", "compile-error"]);
    }
}
