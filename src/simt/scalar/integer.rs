//! Integer and bit operations, with PTX's rules at the edges (PTX ISA, "Integer Arithmetic",
//! "Logic and Shift" and "Data Movement" instructions).

use super::operation::{Int, Pair16, Permute, Testp};

pub(super) fn mul_lo(t: Int, a: u64, b: u64) -> u64 {
    t.wrap(i128::from(a.wrapping_mul(b)))
}

pub(super) fn mul_hi(t: Int, a: u64, b: u64) -> u64 {
    if t.signed() {
        t.wrap((t.value(a) * t.value(b)) >> t.bits())
    } else {
        let product = (t.value(a) as u128) * (t.value(b) as u128);
        t.wrap((product >> t.bits()) as i128)
    }
}

pub(super) fn mul_wide16(signed: bool, a: u64, b: u64) -> u64 {
    let t = if signed { Int::S16 } else { Int::U16 };
    Int::U32.wrap(t.value(a) * t.value(b))
}

/// The 48-bit product of 24-bit operands: its low or its high 32 bits.
pub(super) fn mul24(signed: bool, high: bool, a: u64, b: u64) -> u64 {
    let operand = |x: u64| {
        let x = (x as u32) << 8;
        if signed { i128::from((x as i32) >> 8) } else { i128::from(x >> 8) }
    };
    let product = operand(a) * operand(b);
    Int::U32.wrap(if high { product >> 16 } else { product })
}

/// Division by zero gives all ones, as the hardware does (PTX leaves it unspecified).
pub(super) fn div(t: Int, a: u64, b: u64) -> u64 {
    match t.value(b) {
        0 => t.wrap(-1),
        divisor => t.wrap(t.value(a) / divisor),
    }
}

/// The remainder by zero is all ones up to 32 bits and the dividend at 64, as the hardware has it.
pub(super) fn rem(t: Int, a: u64, b: u64) -> u64 {
    match t.value(b) {
        0 if t.bits() == 64 => a,
        0 => t.wrap(-1),
        divisor => t.wrap(t.value(a) % divisor),
    }
}

/// Shift amounts above the width are clamped to it.
pub(super) fn shl(t: Int, a: u64, b: u64) -> u64 {
    let amount = (b as u32).min(t.bits());
    if amount == t.bits() { 0 } else { t.wrap(i128::from(a) << amount) }
}

pub(super) fn shr(t: Int, a: u64, b: u64) -> u64 {
    let amount = (b as u32).min(t.bits());
    t.wrap(t.value(a) >> amount)
}

/// The position of the most significant bit that differs from the sign, or all ones.
pub(super) fn bfind(t: Int, shift_amount: bool, a: u64) -> u64 {
    let value = t.value(a);
    let magnitude = if value < 0 { !value } else { value } as u64;
    if magnitude == 0 {
        return u64::from(u32::MAX);
    }
    let position = 63 - magnitude.leading_zeros();
    u64::from(if shift_amount { t.bits() - 1 - position } else { position })
}

pub(super) fn bfe(t: Int, a: u64, b: u64, c: u64) -> u64 {
    let (position, length) = ((b & 0xff) as u32, (c & 0xff) as u32);
    let top = t.bits() - 1;
    let value = a & (u64::MAX >> (63 - top));
    let sign_at = position.saturating_add(length).saturating_sub(1).min(top);
    let sign = t.signed() && length != 0 && (value >> sign_at) & 1 == 1;
    let mut result = 0;
    for bit in 0..=top {
        let source = position + bit;
        let set = if bit < length && source <= top { (value >> source) & 1 == 1 } else { sign };
        result |= u64::from(set) << bit;
    }
    result
}

/// `bfi` has four operands; its length arrives packed with the position: `c = position | length << 8`.
pub(super) fn bfi(wide: bool, a: u64, b: u64, c: u64) -> u64 {
    let (position, length) = ((c & 0xff) as u32, ((c >> 8) & 0xff) as u32);
    let top = if wide { 63 } else { 31 };
    let mut result = b;
    for bit in 0..length {
        if position + bit > top {
            break;
        }
        let at = position + bit;
        let source = if bit <= top { (a >> bit) & 1 } else { 0 };
        result = (result & !(1 << at)) | (source << at);
    }
    result
}

/// Find the n-th set bit from a base; a base that is no bit position finds nothing.
pub(super) fn fns(mask: u32, base: u32, offset: i32) -> u64 {
    let missing = u64::from(u32::MAX);
    if base > 31 {
        return missing;
    }
    if offset == 0 {
        return if mask >> base & 1 == 1 { u64::from(base) } else { missing };
    }
    let step = if offset > 0 { 1 } else { -1 };
    let mut position = base as i32;
    let mut left = offset.unsigned_abs();
    while (0..32).contains(&position) {
        if mask >> position & 1 == 1 {
            left -= 1;
            if left == 0 {
                return position as u64;
            }
        }
        position += step;
    }
    missing
}

pub(super) fn bmsk(wrap: bool, a: u32, b: u32) -> u64 {
    let (start, width) = if wrap { (a & 31, b & 31) } else { (a.min(32), b.min(32)) };
    let ones = if width >= 32 { u64::from(u32::MAX) } else { (1u64 << width) - 1 };
    (ones << start) & u64::from(u32::MAX)
}

pub(super) fn szext(signed: bool, wrap: bool, a: u32, b: u32) -> u64 {
    let width = if wrap { b & 31 } else { b.min(32) };
    if width == 0 {
        return 0;
    }
    let shift = 32 - width;
    u64::from(if signed { (((a << shift) as i32) >> shift) as u32 } else { (a << shift) >> shift })
}

/// `a` is the low word, `b` the high one.
pub(super) fn shf(left: bool, wrap: bool, a: u32, b: u32, c: u32) -> u64 {
    let amount = if wrap { c & 31 } else { c.min(32) };
    let both = u64::from(b) << 32 | u64::from(a);
    if left { (both << amount) >> 32 } else { (both >> amount) & u64::from(u32::MAX) }
}

pub(super) fn prmt(mode: Permute, a: u32, b: u32, c: u32) -> u64 {
    let bytes = (u64::from(b) << 32 | u64::from(a)).to_le_bytes();
    let low = (c & 3) as usize;
    let picks: [usize; 4] = match mode {
        Permute::Index => {
            let mut out = 0u32;
            for i in 0..4 {
                let select = (c >> (4 * i)) & 0xf;
                let byte = bytes[(select & 7) as usize];
                let byte = if select & 8 != 0 { ((byte as i8) >> 7) as u8 } else { byte };
                out |= u32::from(byte) << (8 * i);
            }
            return u64::from(out);
        }
        Permute::F4e => [low, low + 1, low + 2, low + 3],
        Permute::B4e => [low, (low + 7) % 8, (low + 6) % 8, (low + 5) % 8],
        Permute::Rc8 => [low; 4],
        Permute::Ecl => [low, low.max(1), low.max(2), 3],
        Permute::Ecr => [0, low.min(1), low.min(2), low],
        Permute::Rc16 => {
            let base = 2 * (low & 1);
            [base, base + 1, base, base + 1]
        }
    };
    u64::from(u32::from_le_bytes(picks.map(|i| bytes[i])))
}

pub(super) fn lop3(table: u8, a: u32, b: u32, c: u32) -> u64 {
    let mut result = 0;
    for row in 0..8u32 {
        if table >> row & 1 == 1 {
            let a = if row & 4 != 0 { a } else { !a };
            let b = if row & 2 != 0 { b } else { !b };
            let c = if row & 1 != 0 { c } else { !c };
            result |= a & b & c;
        }
    }
    u64::from(result)
}

fn byte(signed: bool, word: u32, index: u32) -> i32 {
    let byte = (word >> (8 * index)) as u8;
    if signed { i32::from(byte as i8) } else { i32::from(byte) }
}

fn half(signed: bool, word: u32, index: u32) -> i32 {
    let half = (word >> (16 * index)) as u16;
    if signed { i32::from(half as i16) } else { i32::from(half) }
}

pub(super) fn dp4a(a_signed: bool, b_signed: bool, a: u32, b: u32, c: u32) -> u64 {
    let mut sum = c;
    for i in 0..4 {
        sum = sum.wrapping_add((byte(a_signed, a, i) * byte(b_signed, b, i)) as u32);
    }
    u64::from(sum)
}

pub(super) fn dp2a(a_signed: bool, b_signed: bool, high: bool, a: u32, b: u32, c: u32) -> u64 {
    let first = if high { 2 } else { 0 };
    let mut sum = c;
    for i in 0..2 {
        sum = sum.wrapping_add(half(a_signed, a, i).wrapping_mul(byte(b_signed, b, first + i)) as u32);
    }
    u64::from(sum)
}

/// `c >= 0` chooses `a`; a NaN chooses `b`.
pub(super) fn slct(float: bool, ftz: bool, a: u64, b: u64, c: u32) -> u64 {
    let first = if float {
        let value = f32::from_bits(c);
        value >= 0.0 || (ftz && value.is_subnormal())
    } else {
        c as i32 >= 0
    };
    if first { a } else { b }
}

pub(super) fn pair16(op: Pair16, signed: bool, a: u32, b: u32) -> u64 {
    let t = if signed { Int::S16 } else { Int::U16 };
    let one = |shift: u32| {
        let (x, y) = (t.value(u64::from(a >> shift)), t.value(u64::from(b >> shift)));
        t.wrap(match op {
            Pair16::Add => x + y,
            Pair16::Min => x.min(y),
            Pair16::Max => x.max(y),
        })
    };
    one(0) | one(16) << 16
}

/// Zeros count as normal. `bits` holds the number at the top of the word, `mantissa` bits from the bottom (zero-filled).
pub(super) fn testp(test: Testp, bits: u64, exponent_bits: u32, mantissa: u32) -> bool {
    let exponent = (bits >> mantissa) & ((1 << exponent_bits) - 1);
    let fraction = bits & ((1u64 << mantissa) - 1);
    let top = exponent == (1 << exponent_bits) - 1;
    match test {
        Testp::Finite => !top,
        Testp::Infinite => top && fraction == 0,
        Testp::Number => !(top && fraction != 0),
        Testp::NotANumber => top && fraction != 0,
        Testp::Normal => !top && (exponent != 0 || fraction == 0),
        Testp::Subnormal => exponent == 0 && fraction != 0,
    }
}
