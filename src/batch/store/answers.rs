//! What kernels gave, kept from one run to the next.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{OptionalExtension, params};

use super::{Store, StoreError};
use crate::grade::Keeper;

/// The store's answers, over a connection of their own: graders must not wait for each other's records.
#[derive(Debug)]
pub struct KeptAnswers(Mutex<Store>);

impl KeptAnswers {
    /// # Errors
    /// As [`Store::open`].
    pub fn open(folder: &Path) -> Result<KeptAnswers, StoreError> {
        let store = Store::open(folder)?;
        // An answer that a power cut takes is only worked out again. NORMAL leaves the file whole all the same.
        store.run(|db| db.pragma_update(None, "synchronous", "NORMAL"))?;
        Ok(KeptAnswers(Mutex::new(store)))
    }

    fn store(&self) -> MutexGuard<'_, Store> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Keeper for KeptAnswers {
    fn recall(&self, key: &str) -> Option<Vec<u8>> {
        let found = self.store().run(|db| {
            db.query_row("SELECT answer FROM answers WHERE key = ?1", [key], |row| row.get(0)).optional()
        });
        // An answer that cannot be read is worked out again.
        found.ok().flatten()
    }

    fn keep(&self, key: &str, answer: &[u8]) {
        // A disk that is full is told of when the grading itself is stored.
        let _ = self.store().run(|db| {
            db.execute("INSERT OR IGNORE INTO answers (key, answer) VALUES (?1, ?2)", params![key, answer])
                .map(drop)
        });
    }
}
