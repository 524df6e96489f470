//! What every page is looked at for, as expressions for the browser; each gives a list of what is wrong.

use super::Look;

pub const LOOKS: [(&str, Look); 4] = [
    ("light", Look { width: 1100, dark: false }),
    ("dark", Look { width: 1100, dark: true }),
    ("phone", Look { width: 360, dark: false }),
    ("phone-dark", Look { width: 360, dark: true }),
];

/// Parts that stand out of the window on the right, though they are not inside something that scrolls.
pub const CUT_OFF: &str = "(() => {
    const width = document.documentElement.clientWidth;
    const scrolls = e => { for (; e; e = e.parentElement) { const o = getComputedStyle(e).overflowX; if (o == 'auto' || o == 'scroll' || o == 'hidden') return true; } return false; };
    return [...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > width + 1 && !scrolls(e))
        .map(e => e.tagName + ' ' + e.className + ' ' + e.textContent.slice(0, 40));
})()";

/// Pairs of text and background with too little contrast for WCAG AA, over all text of the page.
pub const FAINT: &str = "(() => {
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
pub const OUTLINE: &str = "(() => {
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
