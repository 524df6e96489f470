//! `warpgrade rescore`: a new rubric, or new manual scores, on stored records; nothing is run again.

use std::path::PathBuf;

use clap::Args;

use super::clock;
use super::error::CliError;
use super::exit::Exit;
use super::grading::rule_pages;
use crate::batch::store::{NewGrading, Store};
use crate::batch::{changes, content, publish};
use crate::exercise::Catalogue;
use crate::report::{Audience, Shown};
use crate::rubric::{Rubric, score};

/// Score a graded class again after a change of rubric.toml or a review; runs nothing
#[derive(Debug, Args)]
pub struct Rescore {
    /// The --out folder of `warpgrade batch`
    pub dir: PathBuf,
    /// A rubric, instead of the built-in one
    #[arg(long, value_name = "FILE")]
    pub rubric: Option<PathBuf>,
    /// A folder of exercises, instead of the built-in ones
    #[arg(long, value_name = "DIR")]
    pub exercises: Option<PathBuf>,
}

pub fn run(args: &Rescore) -> Result<Exit, CliError> {
    let store = Store::open(&args.dir).map_err(|error| CliError::Usage(error.to_string()))?;
    let _held = store.hold().map_err(|error| CliError::Fault(error.to_string()))?;
    let broken = |error: crate::exercise::CatalogueError| CliError::Exercise(error.to_string());
    let catalogue = match &args.exercises {
        Some(dir) => Catalogue::from_dir(dir).map_err(broken)?,
        None => Catalogue::embedded(),
    };
    let (name, text) = rubric_text(args, &catalogue)?;
    let rubric = Rubric::parse(&name, &text).map_err(|error| CliError::Exercise(error.to_string()))?;
    let hash = content::basis_hash([text.as_str()]);
    let fault = |error: crate::batch::store::StoreError| CliError::Fault(error.to_string());
    let exercises = store.exercises().map_err(fault)?;
    let pages = rule_pages();
    let shown = Shown::new(Audience::Student, &pages);
    for id in &exercises {
        let exercise = catalogue.load(id).map_err(broken)?;
        let own = rubric.exercise(&exercise).map_err(|error| CliError::Exercise(error.to_string()))?;
        for grading in store.current(id).map_err(fault)? {
            if grading.rubric == hash {
                continue;
            }
            let mut graded = grading.graded.clone();
            (graded.criteria, graded.score) = score(own, &exercise, &graded);
            let attempt = store
                .attempt(&grading.student, id, grading.number, &grading.content)
                .map_err(fault)?
                .ok_or_else(|| {
                    CliError::Fault(format!("the store lost an attempt of {}", grading.student))
                })?;
            let new = NewGrading {
                attempt: &attempt,
                basis: &grading.basis,
                rubric: &hash,
                origin: "rescore",
                at: &clock::now(),
                graded: &graded,
            };
            store.add_grading(&new).map_err(fault)?;
        }
        store.set_late(id, own.late.as_ref()).map_err(fault)?;
        let entries = publish::entries(&store, id, own.late.as_ref()).map_err(fault)?;
        let folder = if exercises.len() == 1 { args.dir.clone() } else { args.dir.join(id) };
        publish::class(&folder, &exercise.title, &entries, &shown)
            .map_err(|error| CliError::Fault(error.to_string()))?;
        print!("{id}\n{}", changes::table(&changes::changes(&store.gradings(id).map_err(fault)?)));
    }
    Ok(Exit::Held)
}

fn rubric_text(args: &Rescore, catalogue: &Catalogue) -> Result<(String, String), CliError> {
    match &args.rubric {
        Some(path) => std::fs::read_to_string(path)
            .map(|text| (path.display().to_string(), text))
            .map_err(|error| CliError::Usage(format!("cannot read {}: {error}", path.display()))),
        None => catalogue
            .rubric()
            .map(|(name, text)| (name.to_owned(), text.to_owned()))
            .ok_or_else(|| CliError::Exercise("there is no rubric.toml beside the exercises".to_owned())),
    }
}
