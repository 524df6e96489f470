//! The pages in a real browser: light, dark, on a phone, on paper; quiet, self-contained, nothing cut off.
//!
//! `PAGES_SHOTS=DIR cargo test --test report_browser` leaves pages and pictures in DIR; `PAGES_RECORDS=DIR` takes the
//! records there instead of the fixtures.

mod browser;

use std::fs;
use std::path::Path;

use browser::checks::{CUT_OFF, FAINT, LOOKS, OUTLINE};
use browser::{Browser, Look, Trouble};
use warpgrade::record::Graded;
use warpgrade::report::{Audience, Shown, html};

fn rule_page(rule: &str) -> Option<String> {
    Some(format!("## {rule}\n\nWhat it says.\n\n```cuda\n{}\n```\n", "atomicAdd(counter, 1u); ".repeat(12)))
}

fn records() -> Vec<(String, Graded)> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/records");
    let folder = std::env::var_os("PAGES_RECORDS").map_or(fixtures, Into::into);
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let read = |file: std::path::PathBuf| {
        let graded = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        (file.file_stem().unwrap().to_string_lossy().into_owned(), graded)
    };
    files.map(read).collect()
}

#[test]
fn pages_are_quiet_whole_and_readable() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let shots = std::env::var("PAGES_SHOTS");
    for (name, graded) in records() {
        let page = html(&graded, &Shown::new(Audience::Student, &rule_page)).unwrap();
        let file = folder.path().join(format!("{name}.html"));
        fs::write(&file, &page).unwrap();
        for (look, how) in LOOKS {
            let trouble = browser.open(&file, how);
            assert_eq!(trouble, Trouble::default(), "{name} {look}");
            assert_eq!(browser.evaluate("document.scripts.length"), 0, "{name}");
            let room = browser.evaluate("[document.documentElement.scrollWidth, innerWidth]");
            assert_eq!(room[0].as_u64(), Some(how.width.into()), "{name} {look} scrolls sideways: {room}");
            browser.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)");
            assert_eq!(browser.evaluate(CUT_OFF), serde_json::json!([]), "{name} {look}");
            assert_eq!(browser.evaluate(FAINT), serde_json::json!([]), "{name} {look}");
            let dark =
                browser.evaluate("getComputedStyle(document.body).backgroundColor != 'rgb(251, 250, 247)'");
            assert_eq!(dark, serde_json::json!(how.dark), "{name} {look}");
            if let Ok(shots) = &shots {
                browser.open(&file, how);
                fs::write(format!("{shots}/{name}-{look}.png"), browser.picture()).unwrap();
            }
        }
        assert_eq!(browser.evaluate(OUTLINE), serde_json::json!([]), "{name}");
        let pdf = browser.pdf();
        assert!(pdf.starts_with(b"%PDF-") && pdf.len() > 5_000, "{name}");
        if let Ok(shots) = &shots {
            fs::write(format!("{shots}/{name}.pdf"), pdf).unwrap();
        }
    }
}

#[test]
fn the_checks_see_what_they_look_for() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bad.html");
    fs::write(
        &file,
        "<!doctype html><meta name=viewport content='width=device-width'><h1>a</h1><h3 style='color:#aaa;background:#fff'>b</h3>\
         <p style='width:900px'>wide</p><img src='x.png'><script>console.log(1); nothing()</script>",
    )
    .unwrap();
    let trouble = browser.open(&file, Look { width: 360, dark: false });
    assert!(trouble.messages.len() >= 2 && trouble.requests.len() == 1, "{trouble:?}");
    for check in [CUT_OFF, FAINT, OUTLINE] {
        assert_ne!(browser.evaluate(check), serde_json::json!([]), "{check}");
    }
}
