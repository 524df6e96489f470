//! Characters by which a file is not what it looks like: letters of another alphabet in names, and marks that turn the
//! order of the text around on a screen.

use super::items::Source;
use super::lex::{Lexed, TokenKind};
use super::model::Patched;

/// Tells of the first of each kind.
pub(super) fn report(source: &Source, out: &mut Patched) {
    let lexed = &source.lexed;
    if let Some((at, mark)) = lexed.text.char_indices().find(|(_, c)| turns_text(*c)) {
        let message = format!(
            "The character U+{:04X} on this line turns the text around where it is shown; it is graded in the order in \
             which it stands in the file.",
            mark as u32
        );
        out.notice("turned-text", lexed.line(at), message);
    }
    if let Some((at, letter)) = look_alike(lexed) {
        let message = format!(
            "A name on this line has the letter `{letter}` (U+{:04X}), which is not the Latin letter that it looks like: \
             type the name again.",
            letter as u32
        );
        out.notice("look-alike-letter", lexed.line(at), message);
    }
}

/// Bidirectional overrides, embeddings, isolates and marks.
fn turns_text(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{200E}' | '\u{200F}' | '\u{061C}')
}

/// A letter that is not ASCII and touches a name: neither NVRTC nor a student takes it for what it is.
fn look_alike(lexed: &Lexed) -> Option<(usize, char)> {
    lexed.tokens.iter().enumerate().find_map(|(i, token)| {
        if matches!(token.kind, TokenKind::Text | TokenKind::Directive(_)) {
            return None;
        }
        let letter = token.text.chars().find(|c| c.is_alphabetic() && !c.is_ascii())?;
        let is_word = |other: Option<&super::lex::Token>| other.is_some_and(|t| t.kind == TokenKind::Word);
        let before = i.checked_sub(1).and_then(|i| lexed.tokens.get(i)).filter(|t| t.end == token.start);
        let after = lexed.tokens.get(i + 1).filter(|t| t.start == token.end);
        let touches = token.kind == TokenKind::Word || is_word(before) || is_word(after);
        touches.then_some((token.start, letter))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(String, u32)> {
        let mut out = Patched::default();
        report(&Source::new(text, &[]), &mut out);
        out.notices.into_iter().map(|notice| (notice.kind, notice.line)).collect()
    }

    #[test]
    fn only_what_deceives_is_told() {
        assert_eq!(kinds("int a; // größer, е, \u{1F600}\nconst char* s = \"ж\";\n"), []);
        assert_eq!(kinds("int a;\n__syncthr\u{435}ads();\n"), [("look-alike-letter".to_owned(), 2)]);
        assert_eq!(kinds("int a; /* \u{202E} */\n"), [("turned-text".to_owned(), 1)]);
    }
}
