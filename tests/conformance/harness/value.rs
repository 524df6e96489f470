//! Element types: values to bytes and back, and when two elements count as equal.

/// An element type of a buffer or scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Element {
    Unsigned(u32),
    Signed(u32),
    F16,
    F32,
    F64,
}

/// What an expression gives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    Int(i128),
    Float(f64),
    /// The element's very bits, written `bits(0x7fc00000)`.
    Bits(u64),
}

impl Element {
    pub fn named(name: &str) -> Option<Element> {
        Some(match name {
            "u8" => Element::Unsigned(8),
            "u16" => Element::Unsigned(16),
            "u32" => Element::Unsigned(32),
            "u64" => Element::Unsigned(64),
            "s8" => Element::Signed(8),
            "s16" => Element::Signed(16),
            "s32" => Element::Signed(32),
            "s64" => Element::Signed(64),
            "f16" => Element::F16,
            "f32" => Element::F32,
            "f64" => Element::F64,
            _ => return None,
        })
    }

    pub fn bytes(self) -> usize {
        match self {
            Element::Unsigned(bits) | Element::Signed(bits) => bits as usize / 8,
            Element::F16 => 2,
            Element::F32 => 4,
            Element::F64 => 8,
        }
    }

    /// The element's bits: integers wrap, floats round to nearest even.
    pub fn bits(self, value: Value) -> Result<u64, String> {
        let bits = match (self, value) {
            (_, Value::Bits(bits)) => bits,
            (Element::Unsigned(_) | Element::Signed(_), Value::Int(v)) => v as u64,
            (Element::Unsigned(_) | Element::Signed(_), Value::Float(v)) => {
                return Err(format!("{v} is no integer"));
            }
            (Element::F16, v) => f16_bits(v.float()).into(),
            (Element::F32, v) => (v.float() as f32).to_bits().into(),
            (Element::F64, v) => v.float().to_bits(),
        };
        Ok(bits & (u64::MAX >> (64 - 8 * self.bytes())))
    }

    /// The value of an element's bytes.
    pub fn value(self, bytes: &[u8]) -> Value {
        let mut wide = [0; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        let bits = u64::from_le_bytes(wide);
        match self {
            Element::Unsigned(_) => Value::Int(bits.into()),
            Element::Signed(width) => Value::Int((((bits << (64 - width)) as i64) >> (64 - width)).into()),
            Element::F16 => Value::Float(f16_value(bits as u16)),
            Element::F32 => Value::Float(f32::from_bits(bits as u32).into()),
            Element::F64 => Value::Float(f64::from_bits(bits)),
        }
    }

    pub fn is_nan(self, bits: u64) -> bool {
        match self {
            Element::F16 => bits & 0x7fff > 0x7c00,
            Element::F32 => f32::from_bits(bits as u32).is_nan(),
            Element::F64 => f64::from_bits(bits).is_nan(),
            _ => false,
        }
    }

    /// Position of a float's bits on the line of all floats of its type, so that neighbours differ by one.
    fn rank(self, bits: u64) -> i128 {
        let width = 8 * self.bytes() as u32;
        let magnitude = i128::from(bits & (u64::MAX >> (65 - width)));
        if bits >> (width - 1) & 1 == 1 { -magnitude } else { magnitude }
    }
}

impl Value {
    pub fn float(self) -> f64 {
        match self {
            Value::Int(v) => v as f64,
            Value::Float(v) => v,
            Value::Bits(bits) => f64::from_bits(bits),
        }
    }
}

/// How far an element may lie from the expected one.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Tolerance {
    /// The same bits; any NaN for NaN.
    #[default]
    Exact,
    /// So many floats of its type away.
    Ulp(i128),
    Absolute(f64),
}

impl Tolerance {
    pub fn allows(self, element: Element, got: u64, want: u64) -> bool {
        if got == want || (element.is_nan(got) && element.is_nan(want)) {
            return true;
        }
        if element.is_nan(got) || element.is_nan(want) {
            return false;
        }
        match self {
            Tolerance::Exact => false,
            Tolerance::Ulp(n) => (element.rank(got) - element.rank(want)).abs() <= n,
            Tolerance::Absolute(limit) => {
                let float = |bits: u64| element.value(&bits.to_le_bytes()[..element.bytes()]).float();
                (float(got) - float(want)).abs() <= limit
            }
        }
    }
}

/// A half's value.
pub fn f16_value(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let exponent = i32::from(bits >> 10 & 31);
    let fraction = f64::from(bits & 1023);
    match exponent {
        31 if fraction != 0.0 => f64::NAN,
        31 => sign * f64::INFINITY,
        0 => sign * fraction * 2f64.powi(-24),
        _ => sign * (1.0 + fraction / 1024.0) * 2f64.powi(exponent - 15),
    }
}

/// A half, rounded to nearest even: the nearest of all halves, by search.
pub fn f16_bits(x: f64) -> u16 {
    let sign = u16::from(x.is_sign_negative()) << 15;
    let x = x.abs();
    if x.is_nan() {
        return sign | 0x7e00;
    }
    // Halves ascend with their bits; 0x7c00 stands for 65536 when rounding.
    let at = |bits: u16| if bits == 0x7c00 { 65536.0 } else { f16_value(bits) };
    let (mut low, mut high) = (0u16, 0x7c00u16);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if at(middle) <= x { low = middle } else { high = middle - 1 }
    }
    if low == 0x7c00 {
        return sign | low;
    }
    let (below, above) = (x - at(low), at(low + 1) - x);
    let up = above < below || (above == below && low & 1 == 1);
    sign | (low + u16::from(up))
}
