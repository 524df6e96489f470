//! Every view of every fixture record: as snapshots, and what no view may ever show.
//!
//! `PAGES_OUT=DIR cargo test --test report_pages` leaves the pages in DIR.

use std::fs;
use std::path::{Path, PathBuf};

use warpgrade::record::Graded;
use warpgrade::report::{Audience, Shown, TerminalStyle, audience, html, json, markdown, terminal};

fn records() -> Vec<(String, Graded)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/records");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read = |file: PathBuf| {
        let graded = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        (file.file_stem().unwrap().to_string_lossy().into_owned(), graded)
    };
    files.into_iter().map(read).collect()
}

fn record(name: &str) -> Graded {
    records().into_iter().find(|(known, _)| known == name).unwrap().1
}

fn rule_page(rule: &str) -> Option<String> {
    (rule == "fence-after-announcement").then(|| {
        "## What it says\n\nThe fence stands *below* the announcement.\n\n\
         ```cuda\natomicAdd(counter, 1u);\n__threadfence(); // too late\n```\n"
            .to_owned()
    })
}

/// Every view of a record for one reader: name and text.
fn views(graded: &Graded, reader: Audience) -> Vec<(&'static str, String)> {
    let shown = Shown { student: Some("Łukasz Þórsson"), ..Shown::new(reader, &rule_page) };
    let colour = TerminalStyle { width: 80, colour: true };
    vec![
        ("html", html(graded, &shown).unwrap()),
        ("md", markdown(graded, &shown).unwrap()),
        ("txt", terminal(graded, &shown, TerminalStyle::default()).unwrap()),
        ("ansi", terminal(graded, &shown, colour).unwrap()),
        ("json", json(graded, reader).unwrap()),
    ]
}

#[test]
fn snapshots() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots/report");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    // The style sheet has its own file; a page's snapshot is about what it says.
    settings.add_filter(r"<style>[\s\S]*?</style>", "<style>…</style>");
    settings.add_filter(r"sha256-[A-Za-z0-9+/=]+", "sha256-…");
    let _bound = settings.bind_to_scope();
    let out = std::env::var("PAGES_OUT");
    for (name, graded) in records() {
        for (kind, text) in views(&graded, Audience::Student) {
            if let Ok(out) = &out {
                fs::write(format!("{out}/{name}.{kind}"), &text).unwrap();
            }
            let page = kind == "html" && matches!(name.as_str(), "day62-races" | "hostile" | "fault");
            if page || kind == "md" || kind == "txt" {
                insta::assert_snapshot!(format!("{name}.{kind}"), text);
            }
        }
    }
}

#[test]
fn a_student_sees_that_a_hidden_instance_failed_and_nothing_of_it() {
    let mut graded = record("day27-fence-below");
    graded.criteria[0].reason = "Wrong at 1000003 elements: 8731207 expected.".to_owned();
    let secrets = ["1000003", "8731207", "8730104", "77112233", "secret-", "977 x 256", "977 × 256"];
    for (kind, text) in views(&graded, Audience::Student) {
        for secret in secrets {
            assert!(!text.contains(secret), "{kind} shows {secret}");
        }
    }
    let page = html(&graded, &Shown::new(Audience::Student, &rule_page)).unwrap();
    assert!(page.contains("did not hold</span> Hidden instance 1: <code>sumLastBlockFenced</code>"));
    let staff = html(&graded, &Shown::new(Audience::Staff, &rule_page)).unwrap();
    assert!(secrets[..5].iter().all(|secret| staff.contains(secret)));
}

#[test]
fn a_line_of_a_file_that_is_not_the_students_is_closed() {
    let mut graded = record("day62-races");
    let at = &mut graded.configurations[0].verdicts[1].findings[0].first.at;
    at.file = "/srv/reference/day62/oracle.cu".to_owned();
    at.text = "want[i] = sum; // the oracle".to_owned();
    for (kind, text) in views(&graded, Audience::Student) {
        assert!(!text.contains("the oracle") && !text.contains("/srv/reference"), "{kind}");
    }
    assert!(views(&graded, Audience::Staff).iter().all(|(_, text)| text.contains("the oracle")));
}

#[test]
fn a_fault_names_no_path_of_ours_to_a_student() {
    for (kind, text) in views(&record("fault"), Audience::Student) {
        assert!(!text.contains("/home/ta"), "{kind}");
        assert!(text.contains("libnvrtc.so.12"), "{kind}");
    }
}

#[test]
fn hostile_text_is_shown_and_never_live() {
    let graded = record("hostile");
    for reader in [Audience::Student, Audience::Staff] {
        for (kind, text) in views(&graded, reader) {
            let active = |c: char| {
                (c.is_control() && c != '\n' && c != '\t')
                    || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
            };
            let text = if kind == "ansi" { without_our_colours(&text) } else { text };
            assert_eq!(text.chars().find(|c| active(*c)), None, "{kind}");
            if kind == "html" {
                assert!(!text.contains("<script") && !text.contains("<img") && !text.contains("</textarea"));
                assert!(
                    text.contains("&lt;script&gt;")
                        && text.contains("⟨U+202E⟩")
                        && text.contains("⟨U+001B⟩[31m")
                );
                assert!(text.contains("{{ 7 * 7 }}"), "a template's syntax in a student's text stays text");
            }
        }
    }
}

/// Takes off `ESC [ digits ; m`, which is all that we write.
fn without_our_colours(text: &str) -> String {
    let mut parts = text.split('\x1b');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part.strip_prefix('[').expect("ours are CSI sequences");
        let end = code.find('m').expect("ours end in m");
        assert!(code[..end].chars().all(|c| c.is_ascii_digit() || c == ';'), "{part}");
        plain.push_str(&code[end + 1..]);
    }
    plain
}

#[test]
fn markdown_of_hostile_text_has_no_html_link_or_picture() {
    let text = markdown(&record("hostile"), &Shown::new(Audience::Staff, &rule_page)).unwrap();
    let mut code = 0;
    for event in pulldown_cmark::Parser::new_ext(&text, pulldown_cmark::Options::ENABLE_TABLES) {
        use pulldown_cmark::{Event, Tag};
        assert!(!matches!(event, Event::Html(_) | Event::InlineHtml(_)), "{event:?}");
        assert!(!matches!(event, Event::Start(Tag::Link { .. } | Tag::Image { .. })), "{event:?}");
        code += usize::from(matches!(event, Event::Code(_)));
    }
    assert!(code > 0);
}

#[test]
fn json_is_the_record() {
    for (name, graded) in records() {
        let text = json(&graded, Audience::Staff).unwrap();
        assert_eq!(serde_json::from_str::<Graded>(&text).unwrap(), graded, "{name}");
        let student: Graded = serde_json::from_str(&json(&graded, Audience::Student).unwrap()).unwrap();
        assert_eq!(student, audience(&graded, Audience::Student), "{name}");
        assert_eq!(audience(&student, Audience::Student), student, "closing twice changes nothing: {name}");
    }
}

#[test]
fn the_terminal_keeps_its_width() {
    use unicode_width::UnicodeWidthStr;
    for (name, graded) in records().into_iter().filter(|(name, _)| name != "hostile") {
        for width in [60, 80, 120] {
            let style = TerminalStyle { width, colour: false };
            let text = terminal(&graded, &Shown::new(Audience::Student, &rule_page), style).unwrap();
            let wide: Vec<&str> =
                text.lines().filter(|line| line.width() > width && !line.contains('|')).collect();
            assert_eq!(wide, Vec::<&str>::new(), "{name} at {width}");
        }
    }
}
