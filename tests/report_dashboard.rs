//! The dashboard: what it says of a made class, and that it works in a browser.
//!
//! `PAGES_SHOTS=DIR cargo test --test report_dashboard` leaves the page and pictures of it in DIR.

mod browser;

use std::fs;
use std::path::Path;

use browser::checks::{CUT_OFF, FAINT, LOOKS, OUTLINE};
use browser::{Browser, Look, Trouble};
use serde_json::json;
use warpgrade::record::Graded;
use warpgrade::report::{Audience, ClassEntry, Member, Shown, dashboard, html};

fn record(name: &str) -> Graded {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/records/{name}.json"));
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

/// 60 submissions to day 27: two thirds right, the rest wrong, broken, hostile or unlucky.
fn class() -> Vec<ClassEntry> {
    let given = ["Ada", "Þór", "小龍", "عمر", "Ñuria", "नीला", "Grace", "Łukasz", "Zoë", "Olu"];
    let family = ["Ødegaard", "Okafor", "李", "Nguyễn", "García", "Smith"];
    let kinds = [
        "day27-right",
        "day27-fence-below",
        "day27-right",
        "day27-fence-below",
        "day27-right",
        "day27-right",
    ];
    (0..60)
        .map(|index: usize| {
            let odd = match index {
                7 => Some("fault"),
                19 => Some("rejected"),
                33 => Some("hostile"),
                _ => None,
            };
            let key = format!("s{index:03}");
            let name = format!("{} {}", given[index % 10], family[index / 10]);
            let mut entry = ClassEntry::new(key.clone(), record(odd.unwrap_or(kinds[index % 6])));
            entry.members = vec![Member { name, id: Some((4000 + index).to_string()), ..Member::default() }];
            entry.page = Some(format!("students/{key}/report.html"));
            entry.program = Some(kinds[index % 6].to_owned());
            entry.late = index % 20 == 3;
            if index % 6 == 4 {
                entry.final_points = Some(6.0 + index as f64 / 10.0);
            }
            entry
        })
        .chain([ClassEntry {
            members: vec![Member {
                name: "=cmd|' /C calc'!A0 <img src=x onerror=alert(1)>\u{202e}".into(),
                ..Member::default()
            }],
            page: Some("javascript:alert(1)".into()),
            ..ClassEntry::new("evil", record("hostile"))
        }])
        .collect()
}

#[test]
fn it_answers_what_who_and_how_spread() {
    let page = dashboard(&class(), "Day 27: the memory model").unwrap();
    assert!(page.contains("Fence after announcement</strong> <span>17 of 61 (28 %)"), "what most got wrong");
    assert!(page.contains("the grader failed: NVRTC could not be loaded"), "faults are named");
    assert!(
        page.contains("is right on the data that the student can see, and wrong on hidden data")
            || page.contains("to confirm")
    );
    assert!(page.contains("1 without a score"));
    assert!(page.contains("Explanations in nearly the same words"));
    assert!(!page.contains("<img") && !page.contains("href=\"javascript:") && !page.contains('\u{202e}'));
}

#[test]
fn an_empty_class_is_a_page_too() {
    assert!(dashboard(&[], "Nobody").unwrap().contains("<h1>Nobody</h1>"));
}

/// Names of the rows on show, in order.
const SHOWN: &str =
    "[...document.querySelectorAll('#everyone tbody tr')].filter(r => !r.hidden).map(r => r.dataset.key)";

#[test]
fn it_works_in_a_browser() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let class = class();
    let file = folder.path().join("index.html");
    fs::write(&file, dashboard(&class, "Day 27: the memory model").unwrap()).unwrap();
    for entry in &class[..60] {
        let page = folder.path().join(entry.page.as_ref().unwrap());
        fs::create_dir_all(page.parent().unwrap()).unwrap();
        fs::write(page, html(&entry.graded, &Shown::new(Audience::Staff, &|_: &str| None)).unwrap()).unwrap();
    }
    for (look, how) in LOOKS {
        assert_eq!(browser.open(&file, how), Trouble::default(), "{look}");
        let room = browser.evaluate("document.documentElement.scrollWidth");
        assert_eq!(room.as_u64(), Some(how.width.into()), "{look} scrolls sideways");
        browser.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)");
        assert_eq!(browser.evaluate(CUT_OFF), json!([]), "{look}");
        assert_eq!(browser.evaluate(FAINT), json!([]), "{look}");
        if let Ok(shots) = std::env::var("PAGES_SHOTS") {
            browser.open(&file, how);
            fs::write(format!("{shots}/dashboard-{look}.png"), browser.picture()).unwrap();
        }
    }
    assert_eq!(browser.evaluate(OUTLINE), json!([]));

    browser.open(&file, Look { width: 1100, dark: false });
    let showing = "document.getElementById('showing').textContent";
    assert_eq!(browser.evaluate(showing), "showing 61 of 61");

    // Sorting, both ways, by number and not by digits.
    let percents = "[...document.querySelectorAll('#everyone tbody tr')].map(r => +r.dataset.percent)";
    browser.evaluate("document.querySelector('th[data-by=percent] button').click()");
    let up: Vec<f64> = serde_json::from_value(browser.evaluate(percents)).unwrap();
    assert!(up.is_sorted() && up[0] < 0.0, "the fault, without a score, comes first: {up:?}");
    assert_eq!(
        browser.evaluate("document.querySelector('th[data-by=percent]').getAttribute('aria-sort')"),
        "ascending"
    );
    browser.evaluate("document.querySelector('th[data-by=percent] button').click()");
    let down: Vec<f64> = serde_json::from_value(browser.evaluate(percents)).unwrap();
    assert!(down.iter().rev().copied().is_sorted() && down[0] == 100.0);

    // Filters and search, alone and together.
    let set = |id: &str, value: &str, event: &str| {
        format!(
            "{{ const e = document.getElementById('{id}'); e.value = '{value}'; e.dispatchEvent(new Event('{event}')); }}"
        )
    };
    browser.evaluate(&set("status", "fault", "change"));
    assert_eq!(browser.evaluate(SHOWN), json!(["s007"]));
    assert_eq!(browser.evaluate(showing), "showing 1 of 61");
    browser.evaluate(&set("status", "late", "change"));
    assert_eq!(browser.evaluate(SHOWN).as_array().unwrap().len(), 3);
    browser.evaluate(&set("status", "", "change"));
    browser.evaluate(&set("search", "ødegaard", "input"));
    assert_eq!(browser.evaluate(SHOWN).as_array().unwrap().len(), 10);
    browser.evaluate(&set("search", "", "input"));
    browser.evaluate("document.querySelector('button[data-rule=fence-after-announcement]').click()");
    assert_eq!(browser.evaluate(SHOWN).as_array().unwrap().len(), 17);

    // The link to a typical case leads to its page, at the finding.
    let link = browser.evaluate("document.querySelector('.bars a').getAttribute('href')");
    let target =
        folder.path().join(link.as_str().unwrap().trim_start_matches("./").trim_end_matches("#fix-1"));
    assert_eq!(browser.open(&target, Look { width: 1100, dark: false }), Trouble::default());
    assert_eq!(browser.evaluate("document.getElementById('fix-1').querySelector('h3').textContent.includes('Fence after announcement')"), true);
}
