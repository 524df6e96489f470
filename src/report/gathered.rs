//! Findings of all configurations, gathered: the same bug at the same lines is told once.

use crate::record::{AccessNote, ConfigurationRecord, Finding, Graded, Severity, Verdict};

/// What a finding means to the student.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    /// In a gated kernel: to be fixed.
    Fix,
    /// The exercise asked the student to bring it about, and they did.
    Asked,
    /// In a kernel that is wrong on purpose, shown and never gated.
    Shown,
    /// Explained, never counted.
    Note,
}

/// Where one bug was seen.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Seen {
    pub kernel: String,
    pub configuration: String,
    pub launches: Vec<String>,
    pub severity: Severity,
    pub count: u64,
    pub hidden: bool,
}

/// One bug, with every place where it was seen.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Gathered {
    pub role: Role,
    pub kernel: String,
    /// The worst of the findings that were joined.
    pub finding: Finding,
    pub seen: Vec<Seen>,
}

impl Gathered {
    /// Times seen, over all configurations.
    pub fn count(&self) -> u64 {
        self.seen.iter().map(|seen| seen.count).fold(0, u64::saturating_add)
    }

    /// The kernels that have it, each once, without what a row adds to a name (`reverseBlock (partial tile)`).
    pub fn kernels(&self) -> Vec<&str> {
        let mut kernels: Vec<&str> = self.seen.iter().map(|seen| base_name(&seen.kernel)).collect();
        kernels.sort_unstable();
        kernels.dedup();
        kernels
    }

    /// Both accesses, in the order in which a reader meets them: (1), (2).
    pub fn accesses(&self) -> Vec<&AccessNote> {
        std::iter::once(&self.finding.first).chain(&self.finding.second).collect()
    }
}

/// Every finding of the record, joined, what to fix first in front; errors before warnings, then by line.
pub(super) fn gathered(graded: &Graded) -> Vec<Gathered> {
    let mut all: Vec<Gathered> = Vec::new();
    for configuration in &graded.configurations {
        for verdict in &configuration.verdicts {
            for finding in &verdict.findings {
                let role = role(configuration, &verdict.kernel, finding);
                let seen = Seen {
                    kernel: verdict.kernel.clone(),
                    configuration: name(configuration).to_owned(),
                    launches: verdict.launches.clone(),
                    severity: finding.severity,
                    count: finding.count,
                    hidden: configuration.hidden,
                };
                match all.iter_mut().find(|known| same_bug(known, role, &verdict.kernel, finding)) {
                    Some(known) => join(known, finding, seen),
                    None => all.push(Gathered {
                        role,
                        kernel: verdict.kernel.clone(),
                        finding: finding.clone(),
                        seen: vec![seen],
                    }),
                }
            }
        }
    }
    all.sort_by(|a, b| order(a).cmp(&order(b)));
    all
}

/// A kernel's own name: rows of other builds or sizes carry it with an addition.
fn base_name(kernel: &str) -> &str {
    kernel.split(' ').next().unwrap_or(kernel)
}

fn order(g: &Gathered) -> (Role, Severity, &str, u32) {
    (g.role, g.finding.severity, &g.finding.first.at.file, g.finding.first.at.line)
}

fn join(known: &mut Gathered, finding: &Finding, seen: Seen) {
    if finding.severity < known.finding.severity {
        known.finding = finding.clone();
    }
    known.seen.push(seen);
}

fn role(configuration: &ConfigurationRecord, kernel: &str, finding: &Finding) -> Role {
    if configuration.expects.iter().any(|asked| asked.kernel == kernel && asked.rule == finding.rule) {
        return Role::Asked;
    }
    if finding.severity == Severity::Note {
        return Role::Note;
    }
    let mut rows = configuration.rows.iter().filter(|row| row.kernel == kernel).peekable();
    if rows.peek().is_some() && rows.all(|row| !row.gated) { Role::Shown } else { Role::Fix }
}

/// Bugs to fix are told apart by file and line, whatever kernels and builds run these lines; bugs that the exercise ships stand in each handed-in copy
/// of it, so these are told apart by their text alone.
fn same_bug(known: &Gathered, role: Role, kernel: &str, finding: &Finding) -> bool {
    let by_text = matches!(role, Role::Shown | Role::Note);
    let same_kernel = !by_text || base_name(&known.kernel) == base_name(kernel);
    if known.role != role || !same_kernel || known.finding.rule != finding.rule {
        return false;
    }
    let same = |a: &AccessNote, b: &AccessNote| {
        a.action == b.action
            && if by_text { a.at.text == b.at.text } else { a.at.file == b.at.file && a.at.line == b.at.line }
    };
    let seconds = match (&known.finding.second, &finding.second) {
        (Some(a), Some(b)) => same(a, b),
        (None, None) => true,
        _ => false,
    };
    seconds && same(&known.finding.first, &finding.first)
}

/// A configuration's name for people.
pub(super) fn name(configuration: &ConfigurationRecord) -> &str {
    if configuration.title.is_empty() { &configuration.name } else { &configuration.title }
}

/// `embedded device` or the card's name.
pub(super) fn device(configuration: &ConfigurationRecord) -> &str {
    if is_embedded(configuration) { "embedded device (on the CPU, no GPU)" } else { &configuration.device }
}

pub(super) fn is_embedded(configuration: &ConfigurationRecord) -> bool {
    configuration.device.is_empty() || configuration.device.starts_with("embedded")
}

/// A rule's name in words: `fence after announcement`.
pub(super) fn rule_title(rule: &str) -> String {
    let words = rule.replace('-', " ");
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// What a severity is called.
pub(super) fn severity_words(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "undefined behaviour",
        Severity::WithinWarp => "undefined within one warp",
        Severity::Note => "note",
    }
}

/// What a verdict is called.
pub(super) fn verdict_words(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Defined => "defined",
        Verdict::Undefined => "undefined",
        Verdict::Unknown => "unknown",
    }
}
