//! Where exercises come from: the binary itself, or a folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::Exercise;
use super::error::LoadError;
use super::load::{self, Folder};

mod embedded {
    include!(concat!(env!("OUT_DIR"), "/catalogue_files.rs"));
}

/// Largest text file of an exercise, in bytes.
const MAX_FILE: u64 = 4 << 20;

/// The exercises that can be graded, by id. Nothing is parsed until it is asked for.
#[derive(Debug, Clone)]
pub struct Catalogue {
    exercises: BTreeMap<String, (Folder, Folder)>,
    rubric: Option<(String, String)>,
}

/// Why an exercise cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum CatalogueError {
    #[error("there is no exercise `{id}`; known: {}", known.join(", "))]
    Unknown { id: String, known: Vec<String> },
    #[error(transparent)]
    Broken(#[from] LoadError),
    #[error("cannot read {}: {source}", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("{} holds no exercise; an exercise is a folder with an exercise.toml", path.display())]
    Empty { path: PathBuf },
}

impl Catalogue {
    /// The exercises that are part of the binary: everything that grading needs. Solutions, mutants and the staff's
    /// answers are not there.
    pub fn embedded() -> Self {
        Catalogue::from_files(embedded::FILES.iter().copied())
    }

    /// The exercises of these texts, by their paths: `exercises/ID/…`, `reference/ID/…`, `rubric.toml`.
    pub fn from_files<'f>(files: impl IntoIterator<Item = (&'f str, &'f str)>) -> Self {
        let mut catalogue = Catalogue { exercises: BTreeMap::new(), rubric: None };
        for (path, text) in files {
            let mut parts = path.splitn(3, '/');
            match (parts.next(), parts.next(), parts.next()) {
                (Some("exercises"), Some(id), Some(rest)) => {
                    catalogue.folders(id).0.files.insert(rest.to_owned(), text.to_owned());
                }
                (Some("reference"), Some(id), Some(rest)) => {
                    catalogue.folders(id).1.files.insert(rest.to_owned(), text.to_owned());
                }
                (Some("rubric.toml"), None, None) => {
                    catalogue.rubric = Some(("rubric.toml".to_owned(), text.to_owned()));
                }
                _ => {}
            }
        }
        catalogue.exercises.retain(|_, (open, _)| open.files.contains_key("exercise.toml"));
        catalogue
    }

    fn folders(&mut self, id: &str) -> &mut (Folder, Folder) {
        self.exercises.entry(id.to_owned()).or_insert_with(|| {
            let folder = |room: &str| Folder { shown: format!("{room}/{id}"), files: BTreeMap::new() };
            (folder("exercises"), folder("reference"))
        })
    }

    /// The exercises of a folder, with `reference` and `rubric.toml` beside it.
    ///
    /// # Errors
    /// When the folder cannot be read or holds no exercise. A broken exercise is an error only when it is asked for.
    pub fn from_dir(dir: &Path) -> Result<Self, CatalogueError> {
        let unreadable = |path: &Path, source| CatalogueError::Unreadable { path: path.to_owned(), source };
        let absolute = dir.canonicalize().map_err(|source| unreadable(dir, source))?;
        let beside = absolute.parent().unwrap_or(&absolute).to_owned();
        let shown = dir.display().to_string();
        let mut exercises = BTreeMap::new();
        for entry in std::fs::read_dir(dir).map_err(|source| unreadable(dir, source))? {
            let path = entry.map_err(|source| unreadable(dir, source))?.path();
            if !path.join("exercise.toml").is_file() {
                continue;
            }
            let Some(id) = path.file_name().and_then(|name| name.to_str()).map(str::to_owned) else {
                continue;
            };
            let open =
                Folder { shown: format!("{}/{id}", shown.trim_end_matches('/')), files: read_folder(&path)? };
            let reference = beside.join("reference").join(&id);
            let files = if reference.is_dir() { read_folder(&reference)? } else { BTreeMap::new() };
            exercises.insert(id.clone(), (open, Folder { shown: format!("reference/{id}"), files }));
        }
        if exercises.is_empty() {
            return Err(CatalogueError::Empty { path: dir.to_owned() });
        }
        let rubric = beside.join("rubric.toml");
        let rubric = match std::fs::read_to_string(&rubric) {
            Ok(text) => Some(("rubric.toml".to_owned(), text)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(source) => return Err(unreadable(&rubric, source)),
        };
        Ok(Catalogue { exercises, rubric })
    }

    /// In alphabetical order.
    pub fn ids(&self) -> Vec<String> {
        self.exercises.keys().cloned().collect()
    }

    /// # Errors
    /// An unknown id, or the first mistake in the exercise's files.
    pub fn load(&self, id: &str) -> Result<Exercise, CatalogueError> {
        let Some((open, closed)) = self.exercises.get(id) else {
            return Err(CatalogueError::Unknown { id: id.to_owned(), known: self.ids() });
        };
        Ok(load::exercise(open, closed)?)
    }

    /// `rubric.toml`: the name for messages, and the text.
    pub fn rubric(&self) -> Option<(&str, &str)> {
        self.rubric.as_ref().map(|(name, text)| (name.as_str(), text.as_str()))
    }
}

/// Every text file below a folder. Files that are not UTF-8 or are very large play no part in an exercise.
fn read_folder(folder: &Path) -> Result<BTreeMap<String, String>, CatalogueError> {
    let mut files = BTreeMap::new();
    for entry in walkdir::WalkDir::new(folder).sort_by_file_name() {
        let entry = entry.map_err(|error| CatalogueError::Unreadable {
            path: folder.to_owned(),
            source: std::io::Error::other(error),
        })?;
        let small = entry.metadata().is_ok_and(|data| data.is_file() && data.len() <= MAX_FILE);
        let name =
            entry.path().strip_prefix(folder).ok().and_then(Path::to_str).map(|name| name.replace('\\', "/"));
        let (true, Some(name)) = (small, name) else { continue };
        if let Ok(text) = std::fs::read_to_string(entry.path()) {
            files.insert(name, text);
        }
    }
    Ok(files)
}
