//! The page for one student: one self-contained file, no network, no script.

use std::io::Write;
use std::sync::OnceLock;

use base64::Engine;
use sha2::{Digest, Sha256};
use tera::{Context, Kwargs, State, Tera, Value};

use super::error::ReportError;
use super::page::page;
use super::prose::{escape_html, prose_html};
use super::rule_page::rule_page_html;
use super::views::Shown;
use crate::record::Graded;

const STYLE: &str = include_str!("../../templates/partials/report.css");

/// The report as one HTML page, for one reader.
///
/// The page's own policy allows one style sheet, by its hash, and nothing else: no script, no request.
/// Every value is escaped as it is printed; only [`prose_html`] and rule pages make markup, after escaping.
///
/// # Errors
/// When a template fails to render, which is a defect of ours.
pub fn html(graded: &Graded, shown: &Shown<'_>) -> Result<String, ReportError> {
    let mut context = Context::from_serialize(&page(graded, shown)?)?;
    context.insert("style", STYLE);
    context.insert("style_hash", &hash(STYLE));
    Ok(templates()?.render("report.html", &context)?)
}

/// All templates, parsed once.
pub(super) fn templates() -> Result<&'static Tera, ReportError> {
    static PARSED: OnceLock<Tera> = OnceLock::new();
    if let Some(tera) = PARSED.get() {
        return Ok(tera);
    }
    let mut tera = Tera::default();
    tera.autoescape_on([".html", ".svg"]);
    tera.set_escape_fn(|text: &str, out: &mut dyn Write| out.write_all(escape_html(text).as_bytes()));
    tera.register_filter("prose", |text: &str, _: Kwargs, _: &State| Value::safe_string(&prose_html(text)));
    tera.register_filter("rule_page", |text: &str, _: Kwargs, _: &State| {
        Value::safe_string(&rule_page_html(text))
    });
    tera.register_filter("md", |text: &str, _: Kwargs, _: &State| super::prose::prose_markdown(text));
    tera.register_filter("span", |text: &str, _: Kwargs, _: &State| super::prose::code_span(text));
    tera.register_filter("block", |text: &str, args: Kwargs, _: &State| -> tera::TeraResult<String> {
        let language: Option<&str> = args.get("language")?;
        Ok(super::prose::code_block(language.unwrap_or_default(), text))
    });
    tera.add_raw_templates([
        ("partials/code.html", include_str!("../../templates/partials/code.html")),
        ("partials/timeline.svg", include_str!("../../templates/partials/timeline.svg")),
        ("partials/finding.html", include_str!("../../templates/partials/finding.html")),
        ("partials/configuration.html", include_str!("../../templates/partials/configuration.html")),
        ("report.html", include_str!("../../templates/report.html")),
        ("partials/attention.html", include_str!("../../templates/partials/attention.html")),
        ("dashboard.html", include_str!("../../templates/dashboard.html")),
        ("report.md", include_str!("../../templates/report.md")),
    ])?;
    Ok(PARSED.get_or_init(|| tera))
}

/// A source for `Content-Security-Policy`: `sha256-…`.
pub(super) fn hash(text: &str) -> String {
    format!("sha256-{}", base64::engine::general_purpose::STANDARD.encode(Sha256::digest(text)))
}
