//! Which exercise a submission is for, where the TA did not say: the one most of whose kernels it names.

use crate::exercise::{Exercise, RegionKind};
use crate::submission::Submission;

/// The best fit among `exercises`, or `None` when no kernel of any is named.
pub fn which<'a>(exercises: &'a [Exercise], submission: &Submission) -> Option<&'a Exercise> {
    let texts: Vec<&str> =
        submission.programs.iter().chain(&submission.diffs).map(|file| file.text.as_str()).collect();
    exercises
        .iter()
        .map(|exercise| {
            let kernels = exercise.regions.iter().filter_map(|region| match &region.kind {
                RegionKind::Kernel { name } => Some(name.as_str()),
                _ => None,
            });
            let (mut named, mut all) = (0usize, 0usize);
            for kernel in kernels {
                all += 1;
                named += usize::from(texts.iter().any(|text| names(text, kernel)));
            }
            (exercise, named, all)
        })
        .filter(|(_, named, _)| *named > 0)
        // By share of the kernels named, so that an exercise with few kernels is not drowned by one with many.
        .max_by(|a, b| (a.1 * b.2).cmp(&(b.1 * a.2)))
        .map(|(exercise, _, _)| exercise)
}

/// Whether a word stands in a text as a whole word.
fn names(text: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(part) && !text[at + word.len()..].starts_with(part))
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn whole_words_only() {
        assert!(names("void scan(float*)", "scan"));
        assert!(!names("void rescan(float*)", "scan"));
        assert!(!names("scans", "scan"));
    }
}
