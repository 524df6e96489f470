//! Which configuration a handed-in program is, by its edits.
//!
//! A textual question with a textual answer. It only says what a file is meant to be; whether the program is right is
//! the checker's to say.

use super::{Exercise, Recognise};

/// What must be known of a handed-in program to recognise it.
pub trait ProgramView {
    /// The constant's value in this program, the template's where the program does not declare it.
    fn constant(&self, name: &str) -> Option<i64>;
    /// Whether the region differs from the template's beyond comments and white space.
    fn edited(&self, region: &str) -> bool;
    /// The region's text in this program, the template's where the program does not have it.
    fn text(&self, region: &str) -> Option<&str>;
}

impl Exercise {
    /// The configuration that a program is: of those whose every condition holds, the one with the most conditions,
    /// and the first of equals. An index into [`Exercise::configurations`].
    pub fn recognise(&self, program: &dyn ProgramView) -> Option<usize> {
        let holding = self.configurations.iter().enumerate().filter(|(_, configuration)| {
            configuration.recognise.iter().all(|condition| condition.holds(program))
        });
        // `max_by_key` takes the last of equals, so the order is turned round.
        holding.rev().max_by_key(|(_, configuration)| configuration.recognise.len()).map(|(index, _)| index)
    }
}

impl Recognise {
    /// Whether this one condition holds of a program.
    pub fn holds(&self, program: &dyn ProgramView) -> bool {
        match self {
            Recognise::Constant { name, value } => program.constant(name) == Some(*value),
            Recognise::Edited { region } => program.edited(region),
            Recognise::Unedited { region } => !program.edited(region),
            Recognise::Order { region, words, after } => {
                program.text(region).is_some_and(|text| Recognise::order_holds(text, words, after))
            }
        }
    }

    /// Whether, in `text` without comments and strings, some word beginning with one of `words` stands after the first
    /// word that begins with one of `after`, and none stands before it.
    pub fn order_holds(text: &str, words: &[String], after: &[String]) -> bool {
        let found = identifiers(text);
        let starts = |word: &str, stems: &[String]| stems.iter().any(|stem| word.starts_with(stem.as_str()));
        let Some(first_after) = found.iter().position(|word| starts(word, after)) else { return false };
        let before = found[..first_after].iter().any(|word| starts(word, words));
        let below = found[first_after..].iter().any(|word| starts(word, words));
        below && !before
    }
}

/// The identifiers of C++ text in order, leaving out comments and character literals. String literals are kept,
/// because inline assembly spells its fences there.
fn identifiers(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at..].starts_with(b"//") {
            at += bytes[at..].iter().position(|b| *b == b'\n').unwrap_or(bytes.len() - at);
        } else if bytes[at..].starts_with(b"/*") {
            at = text[at + 2..].find("*/").map_or(bytes.len(), |end| at + 2 + end + 2);
        } else if is_word(bytes[at]) {
            let start = at;
            while at < bytes.len() && is_word(bytes[at]) {
                at += 1;
            }
            found.push(&text[start..at]);
        } else {
            at += 1;
        }
    }
    found
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn below(text: &str) -> bool {
        let words = ["__threadfence".to_owned(), "membar".to_owned()];
        let after = ["atomicAdd".to_owned()];
        Recognise::order_holds(text, &words, &after)
    }

    #[test]
    fn only_a_fence_that_stands_below_alone_counts() {
        assert!(below("p[0] = s; unsigned t = atomicAdd(c, 1u); __threadfence();"));
        assert!(below("atomicAdd_block(c, 1u);\n__threadfence_block();"));
        assert!(below("atomicAdd(c, 1u); asm volatile(\"membar.gl;\");"));
        assert!(!below("__threadfence(); atomicAdd(c, 1u);"));
        assert!(!below("__threadfence(); atomicAdd(c, 1u); __threadfence();"));
        assert!(!below("atomicAdd(c, 1u);"));
        assert!(!below("__threadfence();"));
    }

    #[test]
    fn comments_play_no_part() {
        assert!(below("// the __threadfence() stood here\natomicAdd(c, 1u); __threadfence();"));
        assert!(!below("atomicAdd(c, 1u); /* __threadfence(); é */ x"));
        assert!(!below("atomicAdd(c, 1u); // __threadfence()"));
        assert!(!below("/* open"));
    }
}
