//! A GPU worker's side: keeps a context, programs and blobs, and runs one row at a time.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom};
use std::rc::Rc;

use super::driver::{self, Attribute, DeviceBuffer, DriverFault, Module, Variable};
use super::fingerprint;
use super::row::{Blob, Parts, Row};
use super::sanitizer::REQUESTS;
use super::wire::{Answer, Batch, Request, RowSpec};
use super::{elf, fault, probe};
use crate::sandbox::{self, Outside};

/// Bytes kept of what a row's first launch prints.
const PRINTED: u64 = 64 << 10;

/// The worker kind `cuda`.
pub fn serve() -> Result<(), String> {
    sandbox::serve(|()| Ok(Work::default()), |work, request: Request, _: &Outside| work.answer(request))
}

/// The worker kind `sanitize`: answers the requests of a file in the working folder, for a tool that watches. What
/// goes wrong is the tool's to report.
pub fn replay() -> Result<(), String> {
    let requests: Vec<Request> =
        sandbox::read_messages(std::path::Path::new(REQUESTS)).map_err(|error| error.to_string())?;
    driver::init()?;
    let mut work = Work { under_a_tool: true, ..Work::default() };
    for request in requests {
        work.answer(request);
    }
    Ok(())
}

#[derive(Default)]
struct Work {
    open: Option<Open>,
    modules: HashMap<String, Program>,
    blobs: HashMap<String, Blob>,
    /// Memory of large inputs that is as it should be, by blob.
    clean: HashMap<String, Rc<DeviceBuffer>>,
    row: Option<Row>,
    printed: Option<File>,
    /// compute-sanitizer watches this process.
    under_a_tool: bool,
}

/// A card's context.
struct Open {
    checker: Module,
    shared_limit: u32,
}

struct Program {
    module: Rc<Module>,
    variables: Rc<Vec<Variable>>,
    /// Its image, when some of its variables cannot be named and it must be loaded afresh for each launch.
    fresh: Option<Rc<Vec<u8>>>,
}

/// Why a request has no answer of its kind.
enum Trouble {
    Driver(DriverFault),
    Own(String),
}

impl From<DriverFault> for Trouble {
    fn from(fault: DriverFault) -> Self {
        Trouble::Driver(fault)
    }
}

impl Work {
    fn answer(&mut self, request: Request) -> Answer {
        let answer = match request {
            Request::Card { gpu } => self.card(gpu),
            Request::Open { gpu } => self.open(gpu),
            Request::Module { key, cubin } => self.module(key, cubin.0),
            Request::Blob { key, bytes } => {
                self.blobs.insert(key, Blob::new(bytes.0));
                Ok(Answer::Done)
            }
            Request::Row(spec) => self.row(spec),
            Request::Launch { first, count } => self.launch(first, count),
        };
        answer.unwrap_or_else(|trouble| {
            Answer::Failed(match trouble {
                Trouble::Driver(fault) => fault.words,
                Trouble::Own(words) => words,
            })
        })
    }

    fn card(&self, gpu: i32) -> Result<Answer, Trouble> {
        let found = probe::probe().map_err(Trouble::Own)?;
        let count = found.cards.len();
        let card = found.cards.into_iter().find(|card| card.ordinal == gpu);
        card.map(Answer::Card).ok_or_else(|| {
            Trouble::Own(match count {
                0 => "the NVIDIA driver finds no GPU".to_owned(),
                1 => format!("there is no GPU {gpu}: this machine has one, number 0"),
                n => format!("there is no GPU {gpu}: this machine has numbers 0 to {}", n - 1),
            })
        })
    }

    fn open(&mut self, gpu: i32) -> Result<Answer, Trouble> {
        if self.open.is_none() {
            // A worker that follows one which a fault has ended is asked for no card first.
            driver::init().map_err(Trouble::Own)?;
            driver::open(gpu)?;
            let device = driver::device(gpu).map_err(Trouble::Own)?;
            let limit = Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN;
            let limit = driver::attribute(device, limit).map_err(Trouble::Own)?;
            let checker = Module::load(fingerprint::PTX.as_bytes())?;
            self.open = Some(Open { checker, shared_limit: limit as u32 });
            let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open("printed");
            self.printed = file.ok().filter(|file| driver::redirect_stdout(file).is_ok());
        }
        Ok(Answer::Done)
    }

    fn module(&mut self, key: String, cubin: Vec<u8>) -> Result<Answer, Trouble> {
        let module = Rc::new(Module::load(&cubin)?);
        let names = elf::variables(&cubin);
        let mut variables = Vec::new();
        for name in names.iter().flatten() {
            variables.extend(module.variable(name)?);
        }
        let all_named = names.is_some_and(|names| names.len() == variables.len());
        let fresh = (!all_named).then(|| Rc::new(cubin));
        self.modules.insert(key, Program { module, variables: Rc::new(variables), fresh });
        Ok(Answer::Done)
    }

    fn row(&mut self, spec: RowSpec) -> Result<Answer, Trouble> {
        self.row = None;
        let missing =
            |what: &str, key: &str| Trouble::Own(format!("the worker was not given the {what} {key}"));
        let open = self.open.as_ref().ok_or_else(|| Trouble::Own("the card was not opened".to_owned()))?;
        let program = self.modules.get(&spec.module).ok_or_else(|| missing("program", &spec.module))?;
        let blob = |key: &String| self.blobs.get(key).cloned().ok_or_else(|| missing("bytes", key));
        let mut contents = Vec::new();
        for buffer in &spec.buffers {
            let held = self.clean.get(&buffer.blob).filter(|_| buffer.read_only).cloned();
            contents.push((blob(&buffer.blob)?, held));
        }
        let wanted = spec.wanted.iter().map(|(_, key)| blob(key)).collect::<Result<_, _>>()?;
        // What a row holds goes back only when its launches have shown it unchanged.
        self.clean.clear();
        let parts = Parts {
            module: Rc::clone(&program.module),
            variables: Rc::clone(&program.variables),
            fresh: program.fresh.clone(),
            contents,
            wanted,
        };
        let refused = |fault: DriverFault| match fault::of_launch(&fault) {
            Some(words) => Ok(Answer::Impossible(format!("{words} ({})", fault.words))),
            None => Err(Trouble::Driver(fault)),
        };
        let row = match Row::new(spec, parts, self.under_a_tool) {
            Ok(row) => row,
            Err(fault) => return refused(fault),
        };
        match row.impossible(open.shared_limit) {
            Ok(None) => self.row = Some(row),
            Ok(Some(words)) => return Ok(Answer::Impossible(words)),
            Err(fault) => return refused(fault),
        }
        Ok(Answer::Done)
    }

    fn launch(&mut self, first: u32, count: u32) -> Result<Answer, Trouble> {
        let nothing = || Trouble::Own("no row was made ready".to_owned());
        let (Some(row), Some(open)) = (&mut self.row, &self.open) else { return Err(nothing()) };
        let checker = open.checker.kernel(fingerprint::KERNEL).ok_or_else(nothing)?;
        let mut batch = row.launch(count, &checker)?;
        let clean: Vec<_> =
            row.clean_memory().map(|(blob, memory)| (blob.to_owned(), Rc::clone(memory))).collect();
        self.clean.extend(clean);
        self.take_printed(first == 0, &mut batch);
        Ok(Answer::Batch(batch))
    }

    /// Reads what the launches printed, and forgets it. Only the first launch's is kept.
    fn take_printed(&mut self, keep: bool, batch: &mut Batch) {
        driver::flush_stdout();
        let Some(file) = &mut self.printed else { return };
        if keep {
            let mut bytes = Vec::new();
            let read =
                file.seek(SeekFrom::Start(0)).and_then(|_| file.take(PRINTED + 1).read_to_end(&mut bytes));
            if read.is_ok() {
                batch.printed_cut = bytes.len() as u64 > PRINTED;
                bytes.truncate(PRINTED as usize);
                batch.printed = String::from_utf8_lossy(&bytes).into_owned();
            }
        }
        // Both descriptors share one position, so that the next launch writes at the start.
        let _ = file.set_len(0).and_then(|()| file.seek(SeekFrom::Start(0)).map(drop));
    }
}
