//! Marked snippets: the lines between `// snippet: label` and `// end snippet`.

use super::conditional::Reach;
use super::items::Source;

/// A marked snippet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Marked {
    pub label: String,
    /// Offset at which the start marker's comment begins.
    pub marker: usize,
    /// Byte range of the whole lines between the markers.
    pub start: usize,
    pub end: usize,
    /// `false` when no end marker follows.
    pub closed: bool,
}

enum Marker {
    Start(String),
    End(Option<String>),
}

/// The snippets of a source, in order. They may stand inside one another; an end marker with a label ends that one, a
/// bare one ends the innermost.
pub(super) fn marked(source: &Source) -> Vec<Marked> {
    let lexed = &source.lexed;
    let mut open: Vec<Marked> = Vec::new();
    let mut done: Vec<Marked> = Vec::new();
    for comment in &lexed.comments {
        let Some(marker) = marker(&lexed.text[comment.start..comment.end]) else { continue };
        if in_dead_code(source, comment.start) {
            continue;
        }
        match marker {
            Marker::Start(label) => {
                let start = lexed.line_end(comment.end.saturating_sub(1).max(comment.start));
                open.push(Marked {
                    label,
                    marker: comment.start,
                    start,
                    end: lexed.text.len(),
                    closed: false,
                });
            }
            Marker::End(label) => {
                let at = match &label {
                    Some(label) => open.iter().rposition(|m| m.label == *label),
                    None => open.len().checked_sub(1),
                };
                if let Some(at) = at {
                    // A snippet opened inside and not closed ends with it, unclosed.
                    for (depth, mut inner) in open.split_off(at).into_iter().enumerate() {
                        inner.end = lexed.line_start(comment.start).max(inner.start);
                        inner.closed = depth == 0;
                        done.push(inner);
                    }
                }
            }
        }
    }
    // One that is never closed ends at the next marker, or with the text.
    done.append(&mut open);
    done.sort_by_key(|m| m.marker);
    done
}

fn marker(comment: &str) -> Option<Marker> {
    let inner = comment.trim_start_matches(['/', '*', '!', ' ', '\t']).trim_end_matches(['/', '*']).trim();
    let lower = inner.to_ascii_lowercase();
    let label = |prefix: &str| {
        let rest = inner[prefix.len()..].trim_start().trim_start_matches(':').trim();
        rest.split_whitespace().next().unwrap_or_default().to_owned()
    };
    for prefix in ["end snippet", "end-snippet", "endsnippet"] {
        if lower.starts_with(prefix) {
            return Some(Marker::End(Some(label(prefix)).filter(|l| !l.is_empty())));
        }
    }
    let rest = lower.strip_prefix("snippet")?.trim_start();
    (rest.starts_with(':') && !label("snippet").is_empty()).then(|| Marker::Start(label("snippet")))
}

/// Whether the nearest token before an offset is never compiled.
fn in_dead_code(source: &Source, at: usize) -> bool {
    let index = source.lexed.tokens.partition_point(|t| t.end <= at);
    let before = index.checked_sub(1).map(|i| (source.reach[i], source.lexed.tokens[i].text.as_ref()));
    let after = source.reach.get(index);
    match (before, after) {
        (Some((Reach::Inactive, _)), _) => true,
        // Right after `#if 0`.
        (Some((_, "if" | "ifdef" | "ifndef" | "else" | "elif")), Some(Reach::Inactive)) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(String, String, bool)> {
        let source = Source::new(text, &[]);
        marked(&source).into_iter().map(|m| (m.label, text[m.start..m.end].to_owned(), m.closed)).collect()
    }

    #[test]
    fn both_forms_of_the_end_marker() {
        let text = "// snippet: a\nx;\n// end snippet: a\n  // snippet: b\n  y;\n  // end snippet\n";
        assert_eq!(found(text), [("a".into(), "x;\n".into(), true), ("b".into(), "  y;\n".into(), true)]);
    }

    #[test]
    fn one_without_an_end_is_told() {
        assert_eq!(found("// snippet: a\nx;\n"), [("a".into(), "x;\n".into(), false)]);
        assert_eq!(found("#if 0\n// snippet: a\nx;\n// end snippet\n#endif\n"), []);
        assert_eq!(found("// a snippet of code\n"), []);
    }
}
