//! Arguments as the command line and plans write them: `i32:5`, `f32:0.5`, `buf:u32:256:iota`.

use std::path::PathBuf;

/// A kernel argument, parsed.
#[derive(Debug, Clone, PartialEq)]
pub enum ArgumentSpec {
    /// A scalar's bytes, little-endian.
    Scalar(Vec<u8>),
    /// Device memory of its own.
    Buffer(BufferSpec),
}

/// Device memory: type, size and first contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BufferSpec {
    pub ty: Scalar,
    pub count: u64,
    pub fill: BufferFill,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum BufferFill {
    /// As `cudaMemset(p, 0, …)`; the default.
    #[default]
    Zero,
    Ones,
    /// Element i is i.
    Iota,
    /// As `cudaMalloc` leaves it: reading it before somebody writes it is a finding.
    Uninit,
    /// The file's bytes; a shorter file leaves the rest uninitialised.
    File(PathBuf),
}

/// Element types of arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

/// Largest buffer, in bytes.
const MOST_BYTES: u64 = 4 << 30;

/// Why a specification cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{spec}`: {problem}; an argument is TYPE:VALUE (`i32:5`, `f32:0.5`) or \
     buf:TYPE:COUNT[:zero|ones|iota|uninit|file=PATH]"
)]
pub struct SpecError {
    pub spec: String,
    pub problem: String,
}

impl ArgumentSpec {
    /// Reads `TYPE:VALUE` or `buf:TYPE:COUNT[:FILL]`.
    pub fn parse(spec: &str) -> Result<ArgumentSpec, SpecError> {
        let fail = |problem: String| SpecError { spec: spec.to_owned(), problem };
        let (head, rest) = spec.split_once(':').ok_or_else(|| fail("there is no `:`".to_owned()))?;
        if head != "buf" {
            let ty =
                Scalar::parse(head).ok_or_else(|| fail(format!("`{head}` is no type; {}", Scalar::LIST)))?;
            return ty.bytes_of(rest).map(ArgumentSpec::Scalar).map_err(fail);
        }
        let mut parts = rest.splitn(3, ':');
        let ty = parts.next().unwrap_or_default();
        let ty = Scalar::parse(ty).ok_or_else(|| fail(format!("`{ty}` is no type; {}", Scalar::LIST)))?;
        let count = parts.next().ok_or_else(|| fail("the number of elements is missing".to_owned()))?;
        let count = count_of(count).ok_or_else(|| fail(format!("`{count}` is no number of elements")))?;
        let fill = match parts.next() {
            None => BufferFill::default(),
            Some(fill) => {
                BufferFill::parse(fill).ok_or_else(|| fail(format!("`{fill}` is no first content")))?
            }
        };
        BufferSpec { ty, count, fill }.checked().map(ArgumentSpec::Buffer).map_err(fail)
    }
}

/// A count: decimal or `0x…`, or a product of such (`1024*256`).
fn count_of(text: &str) -> Option<u64> {
    text.split('*').try_fold(1u64, |product, factor| {
        let factor = factor.trim().replace('_', "");
        let number = match factor.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok()?,
            None => factor.parse().ok()?,
        };
        product.checked_mul(number)
    })
}

impl BufferSpec {
    /// The same, when its size is possible.
    pub fn checked(self) -> Result<Self, String> {
        match self.count.checked_mul(self.ty.bytes()) {
            Some(1..=MOST_BYTES) => Ok(self),
            _ => Err(format!("a buffer has 1 to {MOST_BYTES} bytes")),
        }
    }

    pub fn bytes(&self) -> u64 {
        self.count * self.ty.bytes()
    }

    /// The first contents; `None` when uninitialised. Files are read here.
    pub fn contents(&self) -> Result<Option<Vec<u8>>, String> {
        let element = |i: u64| self.ty.number(i);
        Ok(match &self.fill {
            BufferFill::Zero => Some(vec![0; self.bytes() as usize]),
            BufferFill::Ones => Some(element(1).repeat(self.count as usize)),
            BufferFill::Iota => Some((0..self.count).flat_map(element).collect()),
            BufferFill::Uninit => None,
            BufferFill::File(path) => {
                let mut bytes = std::fs::read(path)
                    .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
                bytes.truncate(self.bytes() as usize);
                Some(bytes)
            }
        })
    }
}

impl BufferFill {
    pub fn parse(text: &str) -> Option<BufferFill> {
        Some(match text {
            "zero" => BufferFill::Zero,
            "ones" => BufferFill::Ones,
            "iota" => BufferFill::Iota,
            "uninit" => BufferFill::Uninit,
            _ => BufferFill::File(text.strip_prefix("file=")?.into()),
        })
    }
}

impl Scalar {
    pub const LIST: &'static str = "types are bool, i8, u8, i16, u16, i32, u32, i64, u64, f32, f64";

    pub fn parse(text: &str) -> Option<Scalar> {
        Some(match text {
            "bool" => Scalar::Bool,
            "i8" | "s8" => Scalar::I8,
            "u8" => Scalar::U8,
            "i16" | "s16" => Scalar::I16,
            "u16" => Scalar::U16,
            "i32" | "s32" | "int" => Scalar::I32,
            "u32" | "uint" => Scalar::U32,
            "i64" | "s64" => Scalar::I64,
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

    /// A whole number's bytes.
    fn number(self, value: u64) -> Vec<u8> {
        match self {
            Scalar::F32 => (value as f32).to_le_bytes().to_vec(),
            Scalar::F64 => (value as f64).to_le_bytes().to_vec(),
            Scalar::Bool => vec![u8::from(value != 0)],
            _ => value.to_le_bytes()[..self.bytes() as usize].to_vec(),
        }
    }

    /// A written value's bytes; out of range is an error.
    fn bytes_of(self, text: &str) -> Result<Vec<u8>, String> {
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
}

/// Reads `X[,Y[,Z]]`: a grid or a block.
pub fn parse_extent(text: &str) -> Result<[u32; 3], String> {
    let parts: Vec<&str> = text.split([',', 'x']).map(str::trim).collect();
    let mut size = [1; 3];
    if parts.len() > 3 {
        return Err(format!("`{text}` has more than three dimensions"));
    }
    for (slot, part) in size.iter_mut().zip(parts) {
        let number = count_of(part).and_then(|n| u32::try_from(n).ok()).filter(|&n| n > 0);
        *slot = number.ok_or_else(|| format!("`{text}`: `{part}` is no positive whole number"))?;
    }
    Ok(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scalar(spec: &str) -> Vec<u8> {
        match ArgumentSpec::parse(spec).unwrap() {
            ArgumentSpec::Scalar(bytes) => bytes,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn scalars_become_bytes() {
        assert_eq!(scalar("i32:-2"), [0xfe, 0xff, 0xff, 0xff]);
        assert_eq!(scalar("u64:0x10"), [16, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(scalar("f32:0.5"), 0.5f32.to_le_bytes());
        assert_eq!(scalar("bool:true"), [1]);
    }

    #[test]
    fn buffers_have_type_count_and_fill() {
        let parse = |spec: &str| match ArgumentSpec::parse(spec).unwrap() {
            ArgumentSpec::Buffer(buffer) => buffer,
            other => panic!("{other:?}"),
        };
        let iota = parse("buf:f32:3:iota");
        assert_eq!(
            (iota.bytes(), iota.contents().unwrap().unwrap()[4..8].to_vec()),
            (12, 1f32.to_le_bytes().into())
        );
        assert_eq!(parse("buf:u8:2*3").contents(), Ok(Some(vec![0; 6])));
        assert_eq!(parse("buf:u32:8:uninit").contents(), Ok(None));
        assert_eq!(parse("buf:u32:8:file=a:b.bin").fill, BufferFill::File("a:b.bin".into()));
    }

    #[test]
    fn mistakes_say_what_would_be_right() {
        for spec in
            ["5", "i33:5", "i32:x", "u32:-1", "i8:200", "buf:u32", "buf:u32:0", "buf:u32:4:ramp", "buf:f99:4"]
        {
            let error = ArgumentSpec::parse(spec).unwrap_err().to_string();
            assert!(error.contains(spec) && error.contains("buf:TYPE:COUNT"), "{error}");
        }
    }

    #[test]
    fn extents_have_up_to_three_dimensions() {
        assert_eq!(parse_extent("8"), Ok([8, 1, 1]));
        assert_eq!(parse_extent("8,4"), Ok([8, 4, 1]));
        assert_eq!(parse_extent("2,3,4"), Ok([2, 3, 4]));
        assert!(parse_extent("0").is_err() && parse_extent("1,2,3,4").is_err() && parse_extent("a").is_err());
    }
}
