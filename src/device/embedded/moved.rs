//! What the checker found of a kernel, told in another program that holds the same kernel.
//!
//! Sites count a program's instructions from its start, so a kernel that is the same in two programs has other sites in
//! each when something before it differs. Within its functions the order is the same.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::program::EmbeddedProgram;
use super::rows::{Halt, SiteOutcome};
use super::verdict::Checked;
use crate::simt::{FaultKind, Site};

/// Where each function's instructions begin, by PTX name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    /// First site of a function, in order.
    starts: Vec<(Site, String)>,
}

impl EmbeddedProgram {
    pub fn layout(&self) -> Layout {
        let mut starts: Vec<(Site, String)> = Vec::new();
        for site in 0..self.program.sites() {
            if let Some(name) = self.program.function(site)
                && starts.last().is_none_or(|(_, last)| last != name)
            {
                starts.push((site, name.to_owned()));
            }
        }
        Layout { starts }
    }
}

impl Layout {
    /// The same instruction in another layout, where that has the function.
    fn moved(&self, site: Site, to: &BTreeMap<&str, Site>) -> Option<Site> {
        let (start, name) = self.starts.iter().rev().find(|(start, _)| *start <= site)?;
        to.get(name.as_str()).map(|first| first + (site - start))
    }

    /// `checked`, found in a program of this layout, with the sites of another. A site that is not found there stays out.
    pub fn translate(&self, checked: &Checked, to: &Layout) -> Checked {
        let firsts = to.firsts();
        let moved = |site: Site| self.moved(site, &firsts);
        let mut out = checked.clone();
        for finding in &mut out.report.findings {
            finding.first.site = finding.first.site.and_then(moved);
            if let Some(second) = &mut finding.second {
                second.site = second.site.and_then(moved);
            }
            let evidence = &mut finding.evidence;
            for event in evidence.earlier.iter_mut().chain(&mut evidence.later) {
                event.site = moved(event.site).unwrap_or(event.site);
            }
            for waiter in &mut evidence.waiting {
                waiter.site = moved(waiter.site).unwrap_or(waiter.site);
            }
        }
        for unknown in &mut out.report.unknown {
            unknown.site = unknown.site.and_then(moved);
        }
        out.watch.watch = checked.watch.watch.iter().filter_map(|&site| moved(site)).collect();
        out.watch.splits = checked.watch.splits.iter().filter_map(|&site| moved(site)).collect();
        out
    }

    /// The same for a row's outcome: a fault's sites, and those of the threads that wait.
    pub fn translate_outcome(&self, outcome: &SiteOutcome, to: &Layout) -> SiteOutcome {
        let firsts = to.firsts();
        let mut out = outcome.clone();
        if let Some((_, Halt::Fault(fault))) = &mut out.halted {
            fault.site = fault.site.and_then(|site| self.moved(site, &firsts));
            if let FaultKind::Deadlock { waiting } = &mut fault.kind {
                for wait in waiting {
                    wait.site = self.moved(wait.site, &firsts).unwrap_or(wait.site);
                }
            }
        }
        out
    }

    /// First site of each function.
    fn firsts(&self) -> BTreeMap<&str, Site> {
        self.starts.iter().map(|(site, name)| (name.as_str(), *site)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(starts: &[(Site, &str)]) -> Layout {
        Layout { starts: starts.iter().map(|(site, name)| (*site, (*name).to_owned())).collect() }
    }

    #[test]
    fn a_site_keeps_its_place_in_its_function() {
        let old = layout(&[(0, "a"), (10, "b")]);
        let new = layout(&[(0, "a"), (14, "b")]);
        let mut checked = Checked::default();
        checked.watch.watch.extend([3, 12]);
        assert_eq!(old.translate(&checked, &new).watch.watch.into_iter().collect::<Vec<_>>(), [3, 16]);
    }

    #[test]
    fn a_site_of_a_function_that_is_not_there_stays_out() {
        let mut checked = Checked::default();
        checked.watch.splits.insert(12);
        let moved = layout(&[(0, "a"), (10, "b")]).translate(&checked, &layout(&[(0, "a")]));
        assert!(moved.watch.splits.is_empty());
    }
}
