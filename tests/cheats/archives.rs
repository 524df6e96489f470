//! Archives and folders made to do harm, each with an honest program in it: that is graded, the rest is told and left.

use std::fs;
use std::io::Write;
use std::path::Path;

use super::graded::{Graded, grade, reverse};
use super::leaks;

const EXERCISE: &str = "syncthreads-reverse";

fn honest() -> String {
    reverse("", "")
}

/// The honest program is graded whatever lies beside it, and every kind of notice is there.
fn is_graded_with(submission: &Path, kinds: &[&str]) -> Graded {
    let graded = grade(EXERCISE, submission, &[]);
    assert_eq!(graded.exit, 0, "{}{}", graded.text, graded.stderr);
    for kind in kinds {
        assert!(!graded.notices(kind).is_empty(), "no {kind}: {}", graded.json["notices"]);
    }
    assert_eq!(leaks::in_outputs(&graded), [""; 0]);
    graded
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in members {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn tar(members: &[(&[u8], tar::EntryType, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    for (name, kind, bytes) in members {
        let mut header = tar::Header::new_gnu();
        header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name);
        header.set_entry_type(*kind);
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        out.extend(header.as_bytes());
        out.extend(*bytes);
        out.resize(out.len().next_multiple_of(512), 0);
    }
    out.resize(out.len() + 1024, 0);
    out
}

fn in_file(name: &str, bytes: &[u8]) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    fs::write(&file, bytes).unwrap();
    (folder, file)
}

#[test]
fn a_zip_bomb() {
    let honest = honest();
    let zeros = vec![b' '; 4 << 20];
    let names: Vec<String> = (0..30).map(|i| format!("z{i}.cu")).collect();
    let mut members: Vec<(&str, &[u8])> = vec![("a.cu", honest.as_bytes())];
    members.extend(names.iter().map(|name| (name.as_str(), zeros.as_slice())));
    let (_folder, file) = in_file("hw.zip", &zip(&members));
    let graded = is_graded_with(&file, &["archive-bomb"]);
    assert!(graded.words().contains("unpacks to far more than it is"), "{}", graded.text);
}

#[test]
fn ten_thousand_files() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("0.cu"), honest()).unwrap();
    for number in 0..10_000 {
        fs::write(folder.path().join(format!("{number}.md")), "x").unwrap();
    }
    let graded = is_graded_with(folder.path(), &["too-many-files"]);
    assert!(graded.words().contains("More than 2000 files were handed in"), "{}", graded.text);
}

#[test]
fn an_archive_in_an_archive_in_an_archive() {
    let honest = honest();
    let mut nested = zip(&[("a.cu", b"int x;")]);
    for _ in 0..5 {
        nested = zip(&[("inner.zip", &nested)]);
    }
    let (_folder, file) = in_file("hw.zip", &zip(&[("a.cu", honest.as_bytes()), ("inner.zip", &nested)]));
    let graded = is_graded_with(&file, &["archive-bomb"]);
    assert!(graded.words().contains("is an archive inside 3 others"), "{}", graded.text);
}

#[test]
fn names_that_lead_elsewhere_and_members_that_are_no_files() {
    use tar::EntryType as Kind;
    let honest = honest();
    let other = b"__global__ void other() {}\n".as_slice();
    let long = [b'x'; 100];
    let bytes = tar(&[
        (b"../up.cu", Kind::Regular, other),
        (b"/etc/cron.d/absolute.cu", Kind::Regular, other),
        (b"C:\\drive.cu", Kind::Regular, other),
        (b"a/../../b.cu", Kind::Regular, other),
        (b"link.cu", Kind::Symlink, b""),
        (b"hard.cu", Kind::Link, b""),
        (b"device.cu", Kind::Char, b""),
        (b"block.cu", Kind::Block, b""),
        (b"pipe.cu", Kind::Fifo, b""),
        (b"con.cu", Kind::Regular, b"// a name that Windows keeps for itself\n"),
        (b"nul", Kind::Regular, b"x"),
        (b"caf\xe9.md", Kind::Regular, b"x"),
        (b"\x1b[2Jclear.md", Kind::Regular, b"x"),
        (&long, Kind::Regular, b"x"),
        (b"same.cu", Kind::Regular, honest.as_bytes()),
    ]);
    let (_folder, file) = in_file("hw.tar", &bytes);
    let graded = is_graded_with(&file, &["unsafe-path", "link", "not-a-file"]);
    assert_eq!(graded.notices("unsafe-path").len(), 4);
    assert_eq!(graded.notices("not-a-file").len(), 3);
    for (output, text) in graded.outputs() {
        assert!(!text.contains('\x1b'), "{output}");
    }
}

#[test]
fn names_that_differ_in_case_alone_and_names_that_are_there_twice() {
    let honest = honest();
    let bytes = tar(&[
        (b"reverse.cu", tar::EntryType::Regular, honest.as_bytes()),
        (b"REVERSE.CU", tar::EntryType::Regular, honest.as_bytes()),
        (b"reverse.cu", tar::EntryType::Regular, honest.as_bytes()),
    ]);
    let (_folder, file) = in_file("hw.tar", &bytes);
    let graded = grade(EXERCISE, &file, &[]);
    assert_eq!(graded.exit, 0, "{}", graded.text);
    let inputs: Vec<&str> =
        graded.json["inputs"].as_array().unwrap().iter().filter_map(|input| input["file"].as_str()).collect();
    assert_eq!(inputs, ["hw.tar", "reverse.cu", "REVERSE.CU", "reverse.cu (2)"]);
}

#[cfg(unix)]
#[test]
fn a_folder_with_links_sockets_and_pipes() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("hw");
    fs::create_dir(&inside).unwrap();
    fs::write(inside.join("mine.cu"), honest()).unwrap();
    fs::write(folder.path().join("neighbour.cu"), "another student's\n").unwrap();
    std::os::unix::fs::symlink("/etc/passwd", inside.join("passwd.cu")).unwrap();
    std::os::unix::fs::symlink(folder.path(), inside.join("up")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(inside.join("socket.cu")).unwrap();
    let pipe = std::process::Command::new("mkfifo").arg(inside.join("pipe.cu")).status();
    let graded = is_graded_with(&inside, &["link", "not-a-file"]);
    assert_eq!(graded.notices("link").len(), 2);
    assert_eq!(
        graded.notices("not-a-file").len(),
        1 + usize::from(pipe.is_ok_and(|status| status.success()))
    );
    assert!(graded.outputs().iter().all(|(_, text)| !text.contains("another student's")));
}

#[cfg(unix)]
#[test]
fn a_link_in_place_of_the_submission() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("mine.cu");
    std::os::unix::fs::symlink("/etc/passwd", &link).unwrap();
    let graded = grade(EXERCISE, &link, &[]);
    assert_eq!(graded.exit, 1);
    assert!(graded.words().contains("is a link; links are not followed"), "{}", graded.text);
    assert_eq!(leaks::in_outputs(&graded), [""; 0]);
}

#[test]
fn a_very_long_name() {
    let honest = honest();
    let name = format!("{}.cu", "reverse".repeat(700));
    let (_folder, file) = in_file("hw.zip", &zip(&[(&name, honest.as_bytes())]));
    let graded = is_graded_with(&file, &[]);
    let input = graded.json["inputs"][1]["file"].as_str().unwrap().to_owned();
    assert!(input.chars().count() < 300 && input.contains("[...]"), "{input}");
}
