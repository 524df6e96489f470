//! Calls and returns. A function's registers follow its caller's in the warp's files, its frame follows in local memory.

use super::device::Device;
use super::step::Next;
use crate::simt::code::{CallTarget, Place};
use crate::simt::event::Observer;
use crate::simt::launch::{Fault, FaultKind};
use crate::simt::rows::lanes;
use crate::simt::space::function_at;
use crate::simt::warp::{Frame, Return, Warp, row32, row64};

/// What a call costs a thread's stack besides its frame: return address and saved registers.
const CALL_BYTES: u32 = 16;

impl<O: Observer> Device<'_, O> {
    pub(super) fn call(&mut self, place: usize, index: usize, mask: u32) -> Result<Next, Box<Fault>> {
        let program = self.env.program;
        let warp = &mut self.blocks[place].warps[index];
        let pc = warp.at.pc;
        let number = self.env.code[pc as usize].imm as usize;
        let site = &program.tables.calls[number];
        let stay = warp.at.mask & !mask;
        match site.target {
            CallTarget::Builtin(builtin) => {
                if O::ENABLED {
                    self.observer.runtime_called(pc, self.blocks[place].number(), index as u32, mask);
                }
                self.builtin(place, index, mask, builtin, number)?;
                Ok(Next::On)
            }
            CallTarget::Function(function) => {
                if stay != 0 {
                    warp.part(stay, pc + 1);
                }
                self.enter(place, index, function, number as u32)?;
                Ok(Next::Moved)
            }
            CallTarget::Indirect(reg) => {
                if stay != 0 {
                    warp.part(stay, pc + 1);
                }
                // The lanes that call the same function go together, one function's after the other's.
                let targets = *row64(warp, &self.env.image.doubles, reg);
                let lane = warp.at.mask.trailing_zeros() as usize & 31;
                let same = lanes(warp.at.mask).filter(|&l| targets[l] == targets[lane]);
                let same = same.fold(0u32, |m, l| m | 1 << l);
                let others = warp.at.mask & !same;
                if others != 0 {
                    warp.part(others, pc);
                }
                match function_at(targets[lane]) {
                    Some(function) if (function as usize) < program.functions.len() => {
                        self.enter(place, index, function, number as u32)?;
                        Ok(Next::Moved)
                    }
                    _ => {
                        let reason =
                            "the program calls a function at an address where there is none".to_owned();
                        Err(self.fault(place, index, lane, FaultKind::Other { reason }))
                    }
                }
            }
        }
    }

    /// The running lanes enter a function.
    fn enter(&mut self, place: usize, index: usize, target: u32, call: u32) -> Result<(), Box<Fault>> {
        let program = self.env.program;
        let function = &program.functions[target as usize];
        let warp = &mut self.blocks[place].warps[index];
        let lane = warp.at.mask.trailing_zeros() as usize & 31;
        if !function.defined {
            let instruction = format!("call of `{}`, which the module only declares", function.name);
            return Err(self.fault(place, index, lane, FaultKind::Unsupported { instruction }));
        }
        let from = warp.at.frame;
        let caller = &program.functions[from.function as usize];
        let frame = Frame {
            rows32: from.rows32 + caller.rows32,
            rows64: from.rows64 + caller.rows64,
            preds: from.preds + caller.preds,
            stack: from.stack + caller.frame_bytes + CALL_BYTES,
            function: target,
        };
        let end = frame.stack.saturating_add(function.frame_bytes);
        let site = &program.tables.calls[call as usize];
        if end > self.env.stack_bytes {
            let kind = FaultKind::StackOverflow { limit: self.env.stack_bytes };
            return Err(self.fault(place, index, lane, kind));
        }
        if site.arguments.len() != function.params.len() {
            let reason = format!("`{}` is called with the wrong number of arguments", function.name);
            return Err(self.fault(place, index, lane, FaultKind::Other { reason }));
        }
        let back = Return { pc: warp.at.pc + 1, frame: from, call };
        warp.reserve(frame, function.rows32, function.rows64, function.preds);
        warp.local.reserve(end);
        for (actual, formal) in site.arguments.iter().zip(&function.params) {
            copy(warp, self.env.image, (from, *actual), (frame, *formal));
        }
        warp.at.stack.push(back);
        warp.at.frame = frame;
        warp.at.pc = function.entry;
        warp.stack_end = warp.stack_end.max(end);
        Ok(())
    }

    /// Lanes return; from the kernel itself that is an exit.
    pub(super) fn ret(&mut self, place: usize, index: usize, mask: u32) -> Next {
        let program = self.env.program;
        let warp = &mut self.blocks[place].warps[index];
        if warp.at.stack.is_empty() {
            return self.exit(place, index, mask);
        }
        let stay = warp.at.mask & !mask;
        if stay != 0 {
            let next = warp.at.pc + 1;
            warp.part(stay, next);
        }
        if let Some(back) = warp.at.stack.pop() {
            let frame = warp.at.frame;
            let function = &program.functions[frame.function as usize];
            let site = &program.tables.calls[back.call as usize];
            for (formal, actual) in function.results.iter().zip(&site.results) {
                copy(warp, self.env.image, (frame, *formal), (back.frame, *actual));
            }
            warp.at.frame = back.frame;
            warp.at.pc = back.pc;
        }
        Next::Moved
    }
}

/// Copies an argument or result for the running lanes.
fn copy(warp: &mut Warp, image: &crate::simt::program::Image, from: (Frame, Place), to: (Frame, Place)) {
    let mask = warp.at.mask;
    let own = warp.at.frame;
    for lane in lanes(mask) {
        let mut bytes = [0u8; 8];
        warp.at.frame = from.0;
        match from.1 {
            Place::Frame { offset, bytes: size } => {
                // Both sides in local memory: any size at once.
                if let Place::Frame { offset: target, bytes: room } = to.1 {
                    let size = size.min(room);
                    let (source, target) = (from.0.stack + offset, to.0.stack + target);
                    let value = warp.local.get(lane, u64::from(source), size).map(<[u8]>::to_vec);
                    if let (Some(value), Some(target)) =
                        (value, warp.local.get_mut(lane, u64::from(target), size))
                    {
                        target.copy_from_slice(&value);
                    }
                    continue;
                }
                let size = size.min(8);
                if let Some(source) = warp.local.get(lane, u64::from(from.0.stack + offset), size) {
                    bytes[..size as usize].copy_from_slice(source);
                }
            }
            Place::Row32(reg) => {
                bytes[..4].copy_from_slice(&row32(warp, &image.words, reg)[lane].to_le_bytes());
            }
            Place::Row64(reg) => bytes = row64(warp, &image.doubles, reg)[lane].to_le_bytes(),
            Place::Pred(reg) => bytes[0] = (crate::simt::warp::pred(warp, reg) >> lane & 1) as u8,
        }
        let value = u64::from_le_bytes(bytes);
        match to.1 {
            Place::Frame { offset, bytes: size } => {
                let size = size.min(8);
                let at = u64::from(to.0.stack + offset);
                if let Some(target) = warp.local.get_mut(lane, at, size) {
                    target.copy_from_slice(&bytes[..size as usize]);
                }
            }
            Place::Row32(reg) => warp.rows32[(to.0.rows32 + reg) as usize][lane] = value as u32,
            Place::Row64(reg) => warp.rows64[(to.0.rows64 + reg) as usize][lane] = value,
            Place::Pred(reg) => {
                let p = &mut warp.preds[(to.0.preds + reg) as usize];
                *p = (*p & !(1 << lane)) | (value as u32 & 1) << lane;
            }
        }
    }
    warp.at.frame = own;
}
