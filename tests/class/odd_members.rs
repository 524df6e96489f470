//! Whoever hands in something odd, broken or hostile is named with the reason, and everybody else is graded.

use serde_json::Value;

use crate::graded::GRADED;
use crate::made_class::KINDS;

/// What the record says to a person: message and notices.
fn told(record: &Value) -> String {
    let notices = record["notices"].as_array().into_iter().flatten();
    let words = notices.filter_map(|notice| notice["message"].as_str()).collect::<Vec<_>>().join("\n");
    format!("{}\n{words}", record["message"].as_str().unwrap_or_default())
}

/// What must be said of each kind; the empty text for what is graded like anything else.
fn words_for(kind: &str) -> &'static [&'static str] {
    match kind {
        "syntax error" => &["expected"],
        "empty file" => &["empty"],
        "zip with ../" => &["escaped.cu"],
        "another exercise" => &["syncthreads-reverse", "Block reverse", "another exercise"],
        "endless loop" | "output flood" | "null pointer" | "out of bounds" => &[""],
        "macro bomb" => &["did not finish this program"],
        "nothing but a text entry" | "a pdf" | "a link entry" => &["no CUDA program", "There is no"],
        "zip with a link to /etc" => &["link"],
        "binary" => &["text"],
        "includes /etc/passwd" => &["include"],
        "ten thousand files" => &["2,000", "2000", "files"],
        "zip bomb" => &["more than"],
        "unknown name" => &["frobnicate"],
        "signature changed" => &["signature", "parameter"],
        "a damaged zip" => &["damaged", "cannot be read", "could not be read", "archive"],
        "malformed answers" => &["answers.toml"],
        "an unclosed brace" => &[""],
        _ => &[""],
    }
}

#[test]
fn the_class_has_every_kind() {
    for kind in KINDS {
        assert!(GRADED.class.iter().any(|person| person.kind == kind), "nobody handed in: {kind}");
    }
}

#[test]
fn each_odd_one_is_named_with_the_reason() {
    let room = &*GRADED;
    let mut wrong = Vec::new();
    for person in room.class.iter().filter(|person| person.odd) {
        let record = room.record(&room.key_of(person));
        let told = told(&record);
        if record["status"] == "fault" {
            wrong.push(format!("{}: a fault: {told}", person.kind));
        }
        if !words_for(&person.kind).iter().any(|word| told.contains(word)) {
            wrong.push(format!("{}: nothing is said of it: {told}", person.kind));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn everybody_else_is_graded() {
    let room = &*GRADED;
    for person in room.class.iter().filter(|person| !person.odd) {
        let record = room.record(&room.key_of(person));
        assert_eq!(record["status"], "graded", "{}: {}", person.kind, told(&record));
        if person.kind == "solution solution" {
            let held = record["configurations"].as_array().expect("configurations").iter();
            assert!(held.into_iter().all(|c| c["gates_held"] == true), "{}: {record}", person.kind);
        }
    }
}

/// What the class got right and wrong is what its kernels are.
#[test]
fn misconceptions_are_found_by_their_rules() {
    let room = &*GRADED;
    let finds = |kind: &str, rule: &str| {
        let people = room.class.iter().filter(|person| person.kind.split(' ').any(|word| word == kind));
        let mut seen = 0;
        for person in people {
            let record = room.record(&room.key_of(person)).to_string();
            assert!(record.contains(rule), "{} without {rule}", person.kind);
            seen += 1;
        }
        assert!(seen > 0, "nobody handed in {kind}");
    };
    finds("scan-first-barrier-missing", "missing-barrier");
    finds("reverse-barrier-in-guard", "barrier-skipped");
}
