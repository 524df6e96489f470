//! A bug of ours is a grader fault: said in a sentence, with exit code 3, never as a zero for somebody.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::Write;
use std::panic::PanicHookInfo;

use super::exit::Exit;

/// Replaces Rust's panic message. Threads that catch their panics still may; the process goes on for them.
pub fn report_panics_as_faults() {
    std::panic::set_hook(Box::new(|info| {
        let message = message_of(info);
        // A reader such as `head` that closes our output has seen enough.
        if message.starts_with("failed printing to") && message.contains("Broken pipe") {
            std::process::exit(Exit::Held as i32);
        }
        let place = info.location().map(|l| format!(" ({}:{})", l.file(), l.line())).unwrap_or_default();
        let mut stderr = std::io::stderr().lock();
        let _ = writeln!(
            stderr,
            "grader fault: {message}{place}\n\
             This is a bug of warpgrade, not of the submission: nobody loses points for it. Please report it."
        );
        let trace = Backtrace::capture();
        if trace.status() == BacktraceStatus::Captured {
            let _ = writeln!(stderr, "{trace}");
        }
    }));
}

fn message_of(info: &PanicHookInfo) -> String {
    let payload = info.payload();
    let text = payload.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "an unknown failure".to_owned())
}
