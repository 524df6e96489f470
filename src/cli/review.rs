//! `warpgrade review`: criteria that wait for a person, one question at a time across all students, or through a CSV.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::PathBuf;

use clap::Args;

use super::clock;
use super::error::CliError;
use super::exit::Exit;
use crate::batch::content;
use crate::batch::store::{Grading, ManualScore, Store};
use crate::record::{Criterion, CriterionState};
use crate::report::visible;

/// Score what waits for a person: at the terminal, or in a CSV that goes out and comes back
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  warpgrade review graded --who kim\n  warpgrade review graded --to review.csv          fill in `points` and `comment`, then:\n  warpgrade review graded --from review.csv --who kim\n\nAfterwards, `warpgrade rescore graded` writes reports and gradebook anew."
)]
pub struct Review {
    /// The --out folder of `warpgrade batch`
    pub dir: PathBuf,
    /// Who gives the scores; kept with each
    #[arg(long, value_name = "NAME", default_value = "")]
    pub who: String,
    /// Write what waits into a CSV instead of asking
    #[arg(long, value_name = "FILE", conflicts_with = "from")]
    pub to: Option<PathBuf>,
    /// Read scores from such a CSV
    #[arg(long, value_name = "FILE")]
    pub from: Option<PathBuf>,
    /// Show names; without it, students are numbers
    #[arg(long)]
    pub names: bool,
    /// Also what was scored by a person before
    #[arg(long)]
    pub again: bool,
}

/// One cell of the review: a criterion of one student.
struct Item {
    exercise: String,
    student: String,
    /// What stands for the name where names are hidden; the same in every file of this class.
    code: String,
    criterion: Criterion,
    answer: String,
}

pub fn run(args: &Review) -> Result<Exit, CliError> {
    let store = Store::open(&args.dir).map_err(|error| CliError::Usage(error.to_string()))?;
    if let Some(path) = &args.from {
        return read_back(args, &store, path);
    }
    let items = waiting(&store, args.again)?;
    if items.is_empty() {
        println!("nothing waits for a person");
        return Ok(Exit::Held);
    }
    match &args.to {
        Some(path) => write_out(&items, path, args.names),
        None => ask(args, &store, &items),
    }
}

fn fault(error: impl std::fmt::Display) -> CliError {
    CliError::Fault(error.to_string())
}

/// What waits, by criterion, then student.
fn waiting(store: &Store, again: bool) -> Result<Vec<Item>, CliError> {
    let secret = store.meta("instance-seed").map_err(fault)?.unwrap_or_default();
    let mut items = Vec::new();
    for exercise in store.exercises().map_err(fault)? {
        let manual = store.manual(&exercise).map_err(fault)?;
        for grading in store.current(&exercise).map_err(fault)? {
            for criterion in &grading.graded.criteria {
                let scored = manual.contains_key(&(grading.student.clone(), criterion.id.clone()));
                if criterion.state != CriterionState::Auto && (again || !scored) {
                    items.push(Item {
                        exercise: exercise.clone(),
                        student: grading.student.clone(),
                        code: code(&secret, &grading.student),
                        criterion: criterion.clone(),
                        answer: answer(&grading, criterion),
                    });
                }
            }
        }
    }
    // By code: the order of names would give them away.
    items.sort_by(|a, b| {
        (&a.exercise, &a.criterion.id, &a.code).cmp(&(&b.exercise, &b.criterion.id, &b.code))
    });
    Ok(items)
}

fn code(secret: &str, student: &str) -> String {
    format!("student-{}", &content::basis_hash([secret, student])[..8])
}

/// What a student answered to the criterion's questions; all that they answered where it names none.
fn answer(grading: &Grading, criterion: &Criterion) -> String {
    let asked = |id: &String| criterion.questions.is_empty() || criterion.questions.contains(id);
    let given = grading.graded.answers.iter().filter(|answer| !answer.given.is_empty() && asked(&answer.id));
    given.map(|answer| format!("{}: {}", answer.id, answer.given)).collect::<Vec<_>>().join("\n")
}

const COLUMNS: [&str; 8] =
    ["exercise", "criterion", "student", "max", "proposed", "points", "comment", "answer and reason"];

fn write_out(items: &[Item], path: &std::path::Path, names: bool) -> Result<Exit, CliError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS).map_err(fault)?;
    for item in items {
        let c = &item.criterion;
        let said = format!("{}\n{}", item.answer, c.reason);
        let cells = [
            &item.exercise,
            &c.id,
            if names { &item.student } else { &item.code },
            &c.max.to_string(),
            &c.points.to_string(),
            &String::new(),
            &String::new(),
            &said,
        ];
        writer.write_record(cells.map(|cell| inert(cell))).map_err(fault)?;
    }
    let bytes = writer.into_inner().map_err(fault)?;
    crate::batch::publish::write(path, &bytes).map_err(|error| CliError::Usage(error.to_string()))?;
    println!("{} scores to give in {}", items.len(), path.display());
    Ok(Exit::Held)
}

/// A cell that no spreadsheet runs.
fn inert(cell: &str) -> String {
    let text = visible(cell).into_owned();
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text }
}

fn read_back(args: &Review, store: &Store, path: &std::path::Path) -> Result<Exit, CliError> {
    if args.who.trim().is_empty() {
        return Err(CliError::Usage("say who gives these scores: --who NAME".to_owned()));
    }
    let usage = |line: usize, what: String| CliError::Usage(format!("{}:{line}: {what}", path.display()));
    let text = std::fs::read_to_string(path)
        .map_err(|error| CliError::Usage(format!("cannot read {}: {error}", path.display())))?;
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|e| usage(1, e.to_string()))?.clone();
    let column = |name: &str| {
        let found = header.iter().position(|h| h.trim().trim_start_matches('\u{feff}') == name);
        found.ok_or_else(|| usage(1, format!("there is no column `{name}`; write the file with --to first")))
    };
    let [exercise, criterion, student, points, comment] = [
        column("exercise")?,
        column("criterion")?,
        column("student")?,
        column("points")?,
        column("comment")?,
    ];
    let mut known: BTreeMap<(String, String, String), (String, f64)> = BTreeMap::new();
    for item in waiting(store, true)? {
        let found = (item.student.clone(), item.criterion.max);
        for name in [item.student, item.code] {
            known.insert((item.exercise.clone(), item.criterion.id.clone(), name), found.clone());
        }
    }
    // Everything is read before anything is stored: a mistake on line 200 leaves the store as it was.
    let mut scores = Vec::new();
    for (index, record) in reader.records().enumerate() {
        let line = index + 2;
        let record = record.map_err(|e| usage(line, e.to_string()))?;
        let cell = |at: usize| record.get(at).unwrap_or_default().trim().trim_start_matches('\'').to_owned();
        if cell(points).is_empty() {
            continue;
        }
        let key = (cell(exercise), cell(criterion), cell(student));
        let Some((student, max)) = known.get(&key) else {
            return Err(usage(
                line,
                format!("{} has no criterion `{}` that waits for a person", key.2, key.1),
            ));
        };
        let given: f64 = cell(points)
            .replace(',', ".")
            .parse()
            .map_err(|_| usage(line, format!("`{}` is no number of points", cell(points))))?;
        if !(0.0..=*max).contains(&given) {
            return Err(usage(line, format!("{given} points: expected 0 to {max}")));
        }
        scores.push(ManualScore {
            student: student.clone(),
            exercise: key.0,
            criterion: key.1,
            points: Some(given),
            comment: cell(comment),
            who: args.who.clone(),
            at: clock::now(),
        });
    }
    store.add_all_manual(&scores).map_err(fault)?;
    println!("{} scores stored; `warpgrade rescore` writes the reports anew", scores.len());
    Ok(Exit::Held)
}

fn ask(args: &Review, store: &Store, items: &[Item]) -> Result<Exit, CliError> {
    if args.who.trim().is_empty() {
        return Err(CliError::Usage("say who gives these scores: --who NAME".to_owned()));
    }
    println!(
        "{} scores to give. Type points, a space and a comment; Enter keeps the proposal for later; q ends.",
        items.len()
    );
    let mut input = std::io::stdin().lock().lines();
    let mut last = "";
    for item in items {
        let c = &item.criterion;
        if last != c.id {
            println!("\n== {} ({}) ==", visible(&c.title), c.id);
            last = &c.id;
        }
        let who = if args.names { &item.student } else { &item.code };
        println!(
            "\n{who}\n{}\nproposed {} of {}: {}",
            visible(&item.answer),
            c.points,
            c.max,
            visible(&c.reason)
        );
        let (points, comment) = loop {
            print!("points> ");
            std::io::stdout().flush().map_err(fault)?;
            let Some(line) = input.next() else { return Ok(Exit::Held) };
            let line = line.map_err(fault)?;
            let (number, comment) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
            match number {
                "" => break (None, String::new()),
                "q" => return Ok(Exit::Held),
                _ => match number.replace(',', ".").parse::<f64>() {
                    Ok(points) if (0.0..=c.max).contains(&points) => {
                        break (Some(points), comment.to_owned());
                    }
                    _ => println!("a number from 0 to {}, please", c.max),
                },
            }
        };
        if points.is_some() {
            let score = ManualScore {
                student: item.student.clone(),
                exercise: item.exercise.clone(),
                criterion: c.id.clone(),
                points,
                comment,
                who: args.who.clone(),
                at: clock::now(),
            };
            store.add_manual(&score).map_err(fault)?;
        }
    }
    println!("\ndone; `warpgrade rescore {}` writes the reports anew", args.dir.display());
    Ok(Exit::Held)
}
