//! Nothing of the machine, of an oracle or of a secret in what a student is given.

use std::path::Path;

use super::graded::{Graded, SEED, grade_text, reverse};

/// What of `graded`'s outputs should not be there, in words.
pub fn in_outputs(graded: &Graded) -> Vec<String> {
    let mut secrets: Vec<(String, &str)> = vec![
        (SEED.to_owned(), "the secret seed"),
        (env!("CARGO_MANIFEST_DIR").to_owned(), "the grader's folder"),
        ("root:x:0".to_owned(), "a file of the host"),
        ("warpgrade-class-".to_owned(), "a temporary folder"),
        ("/proc/".to_owned(), "a path of the host"),
        ("site-packages".to_owned(), "where NVRTC was found"),
        ("libnvrtc".to_owned(), "where NVRTC was found"),
        ("catalogue_files".to_owned(), "a path of the build"),
    ];
    let folders = [std::env::temp_dir()].into_iter().chain(std::env::var_os("HOME").map(Into::into));
    for folder in folders.filter(|folder| folder != Path::new("/")) {
        secrets.push((format!("{}/", folder.display()), "a path of the host"));
    }
    for exercise in ["day27-memory-model", "day62-racecheck", "syncthreads-reverse"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("reference").join(exercise);
        let oracle = std::fs::read_to_string(folder.join("oracle.cu")).unwrap();
        secrets.extend(own_lines(&oracle, exercise).map(|line| (line, "code of an oracle")));
    }
    let mut found = Vec::new();
    for (output, text) in graded.outputs() {
        for (secret, what) in secrets.iter().filter(|(secret, _)| text.contains(secret)) {
            found.push(format!("{output} shows {what}: {secret:?}"));
        }
    }
    found
}

/// Lines of an oracle that stand nowhere else: neither in the exercise's template nor in a student's mind.
fn own_lines(oracle: &str, exercise: &str) -> impl Iterator<Item = String> {
    let template = Path::new(env!("CARGO_MANIFEST_DIR")).join("exercises").join(exercise).join("template.cu");
    let template = std::fs::read_to_string(template).unwrap();
    let lines: Vec<String> = oracle.lines().map(|line| line.trim().to_owned()).collect();
    lines.into_iter().filter(move |line| line.len() > 24 && !template.contains(line.as_str()))
}

#[test]
fn what_a_kernel_prints_or_does_on_hidden_data_stays_hidden() {
    let body =
        "    if (gid == 0) printf(\"size %d first %f\\n\", n, in[0]);\n    if (n == 5120) out[n] = in[1];";
    let graded = grade_text("syncthreads-reverse", &reverse("", body), &[]);
    assert_eq!(graded.exit, 1, "{}", graded.text);
    assert!(
        graded.text.contains("Hidden instance 1, reverseBlock: stopped before the end"),
        "{}",
        graded.text
    );
    for (output, text) in graded.outputs() {
        // The student's own text says it once; the size of a hidden instance is said nowhere else.
        let own = text.matches("n == 5120").count();
        assert_eq!(text.matches("5120").count(), own, "{output}: {text}");
        assert!(!text.contains("out[5120]"), "{output}: {text}");
    }
}

#[test]
fn the_oracle_is_told_apart_from_the_template() {
    // The test above could not fail otherwise.
    for exercise in ["day27-memory-model", "day62-racecheck", "syncthreads-reverse"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("reference").join(exercise).join("oracle.cu");
        let oracle = std::fs::read_to_string(file).unwrap();
        assert!(own_lines(&oracle, exercise).count() >= 2, "{exercise}");
    }
}
