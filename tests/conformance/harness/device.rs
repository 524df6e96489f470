//! Devices that run cases: the embedded one, and whatever a real GPU was seen to do.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use warpgrade::nvrtc::Compiled;
use warpgrade::ptx;
use warpgrade::simt::{
    FaultKind, GlobalMemory, Launch, LaunchReport, Limits, Observer, Program, Schedule, Site, Unobserved,
    launch,
};

use super::case::{ArgumentKind, Case};

/// What a launch left behind.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outcome {
    /// One a buffer argument, in order.
    pub buffers: Vec<Vec<u8>>,
    /// What `printf` wrote; `None` when the device cannot tell.
    pub printed: Option<String>,
    /// `trap`, `assertion`, `out-of-bounds`, `misaligned`, `deadlock`, `no-progress`, `stack-overflow`, `bad-launch`; or anything
    /// else in words.
    pub fault: Option<String>,
}

/// Something that runs cases.
pub trait Device: Sync {
    /// Runs a case that was compiled to PTX for its architecture; `seed` picks an interleaving where the device has a choice.
    ///
    /// # Errors
    /// The device cannot run it.
    fn run(&self, case: &Case, compiled: &Compiled, kernel: &str, seed: u64) -> Result<Outcome, String>;
}

/// The embedded device.
pub enum Embedded {
    /// Watched by nobody: the fast paths.
    Plain,
    /// Lanes of a warp drift apart wherever they may: every result must be the same, unless a kernel asks who is with it.
    LanesApart,
}

/// Asks for the lanes to drift apart, and watches every access, so that the slow paths are taken.
struct Apart;

impl Observer for Apart {
    const ENABLED: bool = true;

    fn splits(&self, _site: Site) -> bool {
        true
    }
}

/// Blocks that are resident at once, by seed: many, one, few.
const RESIDENT: [u32; 3] = [32, 1, 3];

impl Device for Embedded {
    fn run(&self, case: &Case, compiled: &Compiled, kernel: &str, seed: u64) -> Result<Outcome, String> {
        let module = ptx::parse(&compiled.ptx).map_err(|e| e.to_string())?;
        let program = Arc::new(Program::load(&module).map_err(|e| e.to_string())?);
        let mut memory = GlobalMemory::new();
        let image = program.instantiate(&mut memory);
        let mut addresses = Vec::new();
        let mut arguments = Vec::new();
        for argument in &case.arguments {
            match &argument.kind {
                ArgumentKind::Buffer { element, bytes } => {
                    let length = bytes.len() as u64;
                    let address = memory.allocate(&argument.name, length, element.bytes() as u32);
                    memory.slice_mut(address, length).ok_or("a buffer is not there")?.copy_from_slice(bytes);
                    addresses.push((address, length));
                    arguments.push(address.to_le_bytes().to_vec());
                }
                ArgumentKind::Scalar { bytes, .. } | ArgumentKind::Struct { bytes } => {
                    arguments.push(bytes.clone());
                }
            }
        }
        let what = Launch {
            kernel,
            grid: case.grid,
            block: case.block,
            dynamic_shared: case.shared,
            arguments: &arguments,
            checkpoints: None,
        };
        let schedule = Schedule { seed, resident: RESIDENT[seed as usize % RESIDENT.len()] };
        let limits = Limits { warp_instructions: 50_000_000, ..Limits::default() };
        let report = match self {
            Embedded::Plain => launch(&image, &mut memory, &what, &schedule, &limits, &mut Unobserved),
            Embedded::LanesApart => launch(&image, &mut memory, &what, &schedule, &limits, &mut Apart),
        };
        let buffers = addresses
            .iter()
            .map(|&(address, length)| memory.slice(address, length).unwrap_or_default().to_vec())
            .collect();
        let fault = fault_name(&report, &program);
        Ok(Outcome { buffers, printed: Some(report.printf), fault })
    }
}

/// A fault by the word that heads use; one that no head names in words.
fn fault_name(report: &LaunchReport, program: &Program) -> Option<String> {
    let fault = report.fault.as_ref()?;
    Some(match &fault.kind {
        FaultKind::Trap => "trap".to_owned(),
        FaultKind::Assertion { .. } => "assertion".to_owned(),
        FaultKind::OutOfBounds { .. } => "out-of-bounds".to_owned(),
        FaultKind::Misaligned { .. } => "misaligned".to_owned(),
        FaultKind::Deadlock { .. } => "deadlock".to_owned(),
        FaultKind::NoProgress => "no-progress".to_owned(),
        FaultKind::StackOverflow { .. } => "stack-overflow".to_owned(),
        FaultKind::BadLaunch { .. } => "bad-launch".to_owned(),
        other => match fault.site {
            Some(site) => format!("{other:?} at `{}`", program.text(site)),
            None => format!("{other:?}"),
        },
    })
}

/// What a real GPU gave for each case, as `run_on_gpu.py` recorded it.
pub struct Recorded {
    cases: BTreeMap<String, (String, Vec<Vec<u8>>)>,
}

impl Recorded {
    /// Reads the recording.
    ///
    /// # Errors
    /// The file is not one.
    pub fn read(path: &Path) -> Result<Recorded, String> {
        let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
        let json: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
        let mut cases = BTreeMap::new();
        for (name, case) in json["cases"].as_object().ok_or("no `cases`")? {
            let buffers = case["buffers"].as_array().ok_or("no `buffers`")?;
            let buffers: Option<Vec<Vec<u8>>> = buffers.iter().map(|b| from_hex(b.as_str()?)).collect();
            let source = case["source"].as_str().ok_or("no `source`")?.to_owned();
            cases.insert(name.clone(), (source, buffers.ok_or("a buffer is not hexadecimal")?));
        }
        Ok(Recorded { cases })
    }

    /// The buffers that this very source gave; `None` when it was never run or has changed since.
    pub fn buffers(&self, case: &Case) -> Option<&[Vec<u8>]> {
        let (source, buffers) = self.cases.get(&case.name)?;
        (*source == case.hash()).then_some(&buffers[..])
    }
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    (0..text.len() / 2).map(|i| u8::from_str_radix(text.get(2 * i..2 * i + 2)?, 16).ok()).collect()
}
