//! Student files, as they are read: `tests/patch/*.cu`, each with its snapshot beside it.

use std::path::Path;

use warpgrade::exercise::{Catalogue, Exercise};
use warpgrade::patch::{self, Patched};
use warpgrade::submission::{self, Limits};

fn exercises() -> Vec<Exercise> {
    let catalogue = Catalogue::embedded();
    catalogue.ids().iter().map(|id| catalogue.load(id).unwrap()).collect()
}

#[test]
fn explore() {
    let Ok(list) = std::env::var("EXPLORE") else { return };
    let all = exercises();
    for item in list.split(',') {
        let (id, path) = item.split_once('=').unwrap();
        let exercise = all.iter().find(|e| e.id.starts_with(id)).unwrap();
        let submission = submission::read(Path::new(path), &Limits::default());
        for notice in &submission.notices {
            println!("S {notice:?}");
        }
        for p in patch::read_edits_among(exercise, &all, &submission) {
            show(exercise, &p);
            if std::env::var("SPLICE").is_ok() {
                println!("{}", patch::splice(exercise, &p.edits, None).text);
            }
        }
    }
}

fn show(exercise: &Exercise, p: &Patched) {
    println!(
        "== {} unusable={} configuration={:?}",
        p.file,
        p.unusable,
        p.configuration.map(|c| &exercise.configurations[c].name)
    );
    for e in &p.edits {
        println!("  edit {} {:?} line {} changed={}", e.region, e.part, e.line, e.changed);
    }
    for n in &p.notes {
        println!("  note {}:{}-{} {}", n.region, n.line, n.last_line, n.summary);
    }
    for n in &p.ignored {
        println!("  ignored {}-{} {}", n.line, n.last_line, n.reason);
    }
    for n in &p.notices {
        println!("  notice {} {} {}", n.kind, n.line, n.message);
    }
}
