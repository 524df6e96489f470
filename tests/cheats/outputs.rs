//! A submission whose texts and names carry everything that an output could act on, through every output.

use std::fs;
use std::path::Path;

use assert_cmd::Command;

use super::graded::reverse;

/// A line that is a terminal escape, markup, a link, a formula, and turned text at once.
const HOSTILE: &str = "\u{1b}]0;owned\u{7}\u{1b}[31m<script>alert(1)</script>](javascript:alert(2))|=HYPERLINK(\"x\")|\u{202e}txet\u{2066}]]>-->\u{0}";
/// What no text output holds as it is.
const LIVE: [char; 6] = ['\u{1b}', '\u{7}', '\u{202e}', '\u{2066}', '\u{0}', '\u{9b}'];

fn warpgrade(arguments: &[&std::ffi::OsStr]) -> (i32, String) {
    let output = Command::cargo_bin("warpgrade").unwrap().args(arguments).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&said).into_owned())
}

/// A class of one hostile student, graded.
fn class() -> tempfile::TempDir {
    let room = tempfile::tempdir().unwrap();
    let text = HOSTILE.replace('\u{0}', "");
    let student = room.path().join("class").join("=cmd()<b>eve\u{202e}");
    fs::create_dir_all(&student).unwrap();
    // The race is on a line with all of it, the kernel prints it, and the answers hold it.
    let program = reverse(&format!("#include \"{}\"\n", text.replace('"', "")), "")
        .replace("    __syncthreads();\n", "")
        .replace("1 - t];", &format!("1 - t]; // {text}"))
        .replace(
            "    if (gid < n) {\n",
            &format!("    if (gid == 0) {{ printf(\"%s\\n\", R\"x({text})x\"); }}\n    if (gid < n) {{\n"),
        );
    fs::write(student.join("@SUM(1)\u{202e}<i>.cu"), program).unwrap();
    let answer = text.replace('\\', "").replace('"', "'").replace(['\u{1b}', '\u{7}'], "");
    fs::write(student.join("answers.toml"), format!("why = \"\\u001b[31m{answer}\"\n\"{answer}\" = 1\n"))
        .unwrap();
    let (class, out) = (room.path().join("class"), room.path().join("out"));
    let arguments =
        ["--exercise", "syncthreads-reverse", "--device", "embedded", "--runs", "2", "--seeds", "1"];
    let mut command = Command::cargo_bin("warpgrade").unwrap();
    let output = command.arg("batch").arg(&class).arg("--out").arg(&out).args(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    is_inert("batch", &String::from_utf8_lossy(&[output.stdout, output.stderr].concat()));
    room
}

fn is_inert(output: &str, text: &str) {
    for live in LIVE {
        assert!(!text.contains(live), "{output} holds {live:?}");
    }
}

fn no_markup(output: &str, text: &str) {
    for markup in ["<script>alert", "<b>eve", "<i>.cu"] {
        assert!(!text.contains(markup), "{output} holds {markup}");
    }
}

/// Markup may stand in a code block, where it is text; nowhere else.
fn no_live_markdown(output: &str, text: &str) {
    use pulldown_cmark::{Event, Parser, Tag};
    for event in Parser::new(text) {
        match event {
            Event::Html(html) | Event::InlineHtml(html) => panic!("{output} holds live {html}"),
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                assert!(!dest_url.starts_with("javascript:"), "{output} links to {dest_url}");
            }
            _ => {}
        }
    }
}

#[test]
fn every_page_and_every_export_shows_it_and_none_acts_on_it() {
    let room = class();
    let out = room.path().join("out");
    let mut pages = 0;
    for entry in walkdir::WalkDir::new(&out).into_iter().filter_map(Result::ok) {
        let name = entry.file_name().to_string_lossy().into_owned();
        let extension = Path::new(&name).extension().unwrap_or_default().to_string_lossy().into_owned();
        if !matches!(extension.as_str(), "html" | "md" | "csv") {
            continue;
        }
        let text = fs::read_to_string(entry.path()).unwrap();
        is_inert(&name, &text);
        match extension.as_str() {
            "html" => no_markup(&name, &text),
            "md" => no_live_markdown(&name, &text),
            _ => {}
        }
        if extension == "html" {
            pages += 1;
            assert!(text.contains("http-equiv=\"Content-Security-Policy\""), "{name}");
            assert!(text.contains("default-src 'none'"), "{name}");
            assert!(
                !text.contains("href=\"javascript:") && !text.contains("'unsafe-inline' 'unsafe"),
                "{name}"
            );
        }
    }
    assert!(pages >= 2, "{pages} pages");
    let page = walkdir::WalkDir::new(&out)
        .into_iter()
        .filter_map(Result::ok)
        .find(|e| e.file_name() == "report.html");
    let page = fs::read_to_string(page.unwrap().path()).unwrap();
    assert!(
        page.contains("⟨U+202E⟩") && page.contains("⟨U+001B⟩"),
        "the characters are shown as what they are"
    );

    for format in ["gradescope", "canvas", "moodle", "csv", "junit", "sarif"] {
        let target = room.path().join(format!("export-{format}"));
        let arguments: [&std::ffi::OsStr; 6] = [
            "export".as_ref(),
            out.as_os_str(),
            "--format".as_ref(),
            format.as_ref(),
            "--to".as_ref(),
            target.as_os_str(),
        ];
        let (exit, said) = warpgrade(&arguments);
        is_inert(format, &said);
        if exit != 0 {
            // Canvas and Moodle want the course's own list, which a plain class has none of.
            assert!(matches!(format, "canvas" | "moodle"), "{format}: {said}");
            continue;
        }
        for entry in walkdir::WalkDir::new(&target)
            .into_iter()
            .filter_map(Result::ok)
            .filter(|e| e.file_type().is_file())
        {
            let text = fs::read_to_string(entry.path()).unwrap_or_default();
            is_inert(format, &text);
            if format == "csv" {
                let cells = text.lines().flat_map(|line| line.split(','));
                assert!(
                    cells.into_iter().all(|cell| !cell.trim_start_matches('"').starts_with(['=', '@'])),
                    "{text}"
                );
            }
        }
    }
}

#[test]
fn the_terminal_and_the_checker_show_it() {
    let room = class();
    let student = fs::read_dir(room.path().join("class")).unwrap().next().unwrap().unwrap().path();
    let common: [&std::ffi::OsStr; 6] = [
        "--device".as_ref(),
        "embedded".as_ref(),
        "--runs".as_ref(),
        "2".as_ref(),
        "--seeds".as_ref(),
        "1".as_ref(),
    ];
    let mut arguments: Vec<&std::ffi::OsStr> =
        vec!["grade".as_ref(), "syncthreads-reverse".as_ref(), student.as_os_str()];
    arguments.extend(common);
    let (exit, said) = warpgrade(&arguments);
    assert_eq!(exit, 1, "{said}");
    is_inert("grade", &said);
    assert!(said.contains("⟨U+202E⟩"), "{said}");

    let file = fs::read_dir(&student)
        .unwrap()
        .map(|e| e.unwrap().path())
        .find(|p| p.extension().is_some_and(|e| e == "cu"));
    let file = file.unwrap();
    let check: [&std::ffi::OsStr; 16] = [
        "check".as_ref(),
        file.as_os_str(),
        "--kernel".as_ref(),
        "reverseBlock".as_ref(),
        "--grid".as_ref(),
        "2".as_ref(),
        "--block".as_ref(),
        "64".as_ref(),
        "--define".as_ref(),
        "BLOCK=64".as_ref(),
        "--arg".as_ref(),
        "buf:f32:128".as_ref(),
        "--arg".as_ref(),
        "buf:f32:128:iota".as_ref(),
        "--arg".as_ref(),
        "i32:128".as_ref(),
    ];
    let (exit, said) = warpgrade(&check);
    assert_eq!(exit, 1, "{said}");
    is_inert("check", &said);
    let broken = student.join("broken.cu");
    fs::write(
        &broken,
        format!(
            "__global__ void k(int* p) {{ p[0] = nothing; }} // {}\n#error {}\n",
            &HOSTILE[..40],
            "\u{1b}[31mred\u{202e}"
        ),
    )
    .unwrap();
    let (exit, said) = warpgrade(&[
        "check".as_ref(),
        broken.as_os_str(),
        "--kernel".as_ref(),
        "k".as_ref(),
        "--grid".as_ref(),
        "1".as_ref(),
        "--block".as_ref(),
        "1".as_ref(),
        "--arg".as_ref(),
        "buf:i32:1".as_ref(),
    ]);
    assert_eq!(exit, 3, "{said}");
    is_inert("check of a broken file", &said);
}
