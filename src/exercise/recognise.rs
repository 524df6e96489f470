//! The order of words in a region: which handed-in program has its fence below the atomic.
//!
//! A textual question with a textual answer. It only says which configuration a file is meant to be; whether the
//! program is right is the checker's to say.

use super::Recognise;

impl Recognise {
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
