//! Submissions that came to the same program, and explanations that are nearly the same.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::super::class::ClassEntry;
use super::statistics::{Link, link};

/// Explanations shorter than this are alike by chance.
const LEAST_WORDS: usize = 12;
/// Shared runs of three words, of all that either has, from which two explanations are shown together.
const ALIKE: f64 = 0.7;

#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Group {
    pub count: usize,
    pub who: Vec<Who>,
    pub more: usize,
}

#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Who {
    pub name: String,
    pub link: Option<Link>,
}

/// Names shown of one group.
const SHOWN: usize = 12;

fn group(entries: &[&ClassEntry]) -> Group {
    let who = entries.iter().take(SHOWN).map(|entry| Who { name: entry.name(), link: link(entry) });
    Group { count: entries.len(), who: who.collect(), more: entries.len().saturating_sub(SHOWN) }
}

/// Groups of the same program, the largest first; distinct programs in all.
pub(super) fn same_programs(entries: &[&ClassEntry]) -> (Vec<Group>, usize) {
    let mut by_program: BTreeMap<&str, Vec<&ClassEntry>> = BTreeMap::new();
    for entry in entries {
        if let Some(program) = &entry.program {
            by_program.entry(program).or_default().push(entry);
        }
    }
    let distinct = by_program.len();
    let mut groups: Vec<Vec<&ClassEntry>> = by_program.into_values().filter(|who| who.len() > 1).collect();
    groups.sort_by_key(|who| std::cmp::Reverse(who.len()));
    (groups.iter().map(|who| group(who)).collect(), distinct)
}

#[derive(Debug, PartialEq, Serialize)]
pub(super) struct AlikeAnswers {
    pub question: String,
    pub sample: String,
    pub group: Group,
}

/// Whose explanation (an index), its text, and the hashes of its word sequences.
type Explained<'a> = (usize, &'a str, BTreeSet<u64>);

/// Explanations that share most of their wording, by question.
pub(super) fn alike_answers(entries: &[&ClassEntry]) -> Vec<AlikeAnswers> {
    let mut by_question: BTreeMap<&str, Vec<Explained<'_>>> = BTreeMap::new();
    for (index, entry) in entries.iter().enumerate() {
        for answer in &entry.graded.answers {
            let shingles = shingles(&answer.given);
            if !shingles.is_empty() {
                by_question.entry(&answer.id).or_default().push((index, &answer.given, shingles));
            }
        }
    }
    let mut found = Vec::new();
    for (id, answers) in by_question {
        let mut parent: Vec<usize> = (0..answers.len()).collect();
        for a in 0..answers.len() {
            for b in 0..a {
                if similarity(&answers[a].2, &answers[b].2) >= ALIKE {
                    let (root_a, root_b) = (root(&parent, a), root(&parent, b));
                    parent[root_a.max(root_b)] = root_a.min(root_b);
                }
            }
        }
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for index in 0..answers.len() {
            groups.entry(root(&parent, index)).or_default().push(index);
        }
        for members in groups.into_values().filter(|members| members.len() > 1) {
            let who: Vec<&ClassEntry> = members.iter().map(|index| entries[answers[*index].0]).collect();
            let asked = who[0].graded.answers.iter().find(|answer| answer.id == id);
            found.push(AlikeAnswers {
                question: asked
                    .map(|a| a.question.clone())
                    .filter(|q| !q.is_empty())
                    .unwrap_or_else(|| id.to_owned()),
                sample: answers[members[0]].1.chars().take(240).collect(),
                group: group(&who),
            });
        }
    }
    found.sort_by_key(|alike| std::cmp::Reverse(alike.group.count));
    found
}

fn root(parent: &[usize], mut index: usize) -> usize {
    while parent[index] != index {
        index = parent[index];
    }
    index
}

/// Hashes of every run of three words, lower case, without punctuation; empty for a short text.
fn shingles(text: &str) -> BTreeSet<u64> {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    if words.len() < LEAST_WORDS {
        return BTreeSet::new();
    }
    let hash = |run: &[String]| {
        let mut hasher = DefaultHasher::new();
        run.hash(&mut hasher);
        hasher.finish()
    };
    words.windows(3).map(hash).collect()
}

fn similarity(a: &BTreeSet<u64>, b: &BTreeSet<u64>) -> f64 {
    let shared = a.intersection(b).count();
    shared as f64 / (a.len() + b.len() - shared) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wording_is_compared_and_not_punctuation() {
        let a =
            shingles("The ticket is already out when the fence runs, so nothing orders the store before it.");
        let b = shingles(
            "the ticket is already out when the fence runs - so nothing orders the store before it!",
        );
        let c = shingles(
            "A fence only orders what stands above it before what stands below it, and the add is above.",
        );
        assert_eq!(similarity(&a, &b), 1.0);
        assert!(similarity(&a, &c) < 0.2);
        assert!(shingles("too short to say").is_empty());
    }
}
