//! Opening the store, and the few facts about the class that are in it once.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, params};

use crate::batch::Student;
use crate::batch::student::Identity;
use crate::rubric::LatePolicy;

/// The number of the tables' layout.
const LAYOUT: &str = "1";

/// The store of one class.
#[derive(Debug)]
pub struct Store {
    pub(super) database: Connection,
    path: PathBuf,
}

/// Why the store cannot be read or written. Nothing that was in it is lost.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error(
        "{path} cannot be written: the disk is full. Make room and run the same command again; nothing graded so far is lost."
    )]
    Full { path: String },
    #[error("{path} cannot be written: {reason}. Choose another --out folder, or make this one writable.")]
    ReadOnly { path: String, reason: String },
    #[error("{path} is no store of this program: {reason}")]
    Foreign { path: String, reason: String },
    #[error("{path} is in use by another run; wait until it has ended")]
    Busy { path: String },
    #[error("the store {path} failed: {reason}")]
    Broken { path: String, reason: String },
}

impl Store {
    /// The store's file in a class's folder.
    pub fn file(folder: &Path) -> PathBuf {
        folder.join("class.sqlite")
    }

    /// Opens the store in `folder`, making folder and file if need be.
    pub fn create(folder: &Path) -> Result<Store, StoreError> {
        let path = Self::file(folder);
        std::fs::create_dir_all(folder).map_err(|error| {
            let path = folder.display().to_string();
            match error.kind() {
                std::io::ErrorKind::StorageFull => StoreError::Full { path },
                _ => StoreError::ReadOnly { path, reason: error.to_string() },
            }
        })?;
        Self::open_at(path)
    }

    /// Opens a store that must be there.
    pub fn open(folder: &Path) -> Result<Store, StoreError> {
        let path = Self::file(folder);
        if !path.is_file() {
            let reason =
                "there is no class.sqlite in it. Give the --out folder of `warpgrade batch`.".to_owned();
            return Err(StoreError::Foreign { path: folder.display().to_string(), reason });
        }
        Self::open_at(path)
    }

    fn open_at(path: PathBuf) -> Result<Store, StoreError> {
        let shown = path.display().to_string();
        let database = Connection::open(&path).map_err(|e| explain(&shown, e))?;
        let store = Store { database, path };
        store.run(|db| {
            db.busy_timeout(Duration::from_secs(10))?;
            db.pragma_update(None, "journal_mode", "WAL")?;
            db.pragma_update(None, "synchronous", "FULL")?;
            db.pragma_update(None, "foreign_keys", "ON")?;
            db.execute_batch(include_str!("schema.sql"))
        })?;
        match store.meta("layout")? {
            None => store.set_meta("layout", LAYOUT)?,
            Some(layout) if layout == LAYOUT => {}
            Some(layout) => {
                let reason = format!("its layout is {layout}, this version reads {LAYOUT}");
                return Err(StoreError::Foreign { path: shown, reason });
            }
        }
        Ok(store)
    }

    /// Runs something on the database; its error comes back in words.
    pub(super) fn run<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        work(&self.database).map_err(|error| explain(&self.path.display().to_string(), error))
    }

    /// Runs several changes as one: all of them are stored, or none.
    pub(super) fn whole(&self, changes: impl FnOnce() -> Result<(), StoreError>) -> Result<(), StoreError> {
        self.run(|db| db.execute_batch("BEGIN IMMEDIATE"))?;
        let done = changes().and_then(|()| self.run(|db| db.execute_batch("COMMIT")));
        if done.is_err() {
            // The first error is the one to tell; SQLite may have rolled back by itself.
            let _ = self.run(|db| db.execute_batch("ROLLBACK"));
        }
        done
    }

    /// A fact about the class, e.g. the secret seed of its hidden instances.
    pub fn meta(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.run(|db| {
            db.query_row("SELECT value FROM meta WHERE key = ?1", [key], |row| row.get(0)).optional()
        })
    }

    /// Sets a fact, replacing an earlier one.
    pub fn set_meta(&self, key: &str, value: &str) -> Result<(), StoreError> {
        self.run(|db| {
            db.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?1, ?2)", [key, value]).map(drop)
        })
    }

    /// Keeps the late policy that an exercise's totals are made with, so that an export makes the same ones.
    pub fn set_late(&self, exercise: &str, policy: Option<&LatePolicy>) -> Result<(), StoreError> {
        let policy = serde_json::to_string(&policy).expect("numbers always serialise");
        self.set_meta(&format!("late {exercise}"), &policy)
    }

    /// The late policy of the last gradebook.
    pub fn late(&self, exercise: &str) -> Result<Option<LatePolicy>, StoreError> {
        let kept = self.meta(&format!("late {exercise}"))?;
        Ok(kept.and_then(|kept| serde_json::from_str(&kept).ok()).flatten())
    }

    /// Holds the folder for one run at a time, until the result is dropped or the process ends, however it ends.
    ///
    /// # Errors
    /// [`StoreError::Busy`] when another run holds it.
    pub fn hold(&self) -> Result<File, StoreError> {
        let path = self.path.with_extension("lock");
        let shown = path.display().to_string();
        let failed = |error: std::io::Error| StoreError::ReadOnly { path: shown, reason: error.to_string() };
        let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(failed)?;
        match file.try_lock() {
            // A file system without locks has no second run to be kept out that we could see.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(StoreError::Busy { path: self.path.display().to_string() }),
        }
    }

    /// Remembers the class's students; one that is known already is brought up to date.
    pub fn remember(&self, students: &[Student]) -> Result<(), StoreError> {
        self.run(|db| {
            let transaction = db.unchecked_transaction()?;
            {
                let mut insert =
                    transaction.prepare("INSERT OR REPLACE INTO students (key, identity) VALUES (?1, ?2)")?;
                let mut update = transaction.prepare("UPDATE students SET identity = ?2 WHERE key = ?1")?;
                for student in students {
                    let identity = Identity::of(student).to_json();
                    if update.execute(params![student.key, identity])? == 0 {
                        insert.execute(params![student.key, identity])?;
                    }
                }
            }
            transaction.commit()
        })
    }

    /// All students, by key.
    pub fn students(&self) -> Result<Vec<(String, Identity)>, StoreError> {
        self.run(|db| {
            let mut query = db.prepare("SELECT key, identity FROM students ORDER BY key")?;
            let rows = query.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
            rows.map(|row| row.map(|(key, identity)| (key, Identity::from_json(&identity)))).collect()
        })
    }
}

fn explain(path: &str, error: rusqlite::Error) -> StoreError {
    use rusqlite::ErrorCode;
    let path = path.to_owned();
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StoreError::Full { path },
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            StoreError::ReadOnly { path, reason: error.to_string() }
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy { path },
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
            StoreError::Foreign { path, reason: error.to_string() }
        }
        // An interrupted write (a file size limit, a disk that went away) shows as an I/O error.
        _ => StoreError::Broken { path, reason: error.to_string() },
    }
}
