//! Source positions: what a `.loc` stands for, through all inlining.
//!
//! NVRTC writes one `.loc` per level, outermost first, each naming the call site that it hangs below:
//!
//! ```text
//! .loc 1 25 3
//! .loc 1 6 74, function_name L0, inlined_at 1 25 3      // L0 = m, called from line 25
//! .loc 1 4 3, function_name L1, inlined_at 1 6 74       // L1 = b2, called from m's line 6
//! ```
//!
//! An outer level is not repeated while it stays the same, and PTX demands only that the position after `inlined_at` stand
//! in an *earlier* `.loc` (PTX ISA, "Debugging Directives: .loc"). So a level's caller is the latest earlier `.loc` with that position.

use std::collections::HashMap;

use super::ast::{Function, Loc, Module};
use super::names::plain_name;

/// Levels of inlining that are told apart; deeper ones are left out.
const MAX_LEVELS: usize = 64;

/// One level of a source position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Path as in the `.file` table, empty when the table lacks it.
    pub file: String,
    /// 1-based.
    pub line: u32,
    /// 1-based; 0 where the compiler knows none.
    pub column: u32,
    /// The function that this line belongs to, as in the source: `ns::scan<256>`.
    pub function: String,
    /// The same, mangled.
    pub mangled: String,
}

/// Walks a function's `.loc` directives in order and resolves the latest one.
#[derive(Debug)]
pub struct SourceLines<'m> {
    module: &'m Module,
    function: &'m Function,
    seen: Vec<Seen<'m>>,
    /// Position to the latest entry of `seen` that has it.
    latest: HashMap<(u32, u32, u32), usize>,
}

#[derive(Debug)]
struct Seen<'m> {
    loc: &'m Loc,
    /// Index in `seen` of the call site that this one was inlined at.
    caller: Option<usize>,
}

impl<'m> SourceLines<'m> {
    pub fn new(module: &'m Module, function: &'m Function) -> Self {
        SourceLines { module, function, seen: Vec::new(), latest: HashMap::new() }
    }

    /// Passes a `.loc`. Every one of the function must be passed, in the order of the text.
    pub fn enter(&mut self, loc: &'m Loc) {
        let caller =
            loc.inlined.as_ref().and_then(|at| self.latest.get(&(at.file, at.line, at.column)).copied());
        self.latest.insert((loc.file, loc.line, loc.column), self.seen.len());
        self.seen.push(Seen { loc, caller });
    }

    /// The latest `.loc`'s position and the call sites around it, innermost first; empty before the first `.loc`.
    pub fn frames(&self) -> Vec<Frame> {
        let mut frames = Vec::new();
        let mut next = self.seen.last();
        while let Some(seen) = next {
            if frames.len() == MAX_LEVELS {
                break;
            }
            let loc = seen.loc;
            frames.push(self.frame(loc.file, loc.line, loc.column, loc));
            next = seen.caller.map(|index| &self.seen[index]);
            if let (None, Some(at)) = (&next, &loc.inlined) {
                // The call site has no `.loc` of its own: it is known all the same, as the kernel's.
                frames.push(self.outermost(at.file, at.line, at.column));
            }
        }
        frames
    }

    fn frame(&self, file: u32, line: u32, column: u32, loc: &Loc) -> Frame {
        let Some(at) = &loc.inlined else { return self.outermost(file, line, column) };
        let mangled = self.inlined_name(&at.function, at.function_offset).unwrap_or_default();
        Frame {
            file: self.path(file),
            line,
            column,
            function: plain_name(mangled),
            mangled: mangled.to_owned(),
        }
    }

    fn outermost(&self, file: u32, line: u32, column: u32) -> Frame {
        let mangled = &self.function.name;
        Frame { file: self.path(file), line, column, function: plain_name(mangled), mangled: mangled.clone() }
    }

    fn path(&self, file: u32) -> String {
        self.module.files.get(&file).cloned().unwrap_or_default()
    }

    fn inlined_name(&self, label: &str, offset: u32) -> Option<&str> {
        let text = self.module.debug_strings.get(label)?.get(offset as usize..)?;
        text.split('\0').next()
    }
}
