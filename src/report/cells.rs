//! Cells of a CSV file that a spreadsheet opens without running anything.

use super::error::ReportError;
use super::inert::one_line;

/// Text for a cell: on one line, inert, and with a leading apostrophe where a spreadsheet would see a formula.
pub(super) fn cell(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let line = one_line(text);
    if formula || line.starts_with(['=', '+', '-', '@']) { format!("'{line}") } else { line }
}

/// Points with two decimals; empty for none.
pub(super) fn grade(points: Option<f64>) -> String {
    points.map(|points| format!("{points:.2}")).unwrap_or_default()
}

/// Rows as a CSV file: UTF-8, comma, quoted where needed, CRLF-free.
pub(super) fn table<R>(rows: R) -> Result<String, ReportError>
where
    R: IntoIterator<Item = Vec<String>>,
{
    let mut writer = csv::WriterBuilder::new().flexible(false).from_writer(Vec::new());
    for row in rows {
        writer.write_record(&row)?;
    }
    let bytes = writer.into_inner().map_err(|error| error.into_error())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_defused() {
        for formula in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "  =1"] {
            assert!(cell(formula).starts_with('\''), "{formula:?}");
        }
        assert_eq!(cell("a = b"), "a = b");
        assert_eq!(cell("a\nb\u{202e}"), "a b⟨U+202E⟩");
    }
}
