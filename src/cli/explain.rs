//! `warpgrade explain`: a rule's page.

use clap::Args;

use super::error::CliError;
use super::exit::Exit;
use crate::rules;

/// Explain a rule of the checker: what it reports, why it is wrong, what to write instead
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  warpgrade explain\n  warpgrade explain fence-after-announcement")]
pub struct Explain {
    /// The rule's name, as findings give it; without one, all rules are listed
    pub rule: Option<String>,
}

pub fn run(args: &Explain) -> Result<Exit, CliError> {
    let Some(rule) = &args.rule else {
        let width = rules::all().iter().map(|page| page.rule.len()).max().unwrap_or(0);
        for page in rules::all() {
            println!("{:<width$}  {}", page.rule, page.summary);
        }
        return Ok(Exit::Held);
    };
    match rules::page(rule) {
        Some(page) => {
            println!("{page}");
            Ok(Exit::Held)
        }
        None => {
            let known: Vec<&str> = rules::all().iter().map(|page| page.rule).collect();
            Err(CliError::Usage(format!("there is no rule `{rule}`; known: {}", known.join(", "))))
        }
    }
}
