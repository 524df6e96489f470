//! Answers that graders share, so that a class costs its distinct programs. Held by the parent, which believes no grading
//! worker: an answer is kept by the hash of the whole question, and only a worker that has seen nothing but questions gives
//! it ([`execute`](super::execute)).

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Bytes of answers held in memory; what comes after is worked out each time.
const MOST_HELD: usize = 256 << 20;

/// Keeps answers beyond the life of this process. An answer that cannot be kept is only worked out again.
pub trait Keeper: Send + Sync {
    fn recall(&self, key: &str) -> Option<Vec<u8>>;
    fn keep(&self, key: &str, answer: &[u8]);
}

/// Answers by question, shared by all graders of a class.
pub struct SharedAnswers {
    basis: String,
    keeper: Option<Box<dyn Keeper>>,
    held: Mutex<Held>,
    /// Somebody has an answer now, or has given up on one.
    changed: Condvar,
    asked: AtomicUsize,
    worked: AtomicUsize,
}

#[derive(Default)]
struct Held {
    answers: HashMap<String, Slot>,
    bytes: usize,
}

enum Slot {
    /// One grader is having it worked out; the others wait.
    Working,
    Known(Arc<Vec<u8>>),
}

impl SharedAnswers {
    /// `basis` is everything besides the question that decides answers: versions, exercises, seeds, options.
    pub fn new(basis: impl Into<String>, keeper: Option<Box<dyn Keeper>>) -> SharedAnswers {
        SharedAnswers {
            basis: basis.into(),
            keeper,
            held: Mutex::default(),
            changed: Condvar::new(),
            asked: AtomicUsize::new(0),
            worked: AtomicUsize::new(0),
        }
    }

    /// Questions so far, and how many of them had to be worked out.
    pub fn counts(&self) -> (usize, usize) {
        (self.asked.load(Ordering::Relaxed), self.worked.load(Ordering::Relaxed))
    }

    /// The answer to a question, from `work` when nobody has it. `work` also says whether others may have it.
    pub(super) fn answer<E>(
        &self,
        question: &[u8],
        work: impl FnOnce() -> Result<(Vec<u8>, bool), E>,
    ) -> Result<Vec<u8>, E> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let key = self.key(question);
        if let Some(known) = self.known_or_claimed(&key) {
            return Ok(known.to_vec());
        }
        // From here on the others wait: whatever happens, the claim ends.
        let claim = Claim { shared: self, key: &key };
        if let Some(kept) = self.keeper.as_ref().and_then(|keeper| keeper.recall(&key)) {
            claim.known(&kept);
            return Ok(kept);
        }
        self.worked.fetch_add(1, Ordering::Relaxed);
        let (answer, lasts) = work()?;
        if lasts {
            if let Some(keeper) = &self.keeper {
                keeper.keep(&key, &answer);
            }
            claim.known(&answer);
        }
        Ok(answer)
    }

    fn key(&self, question: &[u8]) -> String {
        let mut hasher = blake3::Hasher::new();
        hasher
            .update(&(self.basis.len() as u64).to_le_bytes())
            .update(self.basis.as_bytes())
            .update(question);
        hasher.finalize().to_hex().to_string()
    }

    /// The answer, if it is known, after waiting for whoever works it out; `None` when it is now ours to work out.
    fn known_or_claimed(&self, key: &str) -> Option<Arc<Vec<u8>>> {
        let mut held = self.held();
        loop {
            match held.answers.get(key) {
                Some(Slot::Known(answer)) => return Some(Arc::clone(answer)),
                Some(Slot::Working) => {
                    held = self.changed.wait(held).unwrap_or_else(PoisonError::into_inner);
                }
                None => {
                    held.answers.insert(key.to_owned(), Slot::Working);
                    return None;
                }
            }
        }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The right to work out one answer. Dropped without one, it passes to whoever waits.
struct Claim<'a> {
    shared: &'a SharedAnswers,
    key: &'a str,
}

impl Claim<'_> {
    fn known(&self, answer: &[u8]) {
        let mut held = self.shared.held();
        if held.bytes + answer.len() <= MOST_HELD {
            held.bytes += answer.len();
            held.answers.insert(self.key.to_owned(), Slot::Known(Arc::new(answer.to_vec())));
        }
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        let mut held = self.shared.held();
        if let Some(Slot::Working) = held.answers.get(self.key) {
            held.answers.remove(self.key);
        }
        drop(held);
        self.shared.changed.notify_all();
    }
}

impl std::fmt::Debug for SharedAnswers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SharedAnswers").field("counts", &self.counts()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worked(answer: &str, lasts: bool) -> Result<(Vec<u8>, bool), String> {
        Ok((answer.as_bytes().to_vec(), lasts))
    }

    #[test]
    fn a_question_is_worked_out_once() {
        let shared = SharedAnswers::new("v1", None);
        assert_eq!(shared.answer(b"q", || worked("a", true)).unwrap(), b"a");
        assert_eq!(shared.answer(b"q", || worked("b", true)).unwrap(), b"a", "the first answer holds");
        assert_eq!(shared.answer(b"p", || worked("c", true)).unwrap(), b"c");
        assert_eq!(shared.counts(), (3, 2));
    }

    #[test]
    fn what_does_not_last_and_what_failed_is_worked_out_again() {
        let shared = SharedAnswers::new("v1", None);
        assert!(shared.answer(b"q", || Err::<(Vec<u8>, bool), _>("no".to_owned())).is_err());
        assert_eq!(shared.answer(b"q", || worked("cut short", false)).unwrap(), b"cut short");
        assert_eq!(shared.answer(b"q", || worked("whole", true)).unwrap(), b"whole");
    }

    #[test]
    fn who_asks_meanwhile_waits_and_gets_the_same() {
        let shared = SharedAnswers::new("v1", None);
        let times = AtomicUsize::new(0);
        let ask = || {
            shared.answer(b"q", || {
                times.fetch_add(1, Ordering::SeqCst);
                std::thread::sleep(std::time::Duration::from_millis(50));
                worked("a", true)
            })
        };
        let answers: Vec<_> = std::thread::scope(|scope| {
            let asking: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
            asking.into_iter().map(|one| one.join().unwrap().unwrap()).collect()
        });
        assert_eq!((answers, times.into_inner()), (vec![b"a".to_vec(); 4], 1));
    }

    #[test]
    fn another_basis_is_another_question() {
        struct Shelf(Mutex<HashMap<String, Vec<u8>>>);
        impl Keeper for Arc<Shelf> {
            fn recall(&self, key: &str) -> Option<Vec<u8>> {
                self.0.lock().unwrap().get(key).cloned()
            }
            fn keep(&self, key: &str, answer: &[u8]) {
                self.0.lock().unwrap().insert(key.to_owned(), answer.to_vec());
            }
        }
        let shelf = Arc::new(Shelf(Mutex::default()));
        let ask = |basis: &str, answer: &str| {
            let shared = SharedAnswers::new(basis, Some(Box::new(Arc::clone(&shelf))));
            shared.answer(b"q", || worked(answer, true)).unwrap()
        };
        assert_eq!(ask("v1", "a"), b"a");
        assert_eq!(ask("v1", "b"), b"a", "kept beyond the first");
        assert_eq!(ask("v2", "b"), b"b");
    }
}
