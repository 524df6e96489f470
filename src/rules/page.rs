//! A rule's page, as `warpgrade explain` prints it.

use std::fmt;

/// What a student reads about one misconception.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// `fence-after-announcement`: stable, used in `rubric.toml`, SARIF and on the command line.
    pub rule: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// What the rule reports.
    pub what: &'static str,
    /// Why it is wrong, in terms of the memory model.
    pub why: &'static str,
    /// CUDA code that has the mistake.
    pub example: &'static str,
    /// The same code without it.
    pub instead: &'static str,
    /// What NVIDIA's documents say, with their sections.
    pub guide: &'static str,
}

impl fmt::Display for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n\n{}\n", self.rule, self.summary)?;
        writeln!(f, "What it reports\n\n{}\n", indent(self.what))?;
        writeln!(f, "Why it is wrong\n\n{}\n", indent(self.why))?;
        writeln!(f, "Example\n\n{}\n", indent(self.example))?;
        writeln!(f, "What to write instead\n\n{}\n", indent(self.instead))?;
        writeln!(f, "What the guide says\n\n{}", indent(self.guide))
    }
}

fn indent(text: &str) -> String {
    let lines: Vec<String> =
        text.trim_matches('\n').lines().map(|l| format!("  {l}").trim_end().to_owned()).collect();
    lines.join("\n")
}
