//! The report in a terminal.

use std::fmt::Write;

use super::audience::{Audience, audience};
use super::beside::beside_view;
use super::error::ReportError;
use super::gathered::{Gathered, Role, gathered, rule_title};
use super::inert::inert;
use super::numbers::points;
use super::page::{Chip, HiddenView, chips, headline, hidden};
use super::snippets::{diagnostic, finding};
use super::tables::{ConfigurationView, Table, configuration_view};
use super::views::Shown;
use super::wrap::{hanging, wrap};
use crate::record::{CriterionState, Graded};

/// How a terminal shows text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TerminalStyle {
    /// Columns.
    pub width: usize,
    /// Whether escape sequences may be written; the caller knows whether it is a terminal and what `NO_COLOR` says.
    pub colour: bool,
}

impl Default for TerminalStyle {
    fn default() -> Self {
        Self { width: 100, colour: false }
    }
}

/// The report for a terminal, for one reader.
///
/// # Errors
/// When the record cannot be read back as data, which is a defect of ours.
pub fn terminal(graded: &Graded, shown: &Shown<'_>, style: TerminalStyle) -> Result<String, ReportError> {
    let graded = inert(&audience(graded, shown.audience))?;
    let all = gathered(&graded);
    let mut view = View { out: String::new(), style };
    view.head(&graded, &all, shown.student);
    view.compiler(&graded);
    view.fixes(&graded, &all);
    view.rows(&graded, shown.audience == Audience::Student);
    view.sanitizer(&graded);
    view.points(&graded);
    view.others(&all);
    view.notes(&graded);
    Ok(view.out)
}

struct View {
    out: String,
    style: TerminalStyle,
}

impl View {
    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn paint(&self, code: &str, text: &str) -> String {
        if self.style.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    fn heading(&mut self, text: &str) {
        let text = self.paint("1;4", text);
        let _ = writeln!(self.out, "\n{text}");
    }

    /// A paragraph, each line behind `indent`.
    fn say(&mut self, text: &str, indent: &str) {
        for line in wrap(text, self.style.width.saturating_sub(indent.len())) {
            let _ = writeln!(self.out, "{indent}{line}");
        }
    }

    fn head(&mut self, graded: &Graded, all: &[Gathered], student: Option<&str>) {
        let title = if graded.title.is_empty() { &graded.exercise } else { &graded.title };
        let mut line = self.paint("1", title);
        if let Some(student) = student {
            let _ = write!(line, " · {}", super::inert::one_line(student));
        }
        self.line(&line);
        let score = match &graded.score {
            Some(score) => {
                let provisional = if score.provisional { ", provisional" } else { "" };
                format!("{} of {} points{provisional}", points(score.points), points(score.max))
            }
            None => "no score".to_owned(),
        };
        let score = self.paint("1", &score);
        self.line(&score);
        self.say(&headline(graded, all), "");
        if !graded.message.is_empty() {
            self.say(&graded.message, "");
        }
        for Chip { tone, text } in chips(graded, all) {
            let (code, sign) = match tone {
                "good" => ("32", "✓"),
                "bad" => ("31", "✗"),
                "open" => ("33", "?"),
                _ => ("0", "·"),
            };
            let chip = self.paint(code, &format!("  {sign} {text}"));
            self.line(&chip);
        }
    }

    fn compiler(&mut self, graded: &Graded) {
        let mut seen = Vec::new();
        for message in graded.configurations.iter().flat_map(|c| &c.diagnostics) {
            if seen.contains(&message) {
                continue;
            }
            if seen.is_empty() {
                self.heading("What the compiler says");
            }
            seen.push(message);
            let text = diagnostic(graded, message, self.style);
            self.line(&text);
        }
    }

    fn fixes(&mut self, graded: &Graded, all: &[Gathered]) {
        let fixes: Vec<&Gathered> = all.iter().filter(|g| g.role == Role::Fix).collect();
        if !fixes.is_empty() {
            self.heading("What to fix first");
        }
        for fix in fixes {
            let text = finding(graded, fix, self.style);
            self.line("");
            self.line(&text);
        }
        if !graded.hints.is_empty() {
            self.heading("Hints");
            for (number, hint) in (1..).zip(&graded.hints) {
                let text = hanging(&format!("{number}. {hint}"), self.style.width, "   ");
                self.line(&text);
            }
        }
    }

    /// Rows of all configurations; of hidden ones a student sees only whether they held (`closed`).
    fn rows(&mut self, graded: &Graded, closed: bool) {
        if graded.configurations.iter().all(|c| c.rows.is_empty() && c.verdicts.is_empty()) {
            return;
        }
        self.heading("Runs, and what the memory model says");
        self.say("Runs are evidence; the memory model decides.", "");
        let mut adversary = false;
        for configuration in graded.configurations.iter().filter(|c| !(c.hidden && closed)) {
            let view = configuration_view(configuration);
            adversary |= view.adversary;
            self.configuration(&view);
        }
        let hidden = hidden(graded);
        if closed && !hidden.is_empty() {
            self.line("");
            for HiddenView { title, kernel, words, .. } in hidden {
                self.say(&format!("{title}, {kernel}: {words}"), "");
            }
        }
        if adversary {
            self.line("");
            self.say(
                "† An execution that the memory model allows: the embedded device returned the oldest value that a \
                 read may return. It is not a GPU's run.",
                "",
            );
        }
    }

    fn configuration(&mut self, view: &ConfigurationView) {
        let text = hanging(&format!("{} · {}", view.title, view.device), self.style.width, "  ");
        let text = self.paint("1", &text);
        let _ = writeln!(self.out, "\n{text}");
        for asked in &view.asked {
            self.say(&format!("The exercise asks for a bug here: {asked}."), "  ");
        }
        for table in &view.tables {
            self.table(table);
        }
        for verdict in &view.verdicts {
            let place =
                if verdict.place.is_empty() { String::new() } else { format!(" ({})", verdict.place) };
            self.say(&format!("{}: {}. {}{place}", verdict.kernel, verdict.verdict, verdict.reason), "  ");
        }
        for failure in &view.failures {
            self.say(failure, "  ");
        }
    }

    fn table(&mut self, table: &Table) {
        let mut lines: Vec<Vec<String>> = Vec::new();
        let titles = table.columns.iter().map(|column| column.short.to_owned());
        lines.push(
            std::iter::once("kernel".to_owned())
                .chain(titles)
                .chain(["gate".into(), "model".into()])
                .collect(),
        );
        for row in &table.rows {
            let dagger = if row.adversary { " †" } else { "" };
            let mut cells = vec![format!("{}{dagger}", row.kernel)];
            cells.extend(row.cells.iter().cloned());
            cells.push(row.gate_words.trim_start_matches("gate ").to_owned());
            cells.push(if row.verdict.is_empty() { "–".to_owned() } else { row.verdict.to_owned() });
            lines.push(cells);
        }
        let count = lines[0].len();
        let width = |text: &String| unicode_width::UnicodeWidthStr::width(text.as_str());
        let widths: Vec<usize> = (0..count)
            .map(|column| lines.iter().map(|cells| width(&cells[column])).max().unwrap_or(0))
            .collect();
        // Too narrow for a table: each row becomes a sentence.
        if widths.iter().sum::<usize>() + 2 * count + 2 > self.style.width {
            for cells in &lines[1..] {
                let parts = lines[0].iter().zip(cells).skip(1).filter(|(_, cell)| *cell != "–");
                let parts: Vec<String> = parts.map(|(title, cell)| format!("{title} {cell}")).collect();
                let text =
                    hanging(&format!("  {}: {}", cells[0], parts.join(", ")), self.style.width, "    ");
                self.line(&format!("  {}", text.trim_start()));
            }
        } else {
            for (row, cells) in lines.iter().enumerate() {
                let mut line = String::from("  ");
                for (column, cell) in cells.iter().enumerate() {
                    let blanks = " ".repeat(widths[column] - width(cell));
                    let number = column > 0 && column + 2 < count && table.columns[column - 1].number;
                    let cell = if row > 0 && column + 2 >= count { self.state(cell) } else { cell.clone() };
                    let _ = if number {
                        write!(line, "{blanks}{cell}  ")
                    } else {
                        write!(line, "{cell}{blanks}  ")
                    };
                }
                let line = line.trim_end().to_owned();
                let line = if row == 0 { self.paint("2", &line) } else { line };
                self.line(&line);
            }
        }
        for row in &table.rows {
            if !row.stopped.is_empty() {
                self.say(&format!("{}: {}", row.kernel, row.stopped), "  ");
            }
            if !row.fewer.is_empty() {
                self.say(&format!("{}: {}", row.kernel, row.fewer), "  ");
            }
        }
    }

    fn state(&self, word: &str) -> String {
        match word {
            "held" | "defined" => self.paint("32", word),
            "failed" | "undefined" | "stopped" => self.paint("31", word),
            "unknown" => self.paint("33", word),
            _ => word.to_owned(),
        }
    }

    fn points(&mut self, graded: &Graded) {
        if graded.criteria.is_empty() {
            return;
        }
        self.heading("Points");
        for criterion in &graded.criteria {
            let title = if criterion.title.is_empty() { &criterion.id } else { &criterion.title };
            let state = match criterion.state {
                CriterionState::Auto => "",
                CriterionState::Provisional => " (provisional)",
                CriterionState::Manual => " (waits for a person)",
            };
            let sum = format!("{:>5} of {:<4}", points(criterion.points), points(criterion.max));
            let code = if criterion.points >= criterion.max { "32" } else { "33" };
            let sum = self.paint(code, &sum);
            let text = hanging(
                &format!("{title}{state}: {}", criterion.reason),
                self.style.width.saturating_sub(15),
                "",
            );
            self.line(&format!("{sum}  {}", text.replace('\n', &format!("\n{}", " ".repeat(15)))));
        }
    }

    fn others(&mut self, all: &[Gathered]) {
        let told = [
            (Role::Asked, "Bugs that the exercise asked you to make"),
            (Role::Shown, "Bugs that the exercise shows you"),
            (Role::Note, "Worth knowing, and never counted"),
        ];
        for (role, title) in told {
            let mut some = all.iter().filter(|g| g.role == role).peekable();
            if some.peek().is_some() {
                self.heading(title);
            }
            for g in some {
                let text =
                    format!("- {} in {}: {}", rule_title(&g.finding.rule), g.kernel, g.finding.message);
                let text = hanging(&text, self.style.width, "  ");
                self.line(&text);
            }
        }
    }

    fn sanitizer(&mut self, graded: &Graded) {
        let Some(record) = &graded.sanitizer else { return };
        let view = beside_view(record);
        self.heading(&view.title);
        for tool in &view.tools {
            self.say(tool, "  ");
        }
        for row in &view.rows {
            self.say(&format!("{} in {} ({}):", row.place, row.kernel, row.who), "  ");
            self.say(&format!("warpgrade: {}", row.ours), "    ");
            self.say(&format!("compute-sanitizer: {}", row.theirs), "    ");
        }
    }

    fn notes(&mut self, graded: &Graded) {
        let place = super::page::place;
        let mut lines: Vec<String> = Vec::new();
        lines.extend(graded.edits.iter().map(|e| {
            format!("edit    {}: {} ({})", e.region, e.summary, place(&e.file, e.line, e.last_line))
        }));
        lines.extend(
            graded
                .ignored
                .iter()
                .map(|n| format!("ignored {}: {}", place(&n.file, n.line, n.last_line), n.reason)),
        );
        lines.extend(
            graded.notices.iter().map(|n| format!("notice  {} ({})", n.message, place(&n.file, n.line, 0))),
        );
        lines.extend(
            graded
                .answers
                .iter()
                .filter(|a| a.form != "ok")
                .map(|a| format!("answer  {}: {}", a.id, a.form.replace('-', " "))),
        );
        if !lines.is_empty() {
            self.heading("What was read from your files");
        }
        for text in lines {
            let text = hanging(&text.replace(" ()", ""), self.style.width, "        ");
            self.line(&text);
        }
    }
}
