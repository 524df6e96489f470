//! All rules, in the order in which `warpgrade explain` lists them.

use super::page::Page;

/// Every rule's page.
pub fn all() -> &'static [Page] {
    &[]
}

/// The page of a rule, by its name.
pub fn page(rule: &str) -> Option<&'static Page> {
    all().iter().find(|p| p.rule == rule)
}
