//! `warpgrade autograder`: one exercise as an archive that Gradescope's own machines run.

use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::error::CliError;
use super::exit::Exit;
use super::start::{catalogue, load};
use crate::batch::publish;

const SETUP: &str = include_str!("../../templates/gradescope/setup.sh");
const RUN: &str = include_str!("../../templates/gradescope/run_autograder");

/// Make the autograder zip of an exercise for Gradescope: setup.sh, run_autograder, and this program
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  warpgrade autograder day62-racecheck --to autograder.zip\n  warpgrade autograder my-exercise --exercises course/exercises --to autograder.zip\n\nUpload it under Configure Autograder. Gradescope's image must be no older than the system that this program was built on; give its container 0.5 CPU or more and 768 MB or more."
)]
pub struct Autograder {
    /// The exercise's id
    pub exercise: String,
    /// The archive to write
    #[arg(long, value_name = "FILE")]
    pub to: PathBuf,
    /// A folder of exercises, instead of the built-in ones; it goes into the archive with `reference/` and `rubric.toml` beside it
    #[arg(long, value_name = "DIR")]
    pub exercises: Option<PathBuf>,
    /// A rubric, instead of the built-in one
    #[arg(long, value_name = "FILE")]
    pub rubric: Option<PathBuf>,
    /// The warpgrade to pack, built for Gradescope's Linux [default: this one]
    #[arg(long, value_name = "FILE")]
    pub binary: Option<PathBuf>,
    /// Seconds after which a grading stops and keeps what it has; Gradescope's own limit is 600 unless you raise it
    #[arg(long, default_value_t = 480, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub time_limit: u64,
}

pub fn run(args: &Autograder) -> Result<Exit, CliError> {
    let exercise = load(&catalogue(args.exercises.as_deref())?, &args.exercise)?;
    let binary = match &args.binary {
        Some(path) => path.clone(),
        None if cfg!(target_os = "linux") => {
            std::env::current_exe().map_err(|error| CliError::Fault(error.to_string()))?
        }
        None => {
            let what = "Gradescope runs Linux, and this program is not built for it: name one with --binary";
            return Err(CliError::Usage(what.to_owned()));
        }
    };
    let mut files = vec![
        ("setup.sh".to_owned(), SETUP.as_bytes().to_vec(), 0o755),
        ("run_autograder".to_owned(), run_script(&exercise.id, args.time_limit).into_bytes(), 0o755),
        ("warpgrade".to_owned(), read(&binary)?, 0o755),
    ];
    if let Some(folder) = &args.exercises {
        files.extend(course(folder, &exercise.id)?);
    }
    if let Some(rubric) = &args.rubric {
        files.push(("rubric.toml".to_owned(), read(rubric)?, 0o644));
    }
    let archive = archive(&files).map_err(|error| CliError::Fault(error.to_string()))?;
    publish::write(&args.to, &archive).map_err(|error| CliError::Usage(error.to_string()))?;
    println!(
        "wrote {} ({:.1} MB): Gradescope, Configure Autograder, upload; then submit {} to see it run",
        args.to.display(),
        archive.len() as f64 / 1e6,
        exercise.template_starter().name
    );
    Ok(Exit::Held)
}

fn run_script(exercise: &str, time_limit: u64) -> String {
    RUN.replace("{{exercise}}", exercise).replace("{{time-limit}}", &time_limit.to_string())
}

fn read(path: &Path) -> Result<Vec<u8>, CliError> {
    std::fs::read(path).map_err(|error| CliError::Usage(format!("cannot read {}: {error}", path.display())))
}

/// The exercise's own files as a catalogue finds them: `exercises/<id>`, and beside it `reference/<id>` and the rubric.
/// Solutions and mutants stay at home.
fn course(exercises: &Path, id: &str) -> Result<Vec<(String, Vec<u8>, u32)>, CliError> {
    let exercises = exercises
        .canonicalize()
        .map_err(|error| CliError::Usage(format!("cannot read {}: {error}", exercises.display())))?;
    let beside = exercises.parent().unwrap_or(&exercises);
    let mut files = Vec::new();
    for (folder, name) in
        [(exercises.join(id), "exercises"), (beside.join("reference").join(id), "reference")]
    {
        for entry in walkdir::WalkDir::new(&folder).sort_by_file_name().into_iter().filter_map(Result::ok) {
            if !entry.file_type().is_file() {
                continue;
            }
            let below = entry.path().strip_prefix(&folder).expect("it was found there");
            let below: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
            if name == "reference" && below[0] != "oracle.cu" && below[0] != "configurations" {
                continue;
            }
            files.push((format!("course/{name}/{id}/{}", below.join("/")), read(entry.path())?, 0o644));
        }
    }
    let rubric = beside.join("rubric.toml");
    if rubric.is_file() {
        files.push(("course/rubric.toml".to_owned(), read(&rubric)?, 0o644));
    }
    Ok(files)
}

fn archive(files: &[(String, Vec<u8>, u32)]) -> zip::result::ZipResult<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes, mode) in files {
        archive.start_file(name.as_str(), SimpleFileOptions::default().unix_permissions(*mode))?;
        archive.write_all(bytes)?;
    }
    Ok(archive.finish()?.into_inner())
}
