//! All rules, in the order in which they are asked: the first that fits explains the finding.

use std::sync::LazyLock;

use super::page::Page;
use super::rule::Rule;
use super::*;

pub(super) const RULES: [Rule; 15] = [
    out_of_bounds::RULE,
    no_progress::RULE,
    divergent_barrier::RULE,
    barrier_skipped::RULE,
    counter_not_reset::RULE,
    uninitialised_read::RULE,
    // Races, the most telling explanation first.
    same_value_write::RULE,
    volatile_is_not_ordering::RULE,
    atomic_scope_too_narrow::RULE,
    missing_consumer_fence::RULE,
    fence_scope_too_narrow::RULE,
    fence_after_announcement::RULE,
    missing_atomic::RULE,
    missing_barrier::RULE,
    missing_fence::RULE,
];

static PAGES: LazyLock<Vec<Page>> = LazyLock::new(|| {
    let mut pages: Vec<Page> = RULES.iter().map(|r| r.page).collect();
    pages.sort_by_key(|p| p.rule);
    pages
});

/// Every rule's page, by name.
pub fn all() -> &'static [Page] {
    &PAGES
}

/// The page of a rule, by its name.
pub fn page(rule: &str) -> Option<&'static Page> {
    all().iter().find(|p| p.rule == rule)
}
