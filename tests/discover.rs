//! Downloads of every layout, made here with invented people, and who must be found in them.

use std::fs;
use std::path::Path;

use tempfile::TempDir;
use warpgrade::batch::{Class, Layout, discover};

fn put(root: &Path, path: &str, text: &str) {
    let file = root.join(path);
    fs::create_dir_all(file.parent().expect("a file has a folder")).expect("a folder can be made");
    fs::write(file, text).expect("a file can be written");
}

fn class(files: &[&str]) -> (TempDir, Class) {
    let root = TempDir::new().expect("a temporary folder");
    for file in files {
        put(root.path(), file, "__global__ void k() {}\n");
    }
    let class = discover(root.path(), None).expect("a readable class");
    (root, class)
}

/// `key: attempt number, late, names` of everybody.
fn summary(class: &Class) -> Vec<String> {
    class
        .students
        .iter()
        .map(|s| {
            let a = s.current().expect("at least one attempt");
            let late = if a.late { " late" } else { "" };
            format!("{}: {}/{}{late} {}", s.key, a.number, s.attempts.len(), a.names.join(" "))
        })
        .collect()
}

#[test]
fn canvas_files() {
    let (_root, class) = class(&[
        "lovelaceada_101_9001_day27.cu",
        "lovelaceada_101_9002_answers.toml",
        "hoppergrace_LATE_102_9003_day27.cu",
        "hoppergrace_LATE_102_9004_day27-1.cu",
        "łukasiewiczjan_103_9005_day 27 final_v2.cu",
        "smithsam_104_9006_a.cu",
        "smithsam_105_9007_a.cu",
        "turingalan_106_text.html",
        "nobody_107_link.html",
        "grades.csv",
    ]);
    assert_eq!(class.layout, Layout::Canvas);
    assert_eq!(
        summary(&class),
        [
            "hoppergrace: 2/2 late day27-1.cu",
            "lovelaceada: 1/1 answers.toml day27.cu",
            "nobody: 1/1 ",
            "smithsam-104: 1/1 a.cu",
            "smithsam-105: 1/1 a.cu",
            "turingalan: 1/1 text.html",
            "łukasiewiczjan: 1/1 day 27 final_v2.cu",
        ]
    );
    let left: Vec<&str> = class.ignored.iter().map(|i| i.path.as_str()).collect();
    assert_eq!(left, ["grades.csv", "nobody_107_link.html"]);
}

#[test]
fn canvas_anonymous() {
    let (_root, class) = class(&["anon_55_1_a.cu", "LATE_anon_56_2_a.cu"]);
    assert_eq!(summary(&class), ["anonymous-55: 1/1 a.cu", "anonymous-56: 1/1 late a.cu"]);
}

#[test]
fn moodle_folders_and_flat_files() {
    let (_root, class) = class(&[
        "Ada Lovelace_12_assignsubmission_file/src/day27.cu",
        "Ada Lovelace_12_assignsubmission_file/answers.toml",
        "Ada Lovelace_12_assignsubmission_onlinetext/onlinetext.html",
        "王小明_13_assignsubmission_file_/day27.cu",
        "Participant_14_assignsubmission_file_day27.cu",
        "readme.txt",
    ]);
    assert_eq!(class.layout, Layout::Moodle);
    assert_eq!(
        summary(&class),
        [
            "ada-lovelace: 1/1 answers.toml src/day27.cu onlinetext.html",
            "participant: 1/1 day27.cu",
            "王小明: 1/1 day27.cu",
        ]
    );
    let ada = &class.students[0];
    assert_eq!(ada.feedback_folder.as_deref(), Some("Ada Lovelace_12_assignsubmission_file"));
    assert_eq!(class.ignored.len(), 1);
}

const GRADESCOPE: &str = r#"
submission_1:
  :submitters:
  - :name: Ada Lovelace
    :sid: '0012'
    :email: ada@example.org
  :created_at: 2026-11-01 10:00:00 Z
submission_2:
  :submitters:
  - :name: Ada Lovelace
    :sid: '0012'
    :email: ada@example.org
  :created_at: 2026-11-02 10:00:00 Z
submission_3:
  :submitters:
  - :name: Kim
    :sid: '7'
  - :name: Lee
    :sid: '8'
  :created_at: 2026-10-01 10:00:00 Z
"#;

#[test]
fn gradescope_groups_and_attempts() {
    let root = TempDir::new().expect("a temporary folder");
    let export = "assignment_9_export";
    put(root.path(), &format!("{export}/submission_metadata.yml"), GRADESCOPE);
    for (folder, file) in [(1, "old.cu"), (2, "new.cu"), (3, "ours.cu"), (4, "whose.cu")] {
        put(root.path(), &format!("{export}/submission_{folder}/{file}"), "x");
    }
    let class = discover(root.path(), Some("2026-11-01T12:00:00Z")).expect("a readable export");
    assert_eq!(class.layout, Layout::Gradescope);
    assert_eq!(summary(&class), ["ada-lovelace: 2/2 late new.cu", "kim-lee: 1/1 ours.cu"]);
    assert_eq!(class.students[0].attempts[1].late_by, Some(22 * 3600));
    assert_eq!(class.students[0].id(), Some("0012"));
    assert_eq!(class.ignored.len(), 1, "{:?}", class.ignored);
}

#[test]
fn gradescope_metadata_that_is_none() {
    let root = TempDir::new().expect("a temporary folder");
    put(root.path(), "submission_metadata.yml", "- just\n- a list\n");
    put(root.path(), "submission_1/a.cu", "x");
    let error = discover(root.path(), None).expect_err("this is no metadata").to_string();
    assert!(error.contains("submission_metadata.yml") && error.contains("expected"), "{error}");
}

#[test]
fn plain_folders_files_and_attempts() {
    let root = TempDir::new().expect("a temporary folder");
    for file in [
        "ada/day27.cu",
        "ada/.git/config",
        "grace/attempt-1/day27.cu",
        "grace/attempt-2/day27.cu",
        "alan.cu",
        "alan.zip",
        "lee/src/a.cu",
        "photo.jpg",
        ".DS_Store",
    ] {
        put(root.path(), file, "x");
    }
    fs::create_dir(root.path().join("empty")).expect("a folder can be made");
    std::os::unix::fs::symlink("/etc", root.path().join("link")).expect("a link can be made");
    let class = discover(root.path(), None).expect("a readable class");
    assert_eq!(class.layout, Layout::Plain);
    assert_eq!(
        summary(&class),
        [
            "ada: 1/1 day27.cu",
            "alan: 1/1 alan.cu",
            "alan-2: 1/1 alan.zip",
            "empty: 1/1 ",
            "grace: 2/2 day27.cu",
            "lee: 1/1 src/a.cu",
        ]
    );
    let left: Vec<&str> = class.ignored.iter().map(|i| i.path.as_str()).collect();
    assert_eq!(left, [".DS_Store", "link", "photo.jpg"]);
}

#[test]
fn a_zip_of_a_class_with_traps() {
    let root = TempDir::new().expect("a temporary folder");
    let path = root.path().join("class.zip");
    let mut zip = zip::ZipWriter::new(fs::File::create(&path).expect("a file"));
    let plain = zip::write::SimpleFileOptions::default();
    for name in [
        "submissions/a_1_2_x.cu",
        "submissions/b_2_3_x.cu",
        "../escape_3_4_x.cu",
        "submissions/b_2_3_x.cu.bak",
    ] {
        zip.start_file(name, plain).expect("a member");
        std::io::Write::write_all(&mut zip, b"x").expect("its bytes");
    }
    zip.add_symlink("submissions/c_4_5_x.cu", "/etc/passwd", plain).expect("a link");
    zip.finish().expect("a whole zip");
    let class = discover(&path, None).expect("a readable zip");
    assert_eq!(class.students.len(), 2, "{:?}", class.students);
    assert!(class.ignored.iter().any(|i| i.path.contains("escape")), "{:?}", class.ignored);
    assert!(class.ignored.iter().any(|i| i.reason.contains("link")), "{:?}", class.ignored);
    let root = class.unpacked_to().expect("it was a zip").to_owned();
    assert!(!root.parent().expect("a folder above").join("escape_3_4_x.cu").exists());
    drop(class);
    assert!(!root.exists(), "the unpacked class is removed");
}

#[test]
fn nothing_there() {
    let root = TempDir::new().expect("a temporary folder");
    let error = discover(root.path(), None).expect_err("an empty folder").to_string();
    assert!(error.contains("no submission"), "{error}");
    let error = discover(&root.path().join("none"), None).expect_err("no such folder").to_string();
    assert!(error.contains("cannot be read"), "{error}");
    put(root.path(), "x.zip", "not a zip");
    let error = discover(&root.path().join("x.zip"), None).expect_err("no zip").to_string();
    assert!(error.contains("damaged or no zip"), "{error}");
}
