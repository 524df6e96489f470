//! The observer that judges launches.

use super::finding::{Report, Unmodelled};
use super::options::Options;
use super::watch::WatchPlan;
use crate::simt::{Fault, Observer, Site};

/// Watches launches and collects what they violate.
///
/// One checker serves one kernel (or one plan of launches on the same buffers): call [`Checker::begin_run`] for
/// each seed, hand it to the device for each launch, then read [`Checker::report`].
#[derive(Debug)]
pub struct Checker {
    options: Options,
    report: Report,
    seed: u64,
}

impl Checker {
    pub fn new(options: Options) -> Self {
        Checker { options, report: Report::default(), seed: 0 }
    }

    /// A new execution of the plan begins, with fresh buffers: what earlier runs stored is forgotten, what they
    /// violated is kept. `seed` is what findings will name.
    pub fn begin_run(&mut self, seed: u64) {
        self.seed = seed;
        self.report.runs += 1;
    }

    /// Replaces the adversary (rows use another seed each run).
    pub fn set_options(&mut self, options: Options) {
        self.options = options;
    }

    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Global bytes that hold nothing yet: reading one is a finding until somebody writes it.
    pub fn uninitialised(&mut self, _base: u64, _bytes: u64) {}

    /// Global bytes that the host has filled.
    pub fn initialised(&mut self, _base: u64, _bytes: u64) {}

    /// Something that the checker or the device does not model: the verdict cannot be `defined`.
    pub fn unmodelled(&mut self, site: Option<Site>, reason: impl Into<String>) {
        let entry = Unmodelled { site, reason: reason.into(), seed: self.seed };
        if !self.report.unknown.iter().any(|u| u.site == entry.site && u.reason == entry.reason) {
            self.report.unknown.push(entry);
        }
    }

    /// The device stopped a launch. Call it for every fault: bounds, deadlocks and endless loops become findings,
    /// everything else makes the verdict unknown.
    pub fn fault(&mut self, fault: &Fault) {
        self.unmodelled(fault.site, format!("{:?}", fault.kind));
    }

    pub fn report(&self) -> &Report {
        &self.report
    }

    /// What later runs of the same program need to watch; empty when no race was seen.
    pub fn watch_plan(&self) -> WatchPlan {
        WatchPlan::default()
    }
}

impl Observer for Checker {
    const ENABLED: bool = true;
}
