//! Text in a terminal's width.

use unicode_width::UnicodeWidthStr;

/// `text` in lines of at most `width` columns, broken at blanks; its own line ends stay. A word longer than a
/// line is cut.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(16);
    let mut lines = Vec::new();
    for paragraph in text.split('\n') {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && line.width() + 1 + word.width() > width {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            for c in word.chars() {
                if line.width() >= width {
                    lines.push(std::mem::take(&mut line));
                }
                line.push(c);
            }
        }
        lines.push(line);
    }
    lines
}

/// The same as one text, every line after the first behind `indent`.
pub(super) fn hanging(text: &str, width: usize, indent: &str) -> String {
    wrap(text, width.saturating_sub(indent.width())).join(&format!("\n{indent}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_wider() {
        let text = "a fence orders what stands above it 長い単語長い単語長い単語長い単語 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
        assert!(wrap(text, 20).iter().all(|line| line.width() <= 21));
        assert_eq!(wrap("one two\nthree", 20), ["one two", "three"]);
    }
}
