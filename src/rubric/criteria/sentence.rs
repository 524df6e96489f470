//! A sentence by the ideas that it names, in any wording. Always for a person to confirm.

use super::case::{Case, Judged, enumerated};
use crate::exercise::{Idea, QuestionKind};

pub fn ideas(case: &Case<'_>, question: &str) -> Judged {
    let asked = case.exercise.questions.iter().find(|known| known.id == question);
    let Some(QuestionKind::Sentence { ideas }) = asked.map(|known| &known.kind) else {
        return Judged::waiting(
            0.0,
            format!("`{question}` is no question of this exercise. A person decides."),
        );
    };
    let answer = case.graded.answers.iter().find(|answer| answer.id == question && answer.form == "ok");
    let Some(answer) = answer else {
        return Judged::decided(0.0, format!("`{question}` is not answered."));
    };
    let words = words(&answer.given);
    let (named, absent): (Vec<&Idea>, Vec<&Idea>) = ideas.iter().partition(|idea| names(idea, &words));
    let share = named.len() as f64 / ideas.len().max(1) as f64;
    let titles =
        |ideas: &[&Idea]| enumerated(&ideas.iter().map(|idea| idea.title.clone()).collect::<Vec<_>>());
    let reason = match (named.is_empty(), absent.is_empty()) {
        (_, true) => format!("Your sentence {}. A person looks at it too.", titles(&named)),
        (true, _) => "None of the ideas looked for was recognised. A person reads your sentence.".to_owned(),
        _ => format!(
            "Your sentence {}. {} of {} ideas looked for were recognised; a person reads it too.",
            titles(&named),
            named.len(),
            ideas.len()
        ),
    };
    Judged::waiting(share, reason)
}

/// Lower-case words of letters, digits and `_`; operators such as `+=` stand as words of their own.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut in_word = true;
    for c in text.chars().flat_map(char::to_lowercase) {
        let is_word = c.is_alphanumeric() || c == '_';
        if c.is_whitespace() || is_word != in_word {
            words.push(String::new());
        }
        if !c.is_whitespace() {
            in_word = is_word;
            if let Some(word) = words.last_mut() {
                word.push(c);
            }
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Every stem of one of the alternatives begins a word. A stem of one or two letters is a whole word, or it would be
/// found everywhere.
fn names(idea: &Idea, words: &[String]) -> bool {
    let found = |stem: &String| {
        words.iter().any(|word| {
            if stem.chars().count() <= 2 { word == stem } else { word.starts_with(stem.as_str()) }
        })
    };
    idea.any_of.iter().any(|stems| stems.iter().all(found))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn idea(any_of: &[&[&str]]) -> Idea {
        let stems = any_of.iter().map(|list| list.iter().map(|stem| (*stem).to_owned()).collect()).collect();
        Idea { id: "i".to_owned(), title: "t".to_owned(), any_of: stems }
    }

    #[test]
    fn any_wording_that_has_the_stems() {
        let idea = idea(&[&["stor", "atomic"], &["writ", "ticket"]]);
        for text in
            ["The STORE must precede the atomicAdd.", "ticket: written too late", "storing... atomics"]
        {
            assert!(names(&idea, &words(text)), "{text}");
        }
        for text in ["The store is late.", "an atomic", "history of anatomic", ""] {
            assert!(!names(&idea, &words(text)), "{text}");
        }
    }

    #[test]
    fn short_stems_are_whole_words() {
        let idea = idea(&[&["if"], &["+="]]);
        assert!(names(&idea, &words("the if(i<n) guard")));
        assert!(names(&idea, &words("tile[tid] += left")));
        assert!(!names(&idea, &words("a different iffy one")));
    }
}
