//! The interpreter's inner loop: one group of lanes, until something needs the rest of the device.
//!
//! Compiled twice, for any x86-64 (or other) processor and with AVX2, FMA and the bit instructions;
//! `multiversion` chooses at run time. AVX-512 was tried and gains nothing: dispatch costs more than the lanes do.

use multiversion::multiversion;

use super::coalesced::{
    base32_of, base64_of, doubles_of, partial_store, partial32, r64_or_zero, store_doubles, store_words,
    window, words_of,
};
use super::compare::{compare32, compare64};
use super::map::{map1, map2, map3, select};
use super::plain::{self, LaneFault};
use super::prefetch::follow;
use super::special::special;
use crate::simt::code::{CONST, CmpType, Instr, MemSpace, NO_GUARD, NO_REG, Op};
use crate::simt::env::Env;
use crate::simt::event::WARP;
use crate::simt::memory::GlobalMemory;
use crate::simt::rows::{Row32, Row64, put};
use crate::simt::scalar::{Scalar, canonical};
use crate::simt::space::{from_generic, resolve, to_generic};
use crate::simt::warp::Warp;

/// Why the loop stopped. The running split's `pc` says where.
#[derive(Debug)]
pub(in crate::simt) enum Stop {
    /// The turn is over.
    Quantum,
    /// The instruction at `pc` is the rest of the device's business.
    Pending,
    /// The lanes part: `taken` go to `target`, the rest to `pc`.
    Diverge {
        taken: u32,
        target: u32,
    },
    /// Other lanes of the warp are at `pc` or before it.
    Reconverge,
    /// Many backward branches were taken: time to ask whether this loop gets anywhere.
    Loops,
    Fault(LaneFault),
}

/// Backward branches between two looks at a loop's progress.
const LOOK: u32 = 64;

/// Runs the warp's current split for about `quantum` instructions (it stops at a branch); returns how many it executed.
#[multiversion(targets("x86_64+avx+avx2+fma+bmi1+bmi2+lzcnt+popcnt"))]
pub(in crate::simt) fn run(
    env: &Env,
    warp: &mut Warp,
    shared: &mut [u8],
    memory: &mut GlobalMemory,
    quantum: u32,
) -> (Stop, u32) {
    let mask = warp.at.mask;
    let spare = !warp.live;
    let (base32, base64) = (warp.at.frame.rows32 as usize, warp.at.frame.rows64 as usize);
    let basep = warp.at.frame.preds as usize;
    let words = env.image.words.as_slice();
    let doubles = env.image.doubles.as_slice();
    let code = env.code;
    let limit = warp.limit;
    let mut pc = warp.at.pc;
    let mut left = quantum;

    macro_rules! r32 {
        ($reg:expr) => {
            if $reg & CONST != 0 {
                &words[($reg & !CONST) as usize]
            } else {
                &warp.rows32[base32 + $reg as usize]
            }
        };
    }
    macro_rules! r64 {
        ($reg:expr) => {
            if $reg & CONST != 0 {
                &doubles[($reg & !CONST) as usize]
            } else {
                &warp.rows64[base64 + $reg as usize]
            }
        };
    }
    macro_rules! p {
        ($reg:expr) => {
            if $reg & CONST != 0 {
                if $reg & 1 == 1 { u32::MAX } else { 0 }
            } else {
                warp.preds[basep + $reg as usize]
            }
        };
    }

    // Where the straight run of instructions began that has not been taken from `left` yet.
    let mut from = pc;
    let stop = loop {
        if pc >= limit {
            break Stop::Reconverge;
        }
        let i: &Instr = &code[pc as usize];
        let exec = if i.guard == NO_GUARD {
            mask
        } else {
            let bits = warp.preds[basep + (i.guard >> 1) as usize];
            let exec = mask & if i.guard & 1 == 1 { !bits } else { bits };
            if exec == 0 {
                pc += 1;
                continue;
            }
            exec
        };
        // Exited lanes' registers do not matter, so a warp that lost some still takes the unmasked path.
        let wmask = exec | spare;

        macro_rules! put32 {
            ($value:expr) => {{
                let value: Row32 = $value;
                put(&mut warp.rows32[base32 + i.d as usize], &value, wmask)
            }};
        }
        macro_rules! put64 {
            ($value:expr) => {{
                let value: Row64 = $value;
                put(&mut warp.rows64[base64 + i.d as usize], &value, wmask)
            }};
        }
        macro_rules! putp {
            ($value:expr) => {{
                let value: u32 = $value;
                let p = &mut warp.preds[basep + i.d as usize];
                *p = (*p & !exec) | (value & exec);
            }};
        }
        macro_rules! un32 {
            ($f:expr) => {
                put32!(map1(r32!(i.a), $f))
            };
        }
        macro_rules! bin32 {
            ($f:expr) => {
                put32!(map2(r32!(i.a), r32!(i.b), $f))
            };
        }
        macro_rules! bin64 {
            ($f:expr) => {
                put64!(map2(r64!(i.a), r64!(i.b), $f))
            };
        }
        macro_rules! f32x2 {
            ($f:expr) => {{
                let f = $f;
                bin32!(|a: u32, b: u32| canonical(f(f32::from_bits(a), f32::from_bits(b))))
            }};
        }
        macro_rules! f64x2 {
            ($f:expr) => {{
                let f = $f;
                bin64!(|a: u64, b: u64| {
                    let r: f64 = f(f64::from_bits(a), f64::from_bits(b));
                    r.to_bits()
                })
            }};
        }
        macro_rules! try_lanes {
            ($result:expr) => {
                if let Err(fault) = $result {
                    break Stop::Fault(fault);
                }
            };
        }

        match i.op {
            // A branch's guard is its condition.
            Op::Bra => {
                let target = i.imm as u32;
                if exec != mask {
                    pc += 1;
                    break Stop::Diverge { taken: exec, target };
                }
                left = left.saturating_sub(pc - from + 1);
                let backward = target <= pc;
                pc = target;
                from = target;
                if backward {
                    warp.backs += 1;
                    if warp.backs >= LOOK {
                        break Stop::Loops;
                    }
                }
                if left == 0 {
                    break Stop::Quantum;
                }
                continue;
            }
            Op::Nop => {}
            Op::Mov32 => put32!(*r32!(i.a)),
            Op::Mov64 => put64!(*r64!(i.a)),
            Op::MovP => putp!(p!(i.a)),
            Op::Special32(s) => {
                let clock = warp.clock + u64::from(quantum - left + (pc - from));
                let row = special(env, warp, s, clock, i.imm);
                put32!(map1(&row, |x| x as u32))
            }
            Op::Special64(s) => {
                let clock = warp.clock + u64::from(quantum - left + (pc - from));
                put64!(special(env, warp, s, clock, i.imm))
            }
            Op::Frame { wide, generic } => {
                let own = u64::from(warp.at.frame.stack).wrapping_add_signed(i.imm);
                let address = if generic { to_generic(MemSpace::Local, own) } else { own };
                if wide { put64!([address; WARP]) } else { put32!([address as u32; WARP]) }
            }
            Op::Add32 => bin32!(|a: u32, b: u32| a.wrapping_add(b)),
            Op::Sub32 => bin32!(|a: u32, b: u32| a.wrapping_sub(b)),
            Op::Mul32 => bin32!(|a: u32, b: u32| a.wrapping_mul(b)),
            Op::Mad32 => put32!(map3(r32!(i.a), r32!(i.b), r32!(i.c), |a: u32, b: u32, c: u32| a
                .wrapping_mul(b)
                .wrapping_add(c))),
            Op::And32 => bin32!(|a, b| a & b),
            Op::Or32 => bin32!(|a, b| a | b),
            Op::Xor32 => bin32!(|a, b| a ^ b),
            Op::Not32 => un32!(|a: u32| !a),
            Op::Shl32 => bin32!(|a: u32, b: u32| if b < 32 { a << (b & 31) } else { 0 }),
            Op::ShrU32 => bin32!(|a: u32, b: u32| if b < 32 { a >> (b & 31) } else { 0 }),
            Op::ShrS32 => bin32!(|a: u32, b: u32| ((a as i32) >> b.min(31)) as u32),
            Op::MinU32 => bin32!(|a: u32, b: u32| a.min(b)),
            Op::MaxU32 => bin32!(|a: u32, b: u32| a.max(b)),
            Op::MinS32 => bin32!(|a: u32, b: u32| (a as i32).min(b as i32) as u32),
            Op::MaxS32 => bin32!(|a: u32, b: u32| (a as i32).max(b as i32) as u32),
            Op::MulWideU => put64!(map2(r32!(i.a), r32!(i.b), |a: u32, b: u32| u64::from(a) * u64::from(b))),
            Op::MulWideS => put64!(map2(r32!(i.a), r32!(i.b), |a: u32, b: u32| {
                (i64::from(a as i32) * i64::from(b as i32)) as u64
            })),
            Op::MadWideU => {
                put64!(map3(r32!(i.a), r32!(i.b), r64!(i.c), |a: u32, b: u32, c: u64| (u64::from(a)
                    * u64::from(b))
                .wrapping_add(c)))
            }
            Op::MadWideS => put64!(map3(r32!(i.a), r32!(i.b), r64!(i.c), |a: u32, b: u32, c: u64| {
                ((i64::from(a as i32) * i64::from(b as i32)) as u64).wrapping_add(c)
            })),
            Op::Add64 => bin64!(|a: u64, b: u64| a.wrapping_add(b)),
            Op::Sub64 => bin64!(|a: u64, b: u64| a.wrapping_sub(b)),
            Op::Mul64 => bin64!(|a: u64, b: u64| a.wrapping_mul(b)),
            Op::Mad64 => put64!(map3(r64!(i.a), r64!(i.b), r64!(i.c), |a: u64, b: u64, c: u64| a
                .wrapping_mul(b)
                .wrapping_add(c))),
            Op::And64 => bin64!(|a, b| a & b),
            Op::Or64 => bin64!(|a, b| a | b),
            Op::Xor64 => bin64!(|a, b| a ^ b),
            Op::Not64 => put64!(map1(r64!(i.a), |a: u64| !a)),
            Op::Shl64 => put64!(map2(r64!(i.a), r32!(i.b), |a: u64, b: u32| {
                if b < 64 { a << (b & 63) } else { 0 }
            })),
            Op::ShrU64 => put64!(map2(r64!(i.a), r32!(i.b), |a: u64, b: u32| {
                if b < 64 { a >> (b & 63) } else { 0 }
            })),
            Op::ShrS64 => {
                put64!(map2(r64!(i.a), r32!(i.b), |a: u64, b: u32| ((a as i64) >> b.min(63)) as u64))
            }
            Op::AddF32 => f32x2!(|a: f32, b: f32| a + b),
            Op::SubF32 => f32x2!(|a: f32, b: f32| a - b),
            Op::MulF32 => f32x2!(|a: f32, b: f32| a * b),
            Op::FmaF32 => put32!(map3(r32!(i.a), r32!(i.b), r32!(i.c), |a, b, c| canonical(
                f32::from_bits(a).mul_add(f32::from_bits(b), f32::from_bits(c))
            ))),
            Op::AddF64 => f64x2!(|a: f64, b: f64| a + b),
            Op::SubF64 => f64x2!(|a: f64, b: f64| a - b),
            Op::MulF64 => f64x2!(|a: f64, b: f64| a * b),
            Op::FmaF64 => put64!(map3(r64!(i.a), r64!(i.b), r64!(i.c), |a, b, c| f64::from_bits(a)
                .mul_add(f64::from_bits(b), f64::from_bits(c))
                .to_bits())),
            Op::ZeroExtend64 => put64!(map1(r32!(i.a), u64::from)),
            Op::SignExtend64 => put64!(map1(r32!(i.a), |a: u32| a as i32 as i64 as u64)),
            Op::Truncate32 => put32!(map1(r64!(i.a), |a: u64| a as u32)),
            Op::Low8 => un32!(|a: u32| a & 0xff),
            Op::Low16 => un32!(|a: u32| a & 0xffff),
            Op::Sign8 => un32!(|a: u32| a as i8 as i32 as u32),
            Op::Sign16 => un32!(|a: u32| a as i16 as i32 as u32),
            Op::F32FromS32 => un32!(|a: u32| (a as i32 as f32).to_bits()),
            Op::F32FromU32 => un32!(|a: u32| (a as f32).to_bits()),
            Op::F64FromF32 => put64!(map1(r32!(i.a), |a: u32| f64::from(f32::from_bits(a)).to_bits())),
            Op::F64FromS32 => put64!(map1(r32!(i.a), |a: u32| f64::from(a as i32).to_bits())),
            Op::F64FromU32 => put64!(map1(r32!(i.a), |a: u32| f64::from(a).to_bits())),
            Op::Setp(ty @ (CmpType::S64 | CmpType::U64 | CmpType::F64), cmp) => {
                putp!(compare64(ty, cmp, r64!(i.a), r64!(i.b)))
            }
            Op::Setp(ty, cmp) => putp!(compare32(ty, cmp, r32!(i.a), r32!(i.b))),
            Op::Sel32 => put32!(select(r32!(i.a), r32!(i.b), p!(i.c))),
            Op::Sel64 => put64!(select(r64!(i.a), r64!(i.b), p!(i.c))),
            Op::AndP => putp!(p!(i.a) & p!(i.b)),
            Op::OrP => putp!(p!(i.a) | p!(i.b)),
            Op::XorP => putp!(p!(i.a) ^ p!(i.b)),
            Op::NotP => putp!(!p!(i.a)),
            Op::AndNotP => putp!(p!(i.a) & !p!(i.b)),
            Op::OrNotP => putp!(p!(i.a) | !p!(i.b)),
            Op::XorNotP => putp!(p!(i.a) ^ !p!(i.b)),
            Op::NonZero32 => {
                let zero = [0u32; WARP];
                putp!(super::map::mask2(r32!(i.a), &zero, |a, z| a != z))
            }
            Op::Scalar { op, widths } => scalar(warp, words, doubles, i, op, widths, exec),
            Op::Carry { wide, subtract, carry_in, carry_out } => {
                let carry = if carry_in { p!(i.c) } else { 0 };
                let (mut low, mut high, mut out) = ([0u32; WARP], [0u64; WARP], 0u32);
                for lane in 0..WARP {
                    // The hardware subtracts by adding the complement: its carry is the opposite of a borrow,
                    // which shows where `addc` follows `sub.cc`.
                    let c = if carry_in { ((carry >> lane) & 1 == 1) != subtract } else { false };
                    let carries = if wide {
                        let (a, b) = (r64!(i.a)[lane], r64!(i.b)[lane]);
                        let (x, first) = if subtract { a.overflowing_sub(b) } else { a.overflowing_add(b) };
                        let c = u64::from(c);
                        let (x, second) = if subtract { x.overflowing_sub(c) } else { x.overflowing_add(c) };
                        high[lane] = x;
                        first | second
                    } else {
                        let (a, b) = (r32!(i.a)[lane], r32!(i.b)[lane]);
                        let (x, first) = if subtract { a.overflowing_sub(b) } else { a.overflowing_add(b) };
                        let c = u32::from(c);
                        let (x, second) = if subtract { x.overflowing_sub(c) } else { x.overflowing_add(c) };
                        low[lane] = x;
                        first | second
                    };
                    out |= u32::from(carries != subtract) << lane;
                }
                if wide {
                    put64!(high)
                } else {
                    put32!(low)
                }
                if carry_out {
                    let p = &mut warp.preds[basep + i.imm as usize];
                    *p = (*p & !exec) | (out & exec);
                }
            }
            Op::LoadGlobal32 => {
                if env.flagged(pc) {
                    break Stop::Pending;
                }
                let offset = i.imm as u64;
                match base64_of(r64_or_zero(i.a, doubles, &warp.rows64, base64), exec, 4) {
                    Some(base) if base.wrapping_add(offset) % 4 == 0 => {
                        match window(exec, base.wrapping_add(offset), 4) {
                            Some((at, bytes, _)) if exec == u32::MAX => match memory.slice(at, bytes) {
                                Some(source) => {
                                    put32!(words_of(source));
                                    follow(&mut warp.last_load, warp.block, at, memory);
                                }
                                None => try_lanes!(plain::load(env, warp, shared, memory, i, exec)),
                            },
                            Some((at, bytes, first)) => match memory.slice(at, bytes) {
                                Some(source) => {
                                    let row = &mut warp.rows32[base32 + i.d as usize];
                                    partial32(row, source, exec, first);
                                }
                                None => try_lanes!(plain::load(env, warp, shared, memory, i, exec)),
                            },
                            None => try_lanes!(plain::load(env, warp, shared, memory, i, exec)),
                        }
                    }
                    _ => try_lanes!(plain::load(env, warp, shared, memory, i, exec)),
                }
            }
            Op::LoadGlobal64 => {
                if env.flagged(pc) {
                    break Stop::Pending;
                }
                let offset = i.imm as u64;
                let base = base64_of(r64_or_zero(i.a, doubles, &warp.rows64, base64), exec, 8);
                let at = base.map_or(1, |b| b.wrapping_add(offset));
                match memory.slice(at, 8 * WARP as u64) {
                    Some(source) if exec == u32::MAX && base.is_some() && at.is_multiple_of(8) => {
                        put64!(doubles_of(source))
                    }
                    _ => try_lanes!(plain::load(env, warp, shared, memory, i, exec)),
                }
            }
            Op::LoadShared32 => {
                if env.flagged(pc) {
                    break Stop::Pending;
                }
                let access = &env.program.tables.accesses[i.c as usize];
                let base = if i.a == NO_REG {
                    None
                } else if access.address32 {
                    base32_of(r32!(i.a), exec, 4)
                } else {
                    base64_of(r64!(i.a), exec, 4)
                };
                let place = base.and_then(|b| window(exec, b.wrapping_add(i.imm as u64), 4));
                let source = place.and_then(|(at, bytes, first)| {
                    let at = usize::try_from(at).ok().filter(|at| at % 4 == 0)?;
                    Some((shared.get(at..at.checked_add(bytes as usize)?)?, first))
                });
                match source {
                    Some((source, _)) if exec == u32::MAX => put32!(words_of(source)),
                    Some((source, first)) => {
                        partial32(&mut warp.rows32[base32 + i.d as usize], source, exec, first);
                    }
                    None => try_lanes!(plain::load(env, warp, shared, memory, i, exec)),
                }
            }
            Op::LoadParam32 => {
                let at = i.imm as usize;
                match env.params.get(at..at + 4) {
                    Some(b) => put32!([u32::from_le_bytes([b[0], b[1], b[2], b[3]]); WARP]),
                    None => try_lanes!(plain::load(env, warp, shared, memory, i, exec)),
                }
            }
            Op::LoadParam64 => {
                let at = i.imm as usize;
                match env.params.get(at..at + 8) {
                    Some(b) => {
                        let value = u64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]]);
                        put64!([value; WARP])
                    }
                    None => try_lanes!(plain::load(env, warp, shared, memory, i, exec)),
                }
            }
            Op::Load => {
                if env.flagged(pc) {
                    break Stop::Pending;
                }
                try_lanes!(plain::load(env, warp, shared, memory, i, exec))
            }
            Op::StoreGlobal32 => {
                if env.flagged(pc) {
                    break Stop::Pending;
                }
                warp.at.spin.effects += 1;
                let offset = i.imm as u64;
                let base = base64_of(r64_or_zero(i.a, doubles, &warp.rows64, base64), exec, 4);
                let at = base.map_or(1, |b| b.wrapping_add(offset));
                match memory.device_mut(at, 4 * WARP as u64) {
                    Some(target) if exec == u32::MAX && base.is_some() && at.is_multiple_of(4) => {
                        store_words(target, r32!(i.d));
                    }
                    _ => try_lanes!(plain::store(env, warp, shared, memory, i, exec)),
                }
            }
            Op::StoreGlobal64 => {
                if env.flagged(pc) {
                    break Stop::Pending;
                }
                warp.at.spin.effects += 1;
                let offset = i.imm as u64;
                let base = base64_of(r64_or_zero(i.a, doubles, &warp.rows64, base64), exec, 8);
                let at = base.map_or(1, |b| b.wrapping_add(offset));
                match memory.device_mut(at, 8 * WARP as u64) {
                    Some(target) if exec == u32::MAX && base.is_some() && at.is_multiple_of(8) => {
                        store_doubles(target, r64!(i.d));
                    }
                    _ => try_lanes!(plain::store(env, warp, shared, memory, i, exec)),
                }
            }
            Op::StoreShared32 => {
                if env.flagged(pc) {
                    break Stop::Pending;
                }
                warp.at.spin.effects += 1;
                let access = &env.program.tables.accesses[i.c as usize];
                let base = if i.a == NO_REG {
                    None
                } else if access.address32 {
                    base32_of(r32!(i.a), exec, 4)
                } else {
                    base64_of(r64!(i.a), exec, 4)
                };
                let place = base.and_then(|b| window(exec, b.wrapping_add(i.imm as u64), 4));
                let target = place.and_then(|(at, bytes, first)| {
                    let at = usize::try_from(at).ok().filter(|at| at % 4 == 0)?;
                    Some((shared.get_mut(at..at.checked_add(bytes as usize)?)?, first))
                });
                match target {
                    Some((target, first)) => {
                        let value = r32!(i.d);
                        if exec == u32::MAX {
                            store_words(target, value);
                        } else {
                            partial_store(target, value, exec, first);
                        }
                    }
                    None => try_lanes!(plain::store(env, warp, shared, memory, i, exec)),
                }
            }
            Op::Store => {
                if env.flagged(pc) {
                    break Stop::Pending;
                }
                warp.at.spin.effects += 1;
                try_lanes!(plain::store(env, warp, shared, memory, i, exec))
            }
            Op::IsSpace(space) => {
                let a = r64!(i.a);
                let mut bits = 0;
                for (lane, &address) in a.iter().enumerate() {
                    let (own, at) = resolve(MemSpace::Generic, address);
                    let constant = own == MemSpace::Global && memory.is_read_only(at);
                    let holds = match space {
                        MemSpace::Const => constant,
                        MemSpace::Global => own == MemSpace::Global && !constant,
                        other => own == other,
                    };
                    bits |= u32::from(holds) << lane;
                }
                putp!(bits)
            }
            Op::ToGeneric(space) => put64!(map1(r64!(i.a), |a| to_generic(space, a))),
            Op::FromGeneric(space) => put64!(map1(r64!(i.a), |a| from_generic(space, a))),
            Op::Activemask => put32!([exec; WARP]),
            Op::BraIndexed
            | Op::Call
            | Op::Ret
            | Op::Exit
            | Op::Trap
            | Op::Breakpoint
            | Op::Atomic
            | Op::StrongLoad
            | Op::StrongStore
            | Op::Fence(..)
            | Op::Barrier
            | Op::WarpBarrier
            | Op::Collective
            | Op::Pause
            | Op::Copying
            | Op::CommitCopies
            | Op::AwaitCopies
            | Op::Unsupported => break Stop::Pending,
        }
        pc += 1;
    };
    warp.at.pc = pc;
    let executed = quantum - left + (pc - from);
    warp.clock += u64::from(executed);
    (stop, executed)
}

/// Evaluates an operation lane by lane.
#[inline(never)]
fn scalar(warp: &mut Warp, words: &[Row32], doubles: &[Row64], i: &Instr, op: Scalar, widths: u8, mask: u32) {
    use crate::simt::warp::{row32, row64};
    let operand = |reg: u32, bit: u8| -> Row64 {
        if widths >> bit & 1 == 1 {
            *row64(warp, doubles, reg)
        } else {
            map1(row32(warp, words, reg), u64::from)
        }
    };
    let a = operand(i.a, 1);
    let b = if widths >> 5 & 1 == 1 { [0; WARP] } else { operand(i.b, 2) };
    let c = if widths >> 4 & 1 == 1 { [0; WARP] } else { operand(i.c, 3) };
    if widths & 1 == 1 {
        let row = (warp.at.frame.rows64 + i.d) as usize;
        for lane in crate::simt::rows::lanes(mask) {
            warp.rows64[row][lane] = op.eval(a[lane], b[lane], c[lane]);
        }
    } else {
        let row = (warp.at.frame.rows32 + i.d) as usize;
        for lane in crate::simt::rows::lanes(mask) {
            warp.rows32[row][lane] = op.eval(a[lane], b[lane], c[lane]) as u32;
        }
    }
}
