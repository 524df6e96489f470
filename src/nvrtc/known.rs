//! What this process has compiled, by the bare program: most programs of a class are the same but for comments, blank lines
//! and the names of files.
//!
//! A program that the compiler has something to say about is compiled as it is, so that messages quote it.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::bare::{Bare, NAME, bare};
use super::request::{CompileRequest, Compiled};

/// Most bytes of PTX that are kept.
const MOST_BYTES: usize = 64 << 20;

/// Results by key; shared by all clones of an [`super::Nvrtc`].
#[derive(Debug, Clone, Default)]
pub(super) struct Known(Arc<Mutex<Table>>);

#[derive(Debug, Default)]
struct Table {
    results: HashMap<String, Outcome>,
    /// Keys, oldest first.
    order: VecDeque<String>,
    bytes: usize,
}

/// What compiling a bare program gave.
#[derive(Debug, Clone)]
pub(super) enum Outcome {
    /// It compiles, without a word.
    Silent { ptx: Arc<str>, lowered: BTreeMap<String, String> },
    /// There are warnings or errors.
    Speaks,
}

/// A request as a bare program.
pub(super) struct BareRequest {
    pub bare: Bare,
    key: String,
}

impl BareRequest {
    /// `None` for requests that must be compiled as they are.
    pub fn of(request: &CompileRequest) -> Option<BareRequest> {
        let plain = request.arch.starts_with("compute_")
            && request.include_dirs.is_empty()
            && request.virtual_headers.is_empty()
            && !request.as_written
            && !request.default_device;
        let bare = plain.then(|| bare(request.source, request.name))??;
        let mut hasher = blake3::Hasher::new();
        let defines = request.defines.iter().flat_map(|(name, value)| [name.as_str(), value.as_str()]);
        let kernels = request.kernels.iter().map(String::as_str);
        for part in [request.arch, bare.text.as_str(), "defines"]
            .into_iter()
            .chain(defines)
            .chain(["kernels"])
            .chain(kernels)
        {
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
        }
        Some(BareRequest { bare, key: hasher.finalize().to_hex().to_string() })
    }

    /// The request to compile in place of `whole`.
    pub fn request<'a>(&'a self, whole: &CompileRequest<'a>) -> CompileRequest<'a> {
        CompileRequest { source: &self.bare.text, name: NAME, ..*whole }
    }

    /// What this bare program's outcome means for the program itself; `None`: it has to be compiled as it is.
    pub fn compiled(&self, outcome: &Outcome) -> Option<Compiled> {
        match outcome {
            Outcome::Silent { ptx, lowered } => Some(Compiled {
                ptx: self.bare.relocated(ptx),
                lowered: lowered.clone(),
                ..Compiled::default()
            }),
            Outcome::Speaks => None,
        }
    }
}

impl Known {
    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn get(&self, request: &BareRequest) -> Option<Outcome> {
        self.table().results.get(&request.key).cloned()
    }

    pub fn keep(&self, request: &BareRequest, outcome: &Outcome) {
        let mut table = self.table();
        if table.results.insert(request.key.clone(), outcome.clone()).is_none() {
            table.order.push_back(request.key.clone());
            table.bytes += outcome.bytes();
        }
        while table.bytes > MOST_BYTES
            && let Some(oldest) = table.order.pop_front()
        {
            let gone = table.results.remove(&oldest);
            table.bytes -= gone.map_or(0, |outcome| outcome.bytes());
        }
    }
}

impl Outcome {
    fn bytes(&self) -> usize {
        match self {
            Outcome::Silent { ptx, .. } => ptx.len(),
            Outcome::Speaks => 64,
        }
    }
}
