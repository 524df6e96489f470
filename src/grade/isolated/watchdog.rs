//! Watches the compiler from inside the worker: tells the parent what is being compiled, refuses what it was told to
//! refuse, and ends the worker when a compile takes too long, since nothing can interrupt NVRTC.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::message::Stage;
use crate::nvrtc::{CompileError, CompileWatch};
use crate::record::Diagnostic;
use crate::sandbox::Outside;

/// Seconds that one compile may take when nothing else is said. An honest one takes less than one; loaded machines get
/// room.
pub const COMPILE_LIMIT: u64 = 20;

/// How much later than the first endless program another may have begun to be waited for.
const FOLLOWING: Duration = Duration::from_secs(2);

/// Told of every compile in a worker; see the module.
#[derive(Debug)]
pub struct Watchdog {
    outside: Outside,
    blamed: BTreeMap<String, String>,
    one_by_one: bool,
    limit: Duration,
    running: Mutex<BTreeMap<String, Instant>>,
    ended: Condvar,
}

impl Watchdog {
    /// `blamed` are programs that are not to be compiled again, with the reason; `limit` is in seconds.
    pub fn new(outside: Outside, blamed: BTreeMap<String, String>, one_by_one: bool, limit: u64) -> Self {
        let limit = Duration::from_secs(limit);
        Watchdog { outside, blamed, one_by_one, limit, running: Mutex::default(), ended: Condvar::new() }
    }

    fn running(&self) -> MutexGuard<'_, BTreeMap<String, Instant>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks after the compiles for as long as `self` is shared with anyone else; runs on a thread of its own.
    pub fn look_after(self: std::sync::Arc<Self>) {
        while std::sync::Arc::strong_count(&self) > 1 {
            std::thread::sleep(Duration::from_millis(100));
            if let Some(late) = late(&self.running(), self.limit) {
                // If the parent does not hear it, it sees the worker end while compiling.
                let _ = self.outside.part(&Stage::Endless(late));
                std::process::exit(0);
            }
        }
    }
}

/// The programs that took longer than `limit`, once there is one and none is about to follow it: the programs of one
/// submission share their trouble, and each end of the worker costs the limit once more.
fn late(running: &BTreeMap<String, Instant>, limit: Duration) -> Option<Vec<String>> {
    let late: Vec<String> =
        running.iter().filter(|(_, begun)| begun.elapsed() > limit).map(|(key, _)| key.clone()).collect();
    let follows = |begun: &Instant| (limit.saturating_sub(FOLLOWING)..=limit).contains(&begun.elapsed());
    (!late.is_empty() && !running.values().any(follows)).then_some(late)
}

impl CompileWatch for Watchdog {
    fn begin(&self, key: &str) -> Result<(), CompileError> {
        if let Some(reason) = self.blamed.get(key) {
            let message = reason.clone();
            let error = Diagnostic {
                level: "error".into(),
                file: String::new(),
                line: 0,
                message,
                text: String::new(),
            };
            return Err(CompileError::Source { diagnostics: vec![error] });
        }
        let mut running = self.running();
        while self.one_by_one && !running.is_empty() {
            running = self.ended.wait(running).unwrap_or_else(PoisonError::into_inner);
        }
        running.insert(key.to_owned(), Instant::now());
        drop(running);
        // Unheard, it only makes the blame less exact.
        let _ = self.outside.part(&Stage::Compiling(key.to_owned()));
        Ok(())
    }

    fn end(&self, key: &str) {
        self.running().remove(key);
        self.ended.notify_all();
        let _ = self.outside.part(&Stage::Compiled(key.to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn running(seconds: &[(&str, u64)]) -> BTreeMap<String, Instant> {
        let ago =
            |s: u64| Instant::now().checked_sub(Duration::from_secs(s)).expect("the clock ran that long");
        seconds.iter().map(|&(key, s)| (key.to_owned(), ago(s))).collect()
    }

    #[test]
    fn programs_that_are_late_together_are_told_together() {
        let limit = Duration::from_secs(20);
        assert_eq!(late(&running(&[("a", 19), ("b", 3)]), limit), None);
        assert_eq!(late(&running(&[("a", 21), ("b", 3)]), limit), Some(vec!["a".to_owned()]));
        assert_eq!(late(&running(&[("a", 21), ("b", 19)]), limit), None, "b is about to follow");
        assert_eq!(
            late(&running(&[("a", 22), ("b", 21)]), limit),
            Some(vec!["a".to_owned(), "b".to_owned()])
        );
    }
}
