//! Read-modify-write operations.

use super::device::Device;
use super::place::shape;
use crate::simt::code::{Atomic, AtomicOp, MemSpace};
use crate::simt::event::{Access, AccessKind, AtomicRead, Observer, Shape, Space, WARP};
use crate::simt::faults::bad_access;
use crate::simt::lanes::{addresses, store_element};
use crate::simt::launch::Fault;
use crate::simt::rows::{Row32, lanes, put};
use crate::simt::scalar::{Float, Half, canonical, half_binary};
use crate::simt::space::resolve;
use crate::simt::warp::{Warp, row32};

impl<O: Observer> Device<'_, O> {
    pub(super) fn atomic(
        &mut self,
        place: usize,
        index: usize,
        mask: u32,
        watched: bool,
    ) -> Result<(), Box<Fault>> {
        let site = self.blocks[place].warps[index].at.pc;
        let instr = self.env.code[site as usize];
        let atomic = self.env.program.tables.atomics[instr.c as usize];
        let bytes = u32::from(atomic.bytes) * u32::from(atomic.count);
        let block = &self.blocks[place];
        let mut own = [0; WARP];
        addresses(&self.env, &block.warps[index], &instr, atomic.address32, &mut own);
        let (mut global, mut shared) = (0u32, 0u32);
        let first = mask.trailing_zeros() as usize & 31;
        let uneven = own.iter().enumerate().fold(0, |uneven, (lane, address)| {
            uneven | ((address ^ own[first]) & 0u64.wrapping_sub(u64::from(mask >> lane & 1)))
        });
        let uniform = uneven == 0;
        for lane in lanes(if uniform { 1 << first } else { mask }) {
            let (space, at) = resolve(atomic.space, own[lane]);
            let there = at.is_multiple_of(u64::from(bytes))
                && match space {
                    MemSpace::Shared => {
                        at.checked_add(u64::from(bytes)).is_some_and(|end| end <= block.shared.len() as u64)
                    }
                    MemSpace::Global => {
                        self.memory.slice(at, u64::from(bytes)).is_some() && !self.memory.is_read_only(at)
                    }
                    _ => false,
                };
            if !there {
                let kind = bad_access(&self.env, self.memory, "atomic", atomic.space, own[lane], bytes);
                return Err(self.fault(place, index, lane, kind));
            }
            if uniform {
                own = [at; WARP];
            }
            own[lane] = at;
            let lanes = if uniform { mask } else { 1 << lane };
            if space == MemSpace::Shared {
                shared |= lanes;
            } else {
                global |= lanes;
            }
        }
        for (space, mask) in [(Space::Global, global), (Space::Shared, shared)] {
            if mask == 0 {
                continue;
            }
            let access = Access {
                site,
                block: self.blocks[place].number(),
                warp: index as u32,
                mask,
                space,
                kind: AccessKind::Atomic { reduction: atomic.reduction, form: atomic.form },
                order: atomic.order,
                scope: atomic.scope,
                bytes,
                element: u32::from(atomic.bytes),
                addresses: &own,
                shape: shape(&own, mask, bytes),
            };
            self.perform(place, index, &atomic, &access, watched);
        }
        Ok(())
    }

    /// Performs checked lanes of one memory, in an order that the schedule chooses.
    fn perform(&mut self, place: usize, index: usize, atomic: &Atomic, access: &Access, watched: bool) {
        let mut order = [0u8; WARP];
        let mut count = 0;
        let rotate = self.random.next();
        let start = rotate as u32 % WARP as u32;
        // Lanes from `start` on, then those before it; or all of that backwards.
        let mut lanes = access.mask.rotate_right(start);
        while lanes != 0 {
            let lane = lanes.trailing_zeros();
            lanes &= lanes - 1;
            order[count] = ((lane + start) % WARP as u32) as u8;
            count += 1;
        }
        if rotate >> 32 & 1 == 1 {
            order[..count].reverse();
        }
        let order = &order[..count];
        let block = &mut self.blocks[place];
        let read = if O::ENABLED && watched {
            self.observer.atomic(access, self.memory, &block.shared)
        } else {
            AtomicRead::Newest
        };
        let width = usize::from(atomic.bytes);
        if width == 4 && atomic.count == 1 && access.shape == Shape::Uniform {
            let at = access.addresses[usize::from(order[0])];
            let memory = match access.space {
                Space::Shared => block.shared.get_mut(at as usize..at as usize + 4),
                Space::Global => self.memory.device_mut(at, 4),
            };
            let warp = &mut block.warps[index];
            let words = &self.env.image.words;
            let (wrote, changed) = match read {
                AtomicRead::Newest => one_word(warp, words, atomic, order, memory, |_, newest| newest),
                AtomicRead::Ask => {
                    let observer = &mut *self.observer;
                    one_word(warp, words, atomic, order, memory, |lane, newest| {
                        observer.atomic_reads(access, lane, u128::from(newest)) as u32
                    })
                }
            };
            self.version += u64::from(changed);
            if O::ENABLED && watched {
                self.observer.atomic_performed(access, wrote, order);
            }
            return;
        }
        let (mut wrote, mut changed) = (0u32, false);
        for &lane in order {
            let lane = usize::from(lane);
            let address = access.addresses[lane];
            let warp = &mut block.warps[index];
            for element in 0..usize::from(atomic.count) {
                let at = address + (element * width) as u64;
                let memory = match access.space {
                    Space::Shared => block.shared.get_mut(at as usize..at as usize + width),
                    Space::Global => self.memory.device_mut(at, width as u64),
                };
                let Some(memory) = memory else { continue };
                let mut raw = [0u8; 16];
                raw[..width].copy_from_slice(memory);
                let mut old = u128::from_le_bytes(raw);
                if read == AtomicRead::Ask {
                    old = self.observer.atomic_reads(access, lane as u32, old);
                }
                let wide = width == 8;
                let b128 = width == 16;
                let b = store_element(warp, self.env.image, wide, atomic.b[element], lane, b128);
                let c = if atomic.op == AtomicOp::Cas {
                    store_element(warp, self.env.image, wide, atomic.c, lane, b128)
                } else {
                    0
                };
                let keep = u128::MAX >> (128 - 8 * width);
                if let Some(new) = apply(atomic.op, width, old, b & keep, c & keep) {
                    let new = new & keep;
                    wrote |= 1 << lane;
                    changed |= new.to_le_bytes()[..width] != raw[..width];
                    memory.copy_from_slice(&new.to_le_bytes()[..width]);
                }
                if !atomic.reduction {
                    set(warp, atomic.d[element], width, lane, old);
                }
            }
        }
        self.version += u64::from(changed);
        if O::ENABLED && watched {
            self.observer.atomic_performed(access, wrote, order);
        }
    }
}

/// All lanes on one 32-bit word, one after the other: the lanes that wrote, and whether the word changed on the way.
/// `read` says what a lane reads, given the newest value.
fn one_word(
    warp: &mut Warp,
    words: &[Row32],
    atomic: &Atomic,
    order: &[u8],
    memory: Option<&mut [u8]>,
    read: impl FnMut(u32, u32) -> u32,
) -> (u32, bool) {
    let Some(Ok(memory)) = memory.map(<&mut [u8; 4]>::try_from) else { return (0, false) };
    let b = *row32(warp, words, atomic.b[0]);
    let c = if atomic.op == AtomicOp::Cas { *row32(warp, words, atomic.c) } else { [0; WARP] };
    let mut old = [0; WARP];
    let mut value = u32::from_le_bytes(*memory);
    // Integer addition, the commonest, gets a loop of its own.
    let (wrote, changed) = match atomic.op {
        AtomicOp::Add => {
            in_turn(order, &mut old, &mut value, read, |old, lane| Some(old.wrapping_add(b[lane])))
        }
        op => in_turn(order, &mut old, &mut value, read, |old, lane| {
            let new = apply(op, 4, u128::from(old), u128::from(b[lane]), u128::from(c[lane]))?;
            Some(new as u32)
        }),
    };
    *memory = value.to_le_bytes();
    if !atomic.reduction {
        let mask = order.iter().fold(0, |mask, &lane| mask | 1 << (lane & 31));
        put(&mut warp.rows32[(warp.at.frame.rows32 + atomic.d[0]) as usize], &old, mask);
    }
    (wrote, changed)
}

/// Updates `value` for one lane after the other, noting what each found: the lanes that wrote, and whether any changed it.
#[inline(always)]
fn in_turn(
    order: &[u8],
    old: &mut Row32,
    value: &mut u32,
    mut read: impl FnMut(u32, u32) -> u32,
    update: impl Fn(u32, usize) -> Option<u32>,
) -> (u32, bool) {
    let (mut wrote, mut changed) = (0u32, false);
    for &lane in order {
        let lane = usize::from(lane) & 31;
        old[lane] = read(lane as u32, *value);
        if let Some(new) = update(old[lane], lane) {
            changed |= new != *value;
            *value = new;
            wrote |= 1 << lane;
        }
    }
    (wrote, changed)
}

fn set(warp: &mut Warp, reg: u32, width: usize, lane: usize, value: u128) {
    let frame = warp.at.frame;
    match width {
        16 => {
            let row = (frame.rows64 + reg) as usize;
            warp.rows64[row][lane] = value as u64;
            warp.rows64[row + 1][lane] = (value >> 64) as u64;
        }
        8 => warp.rows64[(frame.rows64 + reg) as usize][lane] = value as u64,
        _ => warp.rows32[(frame.rows32 + reg) as usize][lane] = value as u32,
    }
}

/// The new value, or `None` when nothing is stored.
fn apply(op: AtomicOp, width: usize, old: u128, b: u128, c: u128) -> Option<u128> {
    let signed = |x: u128| match width {
        4 => i64::from(x as u32 as i32),
        _ => x as u64 as i64,
    };
    let half =
        |half: Half, op: Float, two: bool| u128::from(half_binary(half, op, old as u32, b as u32, two));
    Some(match op {
        AtomicOp::Add => old.wrapping_add(b),
        AtomicOp::AddF32 => u128::from(canonical(f32::from_bits(old as u32) + f32::from_bits(b as u32))),
        AtomicOp::AddF64 => u128::from((f64::from_bits(old as u64) + f64::from_bits(b as u64)).to_bits()),
        AtomicOp::AddF16 => half(Half::F16, Float::Add, false),
        AtomicOp::AddBf16 => half(Half::Bf16, Float::Add, false),
        AtomicOp::AddF16x2 => half(Half::F16, Float::Add, true),
        AtomicOp::AddBf16x2 => half(Half::Bf16, Float::Add, true),
        AtomicOp::MinF16 => half(Half::F16, Float::Min, false),
        AtomicOp::MaxF16 => half(Half::F16, Float::Max, false),
        AtomicOp::MinBf16 => half(Half::Bf16, Float::Min, false),
        AtomicOp::MaxBf16 => half(Half::Bf16, Float::Max, false),
        AtomicOp::MinF16x2 => half(Half::F16, Float::Min, true),
        AtomicOp::MaxF16x2 => half(Half::F16, Float::Max, true),
        AtomicOp::MinBf16x2 => half(Half::Bf16, Float::Min, true),
        AtomicOp::MaxBf16x2 => half(Half::Bf16, Float::Max, true),
        AtomicOp::MinU => old.min(b),
        AtomicOp::MaxU => old.max(b),
        AtomicOp::MinS => {
            if signed(old) <= signed(b) {
                old
            } else {
                b
            }
        }
        AtomicOp::MaxS => {
            if signed(old) >= signed(b) {
                old
            } else {
                b
            }
        }
        // Wraps to 0 at the bound; wraps to the bound at 0.
        AtomicOp::Inc => {
            if old >= b {
                0
            } else {
                old + 1
            }
        }
        AtomicOp::Dec => {
            if old == 0 || old > b {
                b
            } else {
                old - 1
            }
        }
        AtomicOp::And => old & b,
        AtomicOp::Or => old | b,
        AtomicOp::Xor => old ^ b,
        AtomicOp::Exch => b,
        AtomicOp::Cas => {
            if old != b {
                return None;
            }
            c
        }
    })
}
