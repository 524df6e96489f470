//! `warpgrade start`: the starter program and the questions, in a folder of the student's.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::error::CliError;
use super::exit::Exit;
use crate::exercise::{Catalogue, CatalogueError, Exercise, TextFile};

/// Begin an exercise: write its program and its questions into a folder, and say what to do; without an id, list them
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  warpgrade start                            the exercises that there are\n  warpgrade start day27-memory-model         into a folder of that name\n  warpgrade start day27-memory-model work    into work\n\nA file that is there already is never overwritten."
)]
pub struct Start {
    /// The exercise's id; without it the exercises are listed
    pub exercise: Option<String>,
    /// The folder to write into [default: the exercise's id]
    pub folder: Option<PathBuf>,
    /// Exercises from this folder instead of the built-in ones
    #[arg(long, value_name = "DIR")]
    pub exercises: Option<PathBuf>,
}

pub fn run(args: &Start) -> Result<Exit, CliError> {
    let catalogue = catalogue(args.exercises.as_deref())?;
    let Some(id) = &args.exercise else { return list(&catalogue) };
    let exercise = load(&catalogue, id)?;
    let folder = args.folder.clone().unwrap_or_else(|| PathBuf::from(&exercise.id));
    std::fs::create_dir_all(&folder)
        .map_err(|error| CliError::Usage(format!("cannot make the folder {}: {error}", folder.display())))?;
    println!("{}\n\n{}\n\n{}\n", exercise.title, exercise.summary, exercise.task);
    let mut files = vec![exercise.template_starter()];
    if !exercise.questions.is_empty() {
        files.push(exercise.answers_starter());
    }
    for file in &files {
        let path = folder.join(&file.name);
        let what = if write_new(&path, file)? { "wrote" } else { "left as it was:" };
        println!("{what} {}", path.display());
    }
    println!(
        "\nTo grade it:  warpgrade grade {0} {1}\nFor a hint:   warpgrade hint {0}",
        exercise.id,
        folder.display()
    );
    Ok(Exit::Held)
}

fn list(catalogue: &Catalogue) -> Result<Exit, CliError> {
    for id in catalogue.ids() {
        let exercise = load(catalogue, &id)?;
        println!("{:<24} {}", exercise.id, exercise.title);
    }
    Ok(Exit::Held)
}

/// Writes a file that is not there yet; `false` when it is. A student's work is never overwritten.
fn write_new(path: &Path, file: &TextFile) -> Result<bool, CliError> {
    let cannot = |error| CliError::Usage(format!("cannot write {}: {error}", path.display()));
    match std::fs::File::create_new(path) {
        Ok(mut opened) => opened.write_all(file.text.as_bytes()).map(|()| true).map_err(cannot),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(cannot(error)),
    }
}

/// The built-in exercises, or those of a folder.
pub(super) fn catalogue(folder: Option<&Path>) -> Result<Catalogue, CliError> {
    match folder {
        Some(folder) => Catalogue::from_dir(folder).map_err(said),
        None => Ok(Catalogue::embedded()),
    }
}

pub(super) fn load(catalogue: &Catalogue, id: &str) -> Result<Exercise, CliError> {
    catalogue.load(id).map_err(said)
}

fn said(error: CatalogueError) -> CliError {
    match error {
        CatalogueError::Unknown { .. } => CliError::Usage(error.to_string()),
        other => CliError::Exercise(other.to_string()),
    }
}
