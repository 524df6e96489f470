//! The made class's own dashboard in a browser: quiet, whole, readable, and no link leads nowhere.
//!
//! `PAGES_SHOTS=DIR` leaves pictures of it in DIR.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::json;

use crate::browser::checks::{CUT_OFF, FAINT, LOOKS, OUTLINE};
use crate::browser::{Browser, Look, Trouble};
use crate::graded::GRADED;

#[test]
fn the_classs_page_stands_up_in_a_browser() {
    let Some(mut browser) = Browser::start() else { return };
    let room = &*GRADED;
    let page = room.out().join("index.html");
    for (look, how) in LOOKS {
        assert_eq!(browser.open(&page, how), Trouble::default(), "{look}");
        let width = browser.evaluate("document.documentElement.scrollWidth");
        assert_eq!(width.as_u64(), Some(how.width.into()), "{look} scrolls sideways");
        if let Ok(shots) = std::env::var("PAGES_SHOTS") {
            std::fs::write(format!("{shots}/class-{look}.png"), browser.picture()).expect("a picture");
        }
        browser.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)");
        assert_eq!(browser.evaluate(CUT_OFF), json!([]), "{look}");
        assert_eq!(browser.evaluate(FAINT), json!([]), "{look}");
    }
    assert_eq!(browser.evaluate(OUTLINE), json!([]));
    let rows = browser.evaluate("document.querySelectorAll('#everyone tbody tr').length");
    assert_eq!(rows.as_u64(), Some(room.class.len() as u64));

    let links = "[...new Set([...document.querySelectorAll('main a[href]')].map(a => decodeURIComponent(new URL(a.href).pathname)))]";
    let links: BTreeSet<PathBuf> = serde_json::from_value(browser.evaluate(links)).expect("a list of paths");
    assert!(links.len() >= room.class.len(), "{} links", links.len());
    for link in &links {
        assert!(link.is_file(), "{} leads nowhere", link.display());
    }
    // Named by the LMS, in many scripts: what a link says is what it opens.
    for name in ["王", "иванов", "=hyperlink"] {
        let person = room.class.iter().find(|person| person.name.contains(name)).expect("somebody");
        let report = room.out().join("students").join(room.key_of(person)).join("report.html");
        assert!(links.contains(&report), "{name}");
        assert_eq!(browser.open(&report, Look { width: 1100, dark: false }), Trouble::default(), "{name}");
    }
}

#[test]
fn it_answers_what_who_and_how_spread() {
    let page = std::fs::read_to_string(GRADED.out().join("index.html")).expect("a page");
    for part in [
        "What the class got wrong",
        "A typical case:",
        "Who needs a person",
        "must be looked at",
        "median",
        "Points lost, by criterion",
        "Explanations in nearly the same words",
        "distinct programs",
    ] {
        assert!(page.contains(part), "{part}");
    }
}
