//! Arguments as the command line and plans write them: `i32:5`, `f32:1,2,3`, `buf:u32:256:iota`, `struct(i32:5; buf:f32:9)`.

use serde::{Deserialize, Serialize};

use super::fill::BufferFill;
use super::scalar::Scalar;
use crate::sandbox::Bytes;

/// A kernel argument, parsed.
#[derive(Debug, Clone, PartialEq)]
pub enum ArgumentSpec {
    /// A value's bytes, little-endian: one number, or several in a row (`float3`).
    Value { bytes: Vec<u8>, align: usize },
    /// Device memory of its own.
    Buffer(BufferSpec),
    /// Device memory that a plan has declared, by its index there.
    Declared(usize),
    /// A structure by value; fields are laid out as C++ does.
    Struct(Vec<ArgumentSpec>),
}

/// Device memory: type, size and first contents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BufferSpec {
    pub ty: Scalar,
    pub count: u64,
    pub fill: BufferFill,
}

/// Largest buffer, in bytes.
const MOST_BYTES: u64 = 4 << 30;
/// Deepest nesting of structures.
const MOST_NESTED: usize = 8;

/// Why a specification cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{spec}`: {problem}; an argument is TYPE:VALUE (`i32:5`, `f32:0.5`, `f32:1,2,3` for a float3), \
     buf:TYPE:COUNT[:{}], or struct(FIELD; FIELD; …)",
    BufferFill::LIST
)]
pub struct SpecError {
    pub spec: String,
    pub problem: String,
}

impl ArgumentSpec {
    /// Reads an argument; `declared` are the names of the buffers that a plan has.
    pub fn parse(spec: &str, declared: &[&str]) -> Result<ArgumentSpec, SpecError> {
        argument(spec, declared, 0).map_err(|problem| SpecError { spec: spec.to_owned(), problem })
    }
}

fn argument(spec: &str, declared: &[&str], depth: usize) -> Result<ArgumentSpec, String> {
    let spec = spec.trim();
    if let Some(index) = declared.iter().position(|name| *name == spec) {
        return Ok(ArgumentSpec::Declared(index));
    }
    if let Some(fields) = spec.strip_prefix("struct(") {
        let fields = fields.strip_suffix(')').ok_or("the `)` of the struct is missing")?;
        if depth == MOST_NESTED {
            return Err(format!("structures nest at most {MOST_NESTED} deep"));
        }
        let fields: Result<Vec<_>, _> =
            split_fields(fields).into_iter().map(|field| argument(field, declared, depth + 1)).collect();
        return fields.map(ArgumentSpec::Struct);
    }
    let no_type = |ty: &str| format!("`{ty}` is no type; {}", Scalar::LIST);
    let (head, rest) = spec.split_once(':').ok_or("there is no `:`")?;
    if head != "buf" {
        let ty = Scalar::parse(head).ok_or_else(|| no_type(head))?;
        let bytes = ty.bytes_of_list(rest)?;
        if bytes.is_empty() {
            return Err("the value is missing".to_owned());
        }
        return Ok(ArgumentSpec::Value { bytes, align: ty.bytes() as usize });
    }
    let mut parts = rest.splitn(3, ':');
    let ty = parts.next().unwrap_or_default();
    let ty = Scalar::parse(ty).ok_or_else(|| no_type(ty))?;
    let count = parts.next().ok_or("the number of elements is missing")?;
    let count = count_of(count).ok_or_else(|| format!("`{count}` is no number of elements"))?;
    let fill = match parts.next() {
        None => BufferFill::default(),
        Some(fill) => BufferFill::parse(fill).ok_or_else(|| format!("`{fill}` is no first content"))?,
    };
    BufferSpec { ty, count, fill }.checked().map(ArgumentSpec::Buffer)
}

/// What stands between the `;` of this level, or, where there is none, between the commas after which a name begins.
fn split_fields(text: &str) -> Vec<&str> {
    let split_at = |mark: char| {
        let mut depth = 0i32;
        let mut fields = Vec::new();
        let mut start = 0;
        for (i, c) in text.char_indices() {
            depth += i32::from(c == '(') - i32::from(c == ')');
            let named =
                || text[i + 1..].trim_start().starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            if c == mark && depth == 0 && (mark == ';' || named()) {
                fields.push(&text[start..i]);
                start = i + 1;
            }
        }
        fields.push(&text[start..]);
        fields
    };
    let mut fields = split_at(';');
    if fields.len() == 1 {
        fields = split_at(',');
    }
    fields.retain(|field| !field.trim().is_empty());
    fields
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

    /// Replaces a file to begin with by what it holds.
    pub fn read_file(&mut self) -> Result<(), String> {
        if matches!(self.fill, BufferFill::File(_) | BufferFill::Text(_)) {
            self.fill = BufferFill::Bytes(Bytes(self.contents()?));
        }
        Ok(())
    }

    /// The first contents, at most [`BufferSpec::bytes`]; what is missing is uninitialised. Files are read here.
    pub fn contents(&self) -> Result<Vec<u8>, String> {
        self.fill.contents(self.ty, self.count)
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

    fn value(spec: &str) -> Vec<u8> {
        match ArgumentSpec::parse(spec, &[]).unwrap() {
            ArgumentSpec::Value { bytes, .. } => bytes,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn values_become_bytes() {
        assert_eq!(value("i32:-2"), [0xfe, 0xff, 0xff, 0xff]);
        assert_eq!(value("u64:0x10"), [16, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(value("f32:0.5"), 0.5f32.to_le_bytes());
        assert_eq!(value("bool:true"), [1]);
        assert_eq!(value("u8:1,2,3"), [1, 2, 3]);
    }

    #[test]
    fn buffers_have_type_count_and_fill() {
        let parse = |spec: &str| match ArgumentSpec::parse(spec, &[]).unwrap() {
            ArgumentSpec::Buffer(buffer) => buffer,
            other => panic!("{other:?}"),
        };
        let iota = parse("buf:f32:3:iota");
        assert_eq!((iota.bytes(), iota.contents().unwrap()[4..8].to_vec()), (12, 1f32.to_le_bytes().into()));
        assert_eq!(parse("buf:u8:2*3").contents(), Ok(vec![0; 6]));
        assert_eq!(parse("buf:u32:8:uninit").contents(), Ok(Vec::new()));
        assert_eq!(parse("buf:u32:8:file=a:b.bin").fill, BufferFill::File("a:b.bin".into()));
    }

    #[test]
    fn structures_have_fields_and_may_nest() {
        let spec = ArgumentSpec::parse("struct(i32:1; struct(f32:1,2; data); buf:u8:4)", &["data"]).unwrap();
        let ArgumentSpec::Struct(fields) = spec else { panic!("{spec:?}") };
        assert_eq!(fields.len(), 3);
        let ArgumentSpec::Struct(inner) = &fields[1] else { panic!("{fields:?}") };
        assert_eq!(inner[1], ArgumentSpec::Declared(0));
        let commas =
            ArgumentSpec::parse("struct(i32:1, f32:1,2, buf:u8:2:values=1,2, data)", &["data"]).unwrap();
        let ArgumentSpec::Struct(fields) = &commas else { panic!("{commas:?}") };
        assert_eq!(fields.len(), 4, "{fields:?}");
    }

    #[test]
    fn mistakes_say_what_would_be_right() {
        for spec in [
            "5",
            "i33:5",
            "i32:x",
            "i32:",
            "u32:-1",
            "i8:200",
            "buf:u32",
            "buf:u32:0",
            "buf:u32:4:ramp",
            "buf:f99:4",
            "struct(i32:1",
            "struct(i32:1; x)",
        ] {
            let error = ArgumentSpec::parse(spec, &[]).unwrap_err().to_string();
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
