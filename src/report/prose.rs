//! Sentences of the record: plain text in which backquotes delimit code.

use super::inert::visible;

/// A piece of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    Text(&'a str),
    Code(&'a str),
}

/// Splits at pairs of backquotes; a backquote without a partner is text.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find('`') {
        let after = &rest[open + 1..];
        let Some(close) = after.find('`') else { break };
        if close == 0 || after[..close].contains('\n') {
            found.push(Piece::Text(&rest[..open + 1 + close]));
            rest = &after[close..];
            continue;
        }
        found.push(Piece::Text(&rest[..open]));
        found.push(Piece::Code(&after[..close]));
        rest = &after[close + 1..];
    }
    found.push(Piece::Text(rest));
    found.retain(|piece| !matches!(piece, Piece::Text("")));
    found
}

/// The five characters of HTML, escaped for text and for quoted attributes; active characters shown.
pub(super) fn escape_html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + text.len() / 8);
    for c in visible(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// A sentence as HTML: everything escaped, code in `<code>`.
pub(super) fn prose_html(text: &str) -> String {
    pieces(text)
        .into_iter()
        .map(|piece| match piece {
            Piece::Text(text) => escape_html(text),
            Piece::Code(code) => format!("<code>{}</code>", escape_html(code)),
        })
        .collect()
}

/// A sentence as Markdown: everything escaped, code in code spans, on one line.
pub(super) fn prose_markdown(text: &str) -> String {
    let line = super::inert::one_line(text);
    pieces(&line)
        .into_iter()
        .map(|piece| match piece {
            Piece::Text(text) => escape_markdown(text),
            Piece::Code(code) => code_span(code),
        })
        .collect()
}

/// Text in which no character of Markdown (or HTML within it) is live. What cannot become markup where it
/// stands is left alone, so that the text reads well as it is too: `tile[31]`, `a_b`, `Note: x`.
pub(super) fn escape_markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + text.len() / 8);
    let brackets = ["](", "]:", "][", "[^"].iter().any(|link| text.contains(link));
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let after = &text[at + c.len_utf8()..];
        let inside_word = |c: char| c.is_alphanumeric() || c == '_';
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            // GitHub's flavour links bare addresses.
            ':' if after.starts_with("//")
                || text[..at].ends_with("mailto")
                || text[..at].ends_with("xmpp") =>
            {
                escaped.push_str("&#58;");
            }
            '.' if text[..at].to_ascii_lowercase().ends_with("www") => escaped.push_str("&#46;"),
            '@' => escaped.push_str("&#64;"),
            '_' if inside_word(before) && after.starts_with(inside_word) => escaped.push('_'),
            '[' | ']' if !brackets => escaped.push(c),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' | '$' => {
                escaped.push('\\');
                escaped.push(c);
            }
            c => escaped.push(c),
        }
        before = c;
    }
    // What would begin a list, a rule or a heading at the start of a line.
    match escaped.trim_start().chars().next() {
        Some('-' | '+' | '=') => {
            let at = escaped.len() - escaped.trim_start().len();
            escaped.insert(at, '\\');
        }
        Some(c) if c.is_ascii_digit() => {
            let end = escaped.find(|c: char| !c.is_ascii_digit()).unwrap_or(escaped.len());
            if escaped[end..].starts_with(['.', ')']) {
                escaped.insert(end, '\\');
            }
        }
        _ => {}
    }
    escaped
}

/// A code span that holds any text on one line, also in a table's cell.
pub(super) fn code_span(text: &str) -> String {
    let text = super::inert::one_line(text).replace('|', "¦");
    if text.is_empty() {
        return String::new();
    }
    let fence = "`".repeat(longest_run(&text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// A fenced block that holds any text.
pub(super) fn code_block(language: &str, text: &str) -> String {
    let text = visible(text);
    let fence = "`".repeat(longest_run(&text).max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}", text.trim_end_matches('\n'))
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_marked_and_escaped() {
        assert_eq!(prose_html("a < `b<c>` & `"), "a &lt; <code>b&lt;c&gt;</code> &amp; `");
        assert_eq!(prose_markdown("a `x|y` [b](c)"), "a `x¦y` \\[b\\](c)");
    }

    #[test]
    fn a_fence_is_longer_than_any_inside() {
        assert!(code_block("cuda", "a\n````\nb").starts_with("`````cuda\n"));
    }

    #[test]
    fn nothing_at_the_start_of_a_line_is_live() {
        assert_eq!(escape_markdown("- a"), "\\- a");
        assert_eq!(escape_markdown("1. a"), "1\\. a");
        assert_eq!(escape_markdown("# a"), "\\# a");
        assert_eq!(escape_markdown("see: tile[3], a_b, http://x"), "see: tile[3], a_b, http&#58;//x");
    }
}
