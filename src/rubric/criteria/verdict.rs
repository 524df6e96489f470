//! What the checker must say of a kernel.

use super::case::{Case, Judged, enumerated, place};
use crate::record::{Finding, KernelVerdict, Severity, Verdict};

/// The share while the checker could not tell: neither a pass nor a zero, and a person decides.
const UNDECIDED: f64 = 0.5;

/// The kernel is `defined`.
pub fn defined(case: &Case<'_>, configuration: &str, kernel: &str) -> Judged {
    let verdicts = case.verdicts(configuration, kernel);
    if let Some(judged) = undecided(case, configuration, kernel, &verdicts) {
        return judged;
    }
    let errors: Vec<&Finding> = verdicts.iter().flat_map(|verdict| errors(verdict)).collect();
    match errors.first() {
        Some(finding) => {
            let more = match errors.len() {
                1 => String::new(),
                2 => " One more was found.".to_owned(),
                n => format!(" {} more were found.", n - 1),
            };
            let reason = format!("{kernel} is undefined: {}{more}", told(finding));
            Judged::decided(0.0, reason).see(&finding.rule)
        }
        None if writes_nothing(case, configuration, kernel) => {
            let reason = format!(
                "{kernel} writes nothing where its result belongs. A kernel that does nothing breaks no rule; it is not judged."
            );
            Judged::decided(0.0, reason).see(kernel)
        }
        None => {
            let schedules: u32 = verdicts.iter().map(|verdict| verdict.schedules).max().unwrap_or(0);
            Judged::decided(
                1.0,
                format!("{kernel} is defined by the memory model: {schedules} schedules were checked."),
            )
        }
    }
}

/// Whether none of the kernel's gated rows found anything written.
fn writes_nothing(case: &Case<'_>, configuration: &str, kernel: &str) -> bool {
    let records = case.records(configuration);
    let rows = records.iter().flat_map(|record| &record.rows);
    let mut rows = rows.filter(|row| row.gated && row.kernel == kernel).peekable();
    rows.peek().is_some() && rows.all(|row| row.unwritten)
}

/// The rule was found in the kernel. Undefined for another reason earns half.
pub fn rule(case: &Case<'_>, configuration: &str, kernel: &str, rule: &str) -> Judged {
    let title = case.title(configuration);
    let verdicts = case.verdicts(configuration, kernel);
    let found: Vec<&Finding> = verdicts.iter().flat_map(|verdict| errors(verdict)).collect();
    if let Some(finding) = found.iter().find(|finding| finding.rule == rule) {
        return Judged::decided(1.0, format!("{title}: as asked, {}", told(finding))).see(rule);
    }
    if let Some(judged) = undecided(case, configuration, kernel, &verdicts) {
        return judged;
    }
    match found.first() {
        Some(other) => {
            let reason =
                format!("{title}: {kernel} is undefined, but not for the reason asked for: {}", told(other));
            Judged::decided(0.5, reason).see(&other.rule)
        }
        None => {
            let reason =
                format!("{title}: {kernel} is defined here, and this configuration was to show {rule}.");
            Judged::decided(0.0, reason).see(rule)
        }
    }
}

/// None of the kernels has an error; each has its share.
pub fn no_errors(case: &Case<'_>, configuration: &str, kernels: &[String]) -> Judged {
    let each: Vec<(&String, Judged)> =
        kernels.iter().map(|kernel| (kernel, defined(case, configuration, kernel))).collect();
    let share = each.iter().map(|(_, judged)| judged.share).sum::<f64>() / each.len().max(1) as f64;
    let clean = |judged: &Judged| judged.share >= 1.0;
    if each.iter().all(|(_, judged)| clean(judged)) {
        return Judged::decided(1.0, format!("No error in {}.", enumerated(kernels)));
    }
    let reasons: Vec<String> =
        each.iter().filter(|(_, judged)| !clean(judged)).map(|(_, judged)| judged.reason.clone()).collect();
    let mut all = Judged::decided(share, reasons.join(" "));
    for (_, judged) in each {
        if judged.state != crate::record::CriterionState::Auto {
            all.state = judged.state;
        }
        all.see.extend(judged.see);
    }
    all
}

/// What is said when there is no verdict, or an `unknown` one and no error either.
fn undecided(
    case: &Case<'_>,
    configuration: &str,
    kernel: &str,
    verdicts: &[&KernelVerdict],
) -> Option<Judged> {
    if verdicts.is_empty() {
        let records = case.records(configuration);
        let everything: Vec<_> = case.graded.configurations.iter().collect();
        let nearest = if records.is_empty() { &everything } else { &records };
        return Some(match case.students_reason(nearest) {
            Some(reason) => Judged::decided(0.0, reason),
            None => Judged::waiting(UNDECIDED, format!("There is no verdict on {kernel}. A person decides.")),
        });
    }
    if verdicts.iter().any(|verdict| verdict.verdict == Verdict::Undefined) {
        return None;
    }
    let unknown = verdicts.iter().find(|verdict| verdict.verdict == Verdict::Unknown)?;
    let why = unknown.reason.as_deref().unwrap_or("the checker does not say why").trim_end_matches('.');
    let at = unknown.at.as_ref().and_then(place).map(|place| format!(" ({place})")).unwrap_or_default();
    let reason = format!("The checker cannot tell whether {kernel} is defined: {why}{at}. A person decides.");
    Some(Judged::waiting(UNDECIDED, reason).see(kernel))
}

fn errors(verdict: &KernelVerdict) -> impl Iterator<Item = &Finding> {
    verdict.findings.iter().filter(|finding| finding.severity != Severity::Note)
}

/// A finding with its two lines.
fn told(finding: &Finding) -> String {
    let mut places: Vec<String> = place(&finding.first.at).into_iter().collect();
    places.extend(finding.second.as_ref().and_then(|second| place(&second.at)));
    places.dedup();
    let message = finding.message.trim_end_matches('.');
    if places.is_empty() { format!("{message}.") } else { format!("{message} ({}).", enumerated(&places)) }
}
