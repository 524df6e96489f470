//! A kernel's file: its head says how it is launched and what must come out. `tests/conformance/README.md` shows the words.

use std::path::Path;

use super::expectation::{Expectation, Scope, bits_of, expected};
use super::expression::parse;
use super::value::{Element, Value};

/// One kernel with its launch and its expectations.
#[derive(Debug)]
pub struct Case {
    /// The file's name without `.cu`.
    pub name: String,
    pub source: String,
    /// What it is compiled for on the embedded device.
    pub architecture: String,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    /// Dynamic shared memory in bytes.
    pub shared: u32,
    pub arguments: Vec<Argument>,
    pub expectations: Vec<Expectation>,
    /// Lines that `printf` writes, in any order; `None` where the head says nothing.
    pub prints: Option<Vec<String>>,
    /// How the launch must fail, as [`super::device::Outcome::fault`] names it.
    pub fault: Option<String>,
    /// `gpu: no`: what a real GPU does with it is undefined or ends the process.
    pub on_gpu: bool,
    /// `bits: differ`: a correct device may give other bits than another.
    pub bits_differ: bool,
    /// `lanes: together`: the kernel asks which lanes are with it.
    pub lanes_together: bool,
    /// The kernel's C++ name; `k` unless the head says `kernel:`.
    pub kernel: String,
}

#[derive(Debug, Clone)]
pub struct Argument {
    pub name: String,
    pub kind: ArgumentKind,
}

#[derive(Debug, Clone)]
pub enum ArgumentKind {
    Buffer {
        element: Element,
        bytes: Vec<u8>,
    },
    Scalar {
        element: Element,
        bytes: Vec<u8>,
    },
    /// Passed by value.
    Struct {
        bytes: Vec<u8>,
    },
}

impl Case {
    /// Reads a `.cu` file with its head.
    ///
    /// # Errors
    /// The head's first mistake, in words.
    pub fn read(path: &Path) -> Result<Case, String> {
        let source = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
        let mut case = Case {
            name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            source: source.clone(),
            architecture: "compute_75".to_owned(),
            grid: [0; 3],
            block: [0; 3],
            shared: 0,
            arguments: Vec::new(),
            expectations: Vec::new(),
            prints: None,
            fault: None,
            on_gpu: true,
            bits_differ: false,
            lanes_together: false,
            kernel: "k".to_owned(),
        };
        for line in joined_head(&source) {
            let Some((key, rest)) = line.split_once(':') else { continue };
            case.word(key, rest.trim()).map_err(|e| format!("`{line}`: {e}"))?;
        }
        if case.grid[0] == 0 {
            return Err("the head has no `launch:`".to_owned());
        }
        if case.expectations.is_empty() && case.prints.is_none() && case.fault.is_none() {
            return Err("the head expects nothing".to_owned());
        }
        Ok(case)
    }

    fn word(&mut self, key: &str, rest: &str) -> Result<(), String> {
        match key {
            "launch" => self.launch(rest)?,
            "arg" => {
                let argument = argument(rest, &self.arguments)?;
                self.arguments.push(argument);
            }
            "expect" => {
                let expectation = Expectation::read(rest, &self.arguments)?;
                self.expectations.push(expectation);
            }
            "prints" => self.prints.get_or_insert_default().push(rest.to_owned()),
            "fault" => self.fault = Some(rest.to_owned()),
            "arch" => self.architecture = rest.to_owned(),
            "gpu" => self.on_gpu = rest != "no",
            "lanes" => self.lanes_together = rest == "together",
            "kernel" => self.kernel = rest.to_owned(),
            "bits" => self.bits_differ = rest == "differ",
            // Prose.
            _ => {}
        }
        Ok(())
    }

    /// `2,1,1 x 64` with `shared 256`.
    fn launch(&mut self, text: &str) -> Result<(), String> {
        let (shape, shared) = text.split_once("shared").unwrap_or((text, "0"));
        let (grid, block) = shape.split_once('x').ok_or("expected `grid x block`")?;
        (self.grid, self.block) = (extent(grid)?, extent(block)?);
        self.shared = shared.trim().parse().map_err(|_| "expected bytes after `shared`")?;
        Ok(())
    }

    /// What is wrong with these buffers (one a buffer argument, in order); `None` when nothing is.
    pub fn difference(&self, buffers: &[Vec<u8>]) -> Option<String> {
        let names: Vec<&str> = self.buffers().map(|(name, _, _)| name).collect();
        self.expectations.iter().find_map(|expectation| {
            let index = names.iter().position(|n| *n == expectation.buffer)?;
            expectation.difference(&buffers[index], &self.arguments).err()
        })
    }

    /// Whether the buffer's elements may come in any order.
    pub fn order_is_open(&self, buffer: &str) -> bool {
        self.expectations.iter().any(|e| e.sorted && e.buffer == buffer)
    }

    /// The source's hash (BLAKE3, hexadecimal): whether a recording is of this very text.
    pub fn hash(&self) -> String {
        blake3::hash(self.source.as_bytes()).to_hex().to_string()
    }

    /// Buffer arguments: name, element, contents before the launch.
    pub fn buffers(&self) -> impl Iterator<Item = (&str, Element, &[u8])> {
        self.arguments.iter().filter_map(|a| match &a.kind {
            ArgumentKind::Buffer { element, bytes } => Some((&a.name[..], *element, &bytes[..])),
            _ => None,
        })
    }
}

/// The head's lines without `// `; a line that begins with blanks after `//` goes on from the one before.
fn joined_head(source: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in source.lines().map_while(|line| line.strip_prefix("//")) {
        match (line.strip_prefix("   "), lines.last_mut()) {
            (Some(more), Some(last)) => {
                last.push(' ');
                last.push_str(more.trim());
            }
            _ => lines.push(line.strip_prefix(' ').unwrap_or(line).to_owned()),
        }
    }
    lines
}

fn extent(text: &str) -> Result<[u32; 3], String> {
    let mut extent = [1; 3];
    let parts: Vec<&str> = text.split(',').collect();
    if parts.len() > 3 {
        return Err("more than three dimensions".to_owned());
    }
    for (into, part) in extent.iter_mut().zip(parts) {
        *into = part.trim().parse().map_err(|_| format!("`{part}` is no extent"))?;
    }
    Ok(extent)
}

/// `name u32[64] = values`, `name f32 = value` or `name struct = u32 1, pad 4, f64 2.5`.
fn argument(text: &str, before: &[Argument]) -> Result<Argument, String> {
    let (left, values) = match text.split_once('=') {
        Some((left, values)) => (left, Some(values.trim())),
        None => (text, None),
    };
    let (name, ty) = left.trim().split_once(' ').ok_or("expected `name type`")?;
    let (name, ty) = (name.to_owned(), ty.trim());
    if ty == "struct" {
        let bytes = structure(values.ok_or("a struct needs values")?, before)?;
        return Ok(Argument { name, kind: ArgumentKind::Struct { bytes } });
    }
    let (ty, length) = match ty.strip_suffix(']').and_then(|t| t.split_once('[')) {
        Some((ty, length)) => (ty, Some(length.parse::<usize>().map_err(|_| "expected a length")?)),
        None => (ty, None),
    };
    let element = Element::named(ty).ok_or_else(|| format!("`{ty}` is no type"))?;
    let values = match values {
        Some(values) => expected(values)?,
        None if length.is_some() => expected("0")?,
        None => return Err("a scalar needs a value".to_owned()),
    };
    let bytes: Vec<u8> = bits_of(&values, element, length.unwrap_or(1), before)?
        .into_iter()
        .flat_map(|bits| bits.to_le_bytes()[..element.bytes()].to_vec())
        .collect();
    let kind = match length {
        Some(_) => ArgumentKind::Buffer { element, bytes },
        None => ArgumentKind::Scalar { element, bytes },
    };
    Ok(Argument { name, kind })
}

fn structure(text: &str, before: &[Argument]) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    for field in text.split(',') {
        let (ty, value) = field.trim().split_once(' ').ok_or("expected `type value`")?;
        let value = parse(value)?.value(&Scope { arguments: before, index: 0 })?;
        match (ty, value) {
            ("pad", Value::Int(length)) => bytes.resize(bytes.len() + length as usize, 0),
            _ => {
                let element = Element::named(ty).ok_or_else(|| format!("`{ty}` is no type"))?;
                bytes.extend(&element.bits(value)?.to_le_bytes()[..element.bytes()]);
            }
        }
    }
    Ok(bytes)
}
