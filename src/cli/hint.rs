//! `warpgrade hint`: one hint at a time.

use std::path::PathBuf;

use clap::Args;

use super::error::CliError;
use super::exit::Exit;
use super::start::{catalogue, load};

/// Show one hint of an exercise
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  warpgrade hint day27-memory-model      the first hint\n  warpgrade hint day27-memory-model 2    the second\n\nThe report of a grading shows the hints that fit what went wrong."
)]
pub struct Hint {
    /// The exercise's id
    pub exercise: String,
    /// Which hint, from 1
    #[arg(default_value_t = 1)]
    pub number: usize,
    /// Exercises from this folder instead of the built-in ones
    #[arg(long, value_name = "DIR")]
    pub exercises: Option<PathBuf>,
}

pub fn run(args: &Hint) -> Result<Exit, CliError> {
    let exercise = load(&catalogue(args.exercises.as_deref())?, &args.exercise)?;
    let count = exercise.hints.len();
    let Some(hint) = args.number.checked_sub(1).and_then(|index| exercise.hints.get(index)) else {
        return Err(CliError::Usage(match count {
            0 => format!("{} has no hints", exercise.id),
            _ => format!("{} has hints 1 to {count}; there is no hint {}", exercise.id, args.number),
        }));
    };
    println!("{} ({} of {count})\n\n{}", hint.title, args.number, hint.text);
    if args.number < count {
        println!("\nThe next one: warpgrade hint {} {}", exercise.id, args.number + 1);
    }
    Ok(Exit::Held)
}
