//! How far a class has come: a bar on a terminal, plain lines elsewhere.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::batch::{Counts, Step};
use crate::record::Status;

/// Time between plain lines.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Shows counts, rate and time left on stderr.
pub struct ClassProgress {
    bar: Option<ProgressBar>,
    quiet: bool,
    begun: Instant,
    told: Instant,
    fresh: usize,
}

impl ClassProgress {
    pub fn new(total: usize, quiet: bool) -> ClassProgress {
        let bar = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::new(total as u64);
            let style = ProgressStyle::with_template("{bar:30} {pos}/{len}  {per_sec}  {eta} left  {msg}");
            bar.set_style(style.expect("the template is a constant"));
            bar
        });
        let now = Instant::now();
        ClassProgress { bar, quiet, begun: now, told: now, fresh: 0 }
    }

    /// One submission is through.
    pub fn step(&mut self, step: &Step, counts: &Counts) {
        if self.quiet {
            return;
        }
        self.fresh += usize::from(!step.known);
        let said = format!("rejected {}, faults {}", counts.rejected, counts.faults);
        if let Some(bar) = &self.bar {
            bar.set_position(counts.done() as u64);
            bar.set_message(said);
            if step.status == Status::Fault {
                bar.println(format!("{}: grader fault", step.student));
            }
            return;
        }
        let last = counts.done() == counts.total;
        if !last && self.told.elapsed() < LINE_EVERY && step.status != Status::Fault {
            return;
        }
        self.told = Instant::now();
        let rate = self.fresh as f64 / self.begun.elapsed().as_secs_f64().max(0.001);
        let left = (counts.total - counts.done()) as f64 / rate.max(1e-6);
        let left = if last || self.fresh == 0 { String::new() } else { format!(", {left:.0} s left") };
        // Progress that cannot be written is no reason to stop.
        let _ = writeln!(
            std::io::stderr(),
            "{} of {}  ({rate:.1} a second{left}; {said}; last: {} in {:.1} s)",
            counts.done(),
            counts.total,
            step.student,
            step.took.as_secs_f64()
        );
    }

    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
