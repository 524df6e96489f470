//! A rule's page, Markdown, as HTML inside a report.

use std::fmt::Write;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::prose::escape_html;

/// Markdown as HTML: headings become bold lines, so that they do not disturb the report's own outline; raw HTML is
/// shown as text; pictures are left out; a link stays only when it leads to `https`.
pub(super) fn rule_page_html(markdown: &str) -> String {
    let mut html = String::with_capacity(markdown.len() * 2);
    let mut live_links: Vec<bool> = Vec::new();
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Start(tag) => open(&mut html, &mut live_links, tag),
            Event::End(tag) => close(&mut html, &mut live_links, tag),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => {
                html.push_str(&escape_html(&text))
            }
            Event::Code(text) => {
                let _ = write!(html, "<code>{}</code>", escape_html(&text));
            }
            Event::SoftBreak | Event::HardBreak => html.push('\n'),
            Event::Rule => html.push_str("<hr>\n"),
            _ => {}
        }
    }
    html
}

fn open(html: &mut String, live_links: &mut Vec<bool>, tag: Tag<'_>) {
    match tag {
        Tag::Paragraph => html.push_str("<p>"),
        Tag::Heading { .. } => html.push_str("<p class=\"rule-heading\"><strong>"),
        Tag::BlockQuote(_) => html.push_str("<blockquote>"),
        Tag::CodeBlock(kind) => {
            let label = match kind {
                CodeBlockKind::Fenced(language) if !language.is_empty() => escape_html(&language),
                _ => "code".to_owned(),
            };
            let _ = write!(
                html,
                "<pre class=\"plain\" tabindex=\"0\" role=\"region\" aria-label=\"Example, {label}\"><code>"
            );
        }
        Tag::List(Some(first)) => {
            let _ = write!(html, "<ol start=\"{first}\">");
        }
        Tag::List(None) => html.push_str("<ul>"),
        Tag::Item => html.push_str("<li>"),
        Tag::Table(_) => {
            html.push_str("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table\"><table>")
        }
        Tag::TableHead => html.push_str("<thead><tr>"),
        Tag::TableRow => html.push_str("<tr>"),
        Tag::TableCell => html.push_str("<td>"),
        Tag::Emphasis => html.push_str("<em>"),
        Tag::Strong => html.push_str("<strong>"),
        Tag::Strikethrough => html.push_str("<s>"),
        Tag::Link { dest_url, .. } => {
            let live = dest_url.starts_with("https://");
            live_links.push(live);
            if live {
                let _ = write!(html, "<a href=\"{}\" rel=\"noreferrer\">", escape_html(&dest_url));
            }
        }
        _ => {}
    }
}

fn close(html: &mut String, live_links: &mut Vec<bool>, tag: TagEnd) {
    html.push_str(match tag {
        TagEnd::Paragraph => "</p>\n",
        TagEnd::Heading(_) => "</strong></p>\n",
        TagEnd::BlockQuote(_) => "</blockquote>\n",
        TagEnd::CodeBlock => "</code></pre>\n",
        TagEnd::List(true) => "</ol>\n",
        TagEnd::List(false) => "</ul>\n",
        TagEnd::Item => "</li>\n",
        TagEnd::Table => "</table></div>\n",
        TagEnd::TableHead => "</tr></thead>\n",
        TagEnd::TableRow => "</tr>\n",
        TagEnd::TableCell => "</td>",
        TagEnd::Emphasis => "</em>",
        TagEnd::Strong => "</strong>",
        TagEnd::Strikethrough => "</s>",
        TagEnd::Link if live_links.pop() == Some(true) => "</a>",
        _ => "",
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raw_html_and_script_links_are_not_live() {
        let html = rule_page_html(
            "# A\n\n<script>x</script>\n\n[b](javascript:alert(1)) [c](https://example.org) ![p](http://e/x.png)",
        );
        assert!(
            !html.contains("<script") && !html.contains("javascript:") && !html.contains("<img"),
            "{html}"
        );
        assert!(html.contains("<a href=\"https://example.org\" rel=\"noreferrer\">c</a>"), "{html}");
    }

    #[test]
    fn code_keeps_its_lines() {
        assert!(rule_page_html("```cuda\na < b;\nc;\n```").contains("a &lt; b;\nc;\n</code>"));
    }
}
