//! A verdict or a row as a question that stands on its own, so that another process can answer it, once for all who
//! ask the same.
//!
//! The answer is a function of the question: of what a kernel can reach, as PTX without lines or names of files, of the
//! exercise, and of the program's constants. It speaks of sites in that PTX; whoever asked knows which lines of which
//! student's file these are. So two students whose programs are the same share an answer, and each reads of their own lines.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::device::DeviceError;
use crate::device::embedded::{Checked, Layout, SiteOutcome};
use crate::model::WatchPlan;

/// One verdict or one row of the embedded device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    pub exercise: String,
    /// Name of a hidden instance.
    pub instance: Option<String>,
    /// The exercise's constants as the program has them.
    pub constants: BTreeMap<String, i64>,
    /// [`KernelProgram::text`](super::KernelProgram::text).
    pub program: String,
    /// The kernel's PTX name.
    pub kernel: String,
    pub work: Work,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Work {
    /// The verdict over all rows of this label.
    Verdict { label: String },
    /// A row, by [`PlannedRow::index`](super::PlannedRow::index).
    Row {
        index: usize,
        repeat: u32,
        /// What the verdict found to race, in sites of [`Asked::program`].
        stale: Option<WatchPlan>,
    },
}

/// The answer, in sites of [`Asked::program`], whose layout is with it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Told {
    Verdict(Checked, Layout),
    Row(SiteOutcome, Layout),
}

impl Told {
    /// Whether the answer is the same whenever it is asked for: no time limit had a part in it.
    pub fn lasts(&self) -> bool {
        use crate::device::embedded::Halt;
        match self {
            Told::Verdict(checked, _) => !checked.cut,
            Told::Row(outcome, _) => !matches!(outcome.halted, Some((_, Halt::Deadline))),
        }
    }
}

/// Who answers.
pub trait Elsewhere: Send + Sync {
    /// # Errors
    /// A failure of ours; never the student's.
    fn ask(&self, asked: &Asked) -> Result<Told, DeviceError>;
}
