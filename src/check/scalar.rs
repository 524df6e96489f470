//! Element types of arguments, and numbers as their bytes.

use serde::{Deserialize, Serialize};

/// A type that an argument or a buffer's element can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scalar {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

impl Scalar {
    pub const LIST: &'static str = "types are bool, i8, u8, i16, u16, i32, u32, i64, u64, f32, f64";

    pub fn parse(text: &str) -> Option<Scalar> {
        Some(match text {
            "bool" => Scalar::Bool,
            "i8" | "s8" | "char" => Scalar::I8,
            "u8" => Scalar::U8,
            "i16" | "s16" | "short" => Scalar::I16,
            "u16" => Scalar::U16,
            "i32" | "s32" | "int" => Scalar::I32,
            "u32" | "uint" => Scalar::U32,
            "i64" | "s64" | "long" => Scalar::I64,
            "u64" | "size_t" => Scalar::U64,
            "f32" | "float" => Scalar::F32,
            "f64" | "double" => Scalar::F64,
            _ => return None,
        })
    }

    pub fn bytes(self) -> u64 {
        match self {
            Scalar::Bool | Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => 8,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F32 | Scalar::F64)
    }

    /// A whole number's bytes, cut to the type's width.
    pub fn number(self, value: u64) -> Vec<u8> {
        match self {
            Scalar::F32 => (value as f32).to_le_bytes().to_vec(),
            Scalar::F64 => (value as f64).to_le_bytes().to_vec(),
            Scalar::Bool => vec![u8::from(value != 0)],
            _ => value.to_le_bytes()[..self.bytes() as usize].to_vec(),
        }
    }

    /// A written value's bytes; out of range is an error.
    pub fn bytes_of(self, text: &str) -> Result<Vec<u8>, String> {
        let text = text.trim();
        let none = || format!("`{text}` is no value of that type");
        match self {
            Scalar::F32 => text.parse::<f32>().map(|v| v.to_le_bytes().to_vec()).map_err(|_| none()),
            Scalar::F64 => text.parse::<f64>().map(|v| v.to_le_bytes().to_vec()).map_err(|_| none()),
            Scalar::Bool => match text {
                "true" | "1" => Ok(vec![1]),
                "false" | "0" => Ok(vec![0]),
                _ => Err(none()),
            },
            _ => {
                let plain = text.replace('_', "");
                let value: i128 = match plain.strip_prefix("0x") {
                    Some(digits) => i128::from_str_radix(digits, 16).map_err(|_| none())?,
                    None => plain.parse().map_err(|_| none())?,
                };
                let bits = 8 * self.bytes() as u32;
                let signed = matches!(self, Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64);
                let (least, most) = if signed {
                    (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
                } else {
                    (0, (1i128 << bits) - 1)
                };
                if value < least || value > most {
                    return Err(format!("{value} is outside {least} to {most}"));
                }
                Ok(value.to_le_bytes()[..self.bytes() as usize].to_vec())
            }
        }
    }

    /// The bytes of numbers separated by commas, blanks or line ends.
    pub fn bytes_of_list(self, text: &str) -> Result<Vec<u8>, String> {
        let words = text.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty());
        let parts: Result<Vec<Vec<u8>>, String> = words.map(|word| self.bytes_of(word)).collect();
        parts.map(|parts| parts.concat())
    }
}
