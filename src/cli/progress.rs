//! Lines about what is going on, on stderr.

use std::io::{IsTerminal, Write};

/// Writes progress for a person; silent with `--quiet`.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    quiet: bool,
}

impl Progress {
    pub fn new(quiet: bool) -> Self {
        Progress { quiet }
    }

    pub fn line(&self, text: &str) {
        if !self.quiet {
            let mut stderr = std::io::stderr().lock();
            let dim = stderr.is_terminal() && std::env::var_os("NO_COLOR").is_none();
            // Progress that cannot be written is no reason to fail.
            let _ = if dim { writeln!(stderr, "\x1b[2m{text}\x1b[0m") } else { writeln!(stderr, "{text}") };
        }
    }
}
