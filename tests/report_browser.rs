//! The pages in a real browser: light, dark, on a phone, on paper; quiet, self-contained, nothing cut off.
//!
//! `PAGES_SHOTS=DIR cargo test --test report_browser` leaves pictures in DIR.

mod browser;

use std::fs;
use std::path::Path;

use browser::{Browser, Look, Trouble};
use warpgrade::record::Graded;
use warpgrade::report::{Audience, Shown, html};

const LOOKS: [(&str, Look); 4] = [
    ("light", Look { width: 1100, dark: false }),
    ("dark", Look { width: 1100, dark: true }),
    ("phone", Look { width: 360, dark: false }),
    ("phone-dark", Look { width: 360, dark: true }),
];

fn rule_page(rule: &str) -> Option<String> {
    Some(format!("## {rule}\n\nWhat it says.\n\n```cuda\n{}\n```\n", "atomicAdd(counter, 1u); ".repeat(12)))
}

fn records() -> Vec<(String, Graded)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/records");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let read = |file: std::path::PathBuf| {
        let graded = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        (file.file_stem().unwrap().to_string_lossy().into_owned(), graded)
    };
    files.map(read).collect()
}

/// Parts that stand out of the window on the right, though they are not inside something that scrolls.
const CUT_OFF: &str = "(() => {
    const width = document.documentElement.clientWidth;
    const scrolls = e => { for (; e; e = e.parentElement) { const o = getComputedStyle(e).overflowX; if (o == 'auto' || o == 'scroll' || o == 'hidden') return true; } return false; };
    return [...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > width + 1 && !scrolls(e))
        .map(e => e.tagName + ' ' + e.className + ' ' + e.textContent.slice(0, 40));
})()";

/// Pairs of text and background with too little contrast for WCAG AA, over all text of the page.
const FAINT: &str = "(() => {
    const parse = c => { const m = c.match(/[\\d.]+/g).map(Number); return { r: m[0], g: m[1], b: m[2], a: m.length > 3 ? m[3] : 1 }; };
    const lum = c => { const f = v => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; }; return .2126 * f(c.r) + .7152 * f(c.g) + .0722 * f(c.b); };
    const behind = e => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c.a > .99) return c; } return { r: 255, g: 255, b: 255 }; };
    const faint = new Set();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const e = texts.currentNode.parentElement;
        if (!texts.currentNode.data.trim() || !e.checkVisibility()) continue;
        const style = getComputedStyle(e), svg = e instanceof SVGElement;
        const text = parse(svg ? (style.fill == 'none' ? style.color : style.fill) : style.color);
        const [a, b] = [lum(text), lum(behind(e))].sort((x, y) => y - x), ratio = (a + .05) / (b + .05);
        const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 700);
        if (ratio < (large ? 3 : 4.5)) faint.add(e.tagName + '.' + (e.getAttribute('class') || '') + ' ' + ratio.toFixed(2) + ' ' + texts.currentNode.data.trim().slice(0, 20));
    }
    return [...faint];
})()";

/// Headings that skip a level, labels without a target, lists of ids used twice.
const OUTLINE: &str = "(() => {
    const wrong = [];
    let last = 0;
    for (const h of document.querySelectorAll('h1,h2,h3,h4,h5,h6')) { const n = +h.tagName[1]; if (n > last + 1) wrong.push('skips to ' + h.textContent); last = n; }
    if (document.querySelectorAll('h1').length != 1) wrong.push('not one h1');
    const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
    for (const id of ids) if (ids.filter(x => x == id).length > 1) wrong.push('twice: ' + id);
    for (const e of document.querySelectorAll('[aria-labelledby]')) for (const id of e.getAttribute('aria-labelledby').split(' ')) if (!document.getElementById(id)) wrong.push('no ' + id);
    for (const a of document.querySelectorAll('a[href^=\"#\"]')) if (!document.getElementById(a.getAttribute('href').slice(1))) wrong.push('dead link ' + a.getAttribute('href'));
    for (const th of document.querySelectorAll('main th')) if (!th.scope && !th.closest('.rule-page')) wrong.push('no scope: ' + th.textContent);
    for (const s of document.querySelectorAll('svg[role=img]')) if (!s.querySelector('title') && !s.getAttribute('aria-label')) wrong.push('a picture without words');
    return wrong;
})()";

#[test]
fn pages_are_quiet_whole_and_readable() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let shots = std::env::var("PAGES_SHOTS");
    for (name, graded) in records() {
        let page = html(&graded, &Shown::new(Audience::Student, &rule_page)).unwrap();
        let file = folder.path().join(format!("{name}.html"));
        fs::write(&file, page).unwrap();
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
