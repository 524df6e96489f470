//! What the CUDA runtime supplies to device code: `printf`, `assert`, `malloc`, `free`.

use super::device::Device;
use crate::simt::code::{Builtin, MemSpace, Place};
use crate::simt::event::Observer;
use crate::simt::lanes::read_lane;
use crate::simt::launch::{Fault, FaultKind};
use crate::simt::printf::format;
use crate::simt::rows::lanes;
use crate::simt::space::resolve;
use crate::simt::warp::{row32, row64};

/// Bytes that `malloc` gives out in all, as `cudaLimitMallocHeapSize` is by default.
const HEAP_BYTES: u64 = 8 << 20;
/// Times that `malloc` gives something in one launch, whether or not it is freed: each has an address of its own.
const HEAP_BLOCKS: u32 = 1 << 16;
/// What one thread's `printf` counts for, in warp instructions: a flood of output ends as an endless loop does.
const PRINTF_COST: u64 = 32;
/// Longest string read from device memory.
const MAX_STRING: usize = 4096;

impl<O: Observer> Device<'_, O> {
    pub(super) fn builtin(
        &mut self,
        place: usize,
        index: usize,
        mask: u32,
        builtin: Builtin,
        call: usize,
    ) -> Result<(), Box<Fault>> {
        for lane in lanes(mask) {
            let argument = |device: &Self, number: usize| device.argument(place, index, lane, call, number);
            match builtin {
                Builtin::Vprintf => {
                    self.report.warp_instructions += PRINTF_COST;
                    let format_at = argument(self, 0);
                    // A flood: nothing of it is kept any more, so only its result matters.
                    if let Some((at, fields)) = self.unprinted
                        && at == format_at
                    {
                        self.version += 1;
                        self.set_result(place, index, lane, call, fields);
                        continue;
                    }
                    let text = self.string(place, index, lane, format_at);
                    let base = argument(self, 1);
                    let mut used = 0u64;
                    let mut out = Vec::new();
                    let mut next = |device: &Self, bytes: u32| {
                        used = used.next_multiple_of(u64::from(bytes));
                        let value = device.read(place, index, lane, base.wrapping_add(used), bytes);
                        used += u64::from(bytes);
                        value
                    };
                    let fields = format(&text, &mut out, &mut |bytes| next(self, bytes), &mut |address| {
                        self.string(place, index, lane, address)
                    });
                    self.print(&out);
                    if self.report.printf_truncated {
                        self.unprinted = Some((format_at, fields as u64));
                    }
                    self.set_result(place, index, lane, call, fields as u64);
                }
                Builtin::AssertFail => {
                    let expression = self.string(place, index, lane, argument(self, 0));
                    let expression = String::from_utf8_lossy(&expression).into_owned();
                    let line = argument(self, 2) as u32;
                    return Err(self.fault(place, index, lane, FaultKind::Assertion { expression, line }));
                }
                Builtin::Malloc => {
                    let bytes = argument(self, 0);
                    let fits = bytes > 0
                        && self.heap.bytes.saturating_add(bytes) <= HEAP_BYTES
                        && self.heap.given < HEAP_BLOCKS;
                    let mut address = 0;
                    if fits {
                        self.heap.bytes += bytes;
                        self.heap.given += 1;
                        address = self.memory.allocate("malloc", bytes, 1);
                    }
                    self.version += 1;
                    self.set_result(place, index, lane, call, address);
                }
                Builtin::Free => {
                    let address = argument(self, 0);
                    let near = self.memory.allocation_near(address).filter(|a| a.name == "malloc");
                    let bytes = near.map_or(0, |a| a.bytes);
                    self.heap.bytes -= bytes;
                    if address != 0 && !(bytes > 0 && self.memory.free(address)) {
                        let reason = "`free` of a pointer that `malloc` did not give".to_owned();
                        return Err(self.fault(place, index, lane, FaultKind::Other { reason }));
                    }
                    self.version += 1;
                }
            }
        }
        Ok(())
    }

    /// An argument's low 64 bits.
    fn argument(&self, place: usize, index: usize, lane: usize, call: usize, number: usize) -> u64 {
        let warp = &self.blocks[place].warps[index];
        match self.env.program.tables.calls[call].arguments.get(number) {
            Some(&Place::Frame { offset, bytes }) => {
                let mut value = [0; 8];
                let size = bytes.min(8);
                if let Some(source) = warp.local.get(lane, u64::from(warp.at.frame.stack + offset), size) {
                    value[..size as usize].copy_from_slice(source);
                }
                u64::from_le_bytes(value)
            }
            Some(&Place::Row32(reg)) => u64::from(row32(warp, &self.env.image.words, reg)[lane]),
            Some(&Place::Row64(reg)) => row64(warp, &self.env.image.doubles, reg)[lane],
            _ => 0,
        }
    }

    fn set_result(&mut self, place: usize, index: usize, lane: usize, call: usize, value: u64) {
        let warp = &mut self.blocks[place].warps[index];
        let frame = warp.at.frame;
        match self.env.program.tables.calls[call].results.first() {
            Some(&Place::Frame { offset, bytes }) => {
                let size = bytes.min(8);
                if let Some(target) = warp.local.get_mut(lane, u64::from(frame.stack + offset), size) {
                    target.copy_from_slice(&value.to_le_bytes()[..size as usize]);
                }
            }
            Some(&Place::Row32(reg)) => {
                warp.rows32[(frame.rows32 + reg) as usize][lane] = value as u32;
            }
            Some(&Place::Row64(reg)) => warp.rows64[(frame.rows64 + reg) as usize][lane] = value,
            _ => {}
        }
    }

    /// Bytes at a generic address, as an integer; 0 where there are none.
    fn read(&self, place: usize, index: usize, lane: usize, address: u64, bytes: u32) -> u64 {
        let block = &self.blocks[place];
        let at = resolve(MemSpace::Generic, address);
        let warp = &block.warps[index];
        let mut value = [0; 8];
        if let Some(source) = read_lane(&self.env, warp, &block.shared, self.memory, at, lane, bytes) {
            value[..bytes as usize].copy_from_slice(source);
        }
        u64::from_le_bytes(value)
    }

    /// A C string at a generic address.
    fn string(&self, place: usize, index: usize, lane: usize, address: u64) -> Vec<u8> {
        let mut text = Vec::new();
        while text.len() < MAX_STRING {
            match self.read(place, index, lane, address.wrapping_add(text.len() as u64), 1) as u8 {
                0 => break,
                byte => text.push(byte),
            }
        }
        text
    }

    fn print(&mut self, bytes: &[u8]) {
        // What was printed changed the world, so the loop around it is no empty one.
        self.version += 1;
        let room = self.limits.printf_bytes.saturating_sub(self.report.printf.len());
        let text = String::from_utf8_lossy(bytes);
        if text.len() <= room && !self.report.printf_truncated {
            self.report.printf.push_str(&text);
            return;
        }
        if !self.report.printf_truncated {
            let mut end = room;
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            self.report.printf.push_str(&text[..end]);
        }
        self.report.printf_truncated = true;
    }
}
