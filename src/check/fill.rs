//! What a buffer holds before the first launch.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::scalar::Scalar;
use crate::sandbox::Bytes;

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum BufferFill {
    /// As `cudaMemset(p, 0, …)`; the default.
    #[default]
    Zero,
    Ones,
    /// Element i is i.
    Iota,
    /// Whole numbers from 0 to COUNT - 1, which can serve as indices; floats from 0 to 1. The same in every run.
    Random,
    /// As `cudaMalloc` leaves it: reading it before somebody writes it is a finding.
    Uninit,
    /// Numbers as they are written; fewer than COUNT leave the rest uninitialised.
    Values(String),
    /// The file's bytes; a shorter file leaves the rest uninitialised.
    File(PathBuf),
    /// A file of numbers in text, as [`BufferFill::Values`].
    Text(PathBuf),
    /// These bytes: a file's that has been read.
    Bytes(Bytes),
}

impl BufferFill {
    /// How fills are written.
    pub const LIST: &'static str = "zero|ones|iota|random|uninit|values=1,2,…|file=PATH|text=PATH";

    pub fn parse(text: &str) -> Option<BufferFill> {
        Some(match text {
            "zero" => BufferFill::Zero,
            "ones" => BufferFill::Ones,
            "iota" => BufferFill::Iota,
            "random" => BufferFill::Random,
            "uninit" => BufferFill::Uninit,
            _ => match text.split_once('=')? {
                ("values", numbers) => BufferFill::Values(numbers.to_owned()),
                ("file", path) => BufferFill::File(path.into()),
                ("text", path) => BufferFill::Text(path.into()),
                _ => return None,
            },
        })
    }

    /// The same, with a file's path taken from `folder`.
    pub fn relative_to(self, folder: &Path) -> BufferFill {
        match self {
            BufferFill::File(path) => BufferFill::File(folder.join(path)),
            BufferFill::Text(path) => BufferFill::Text(folder.join(path)),
            other => other,
        }
    }

    /// The first bytes of a buffer of `count` elements, at most all of them; what is missing is uninitialised.
    ///
    /// # Errors
    /// A file that cannot be read or does not hold numbers, and more numbers than the buffer has elements.
    pub fn contents(&self, ty: Scalar, count: u64) -> Result<Vec<u8>, String> {
        let bytes = count * ty.bytes();
        Ok(match self {
            BufferFill::Zero => vec![0; bytes as usize],
            BufferFill::Ones => ty.number(1).repeat(count as usize),
            BufferFill::Iota => (0..count).flat_map(|i| ty.number(i)).collect(),
            BufferFill::Random => (0..count).flat_map(|i| random(ty, count, i)).collect(),
            BufferFill::Uninit => Vec::new(),
            BufferFill::Values(numbers) => all_fit(ty.bytes_of_list(numbers)?, ty, count)?,
            BufferFill::File(path) => {
                let mut data = std::fs::read(path).map_err(|error| unreadable(path, &error))?;
                data.truncate(bytes as usize);
                data
            }
            BufferFill::Bytes(data) => data.0.clone(),
            BufferFill::Text(path) => {
                let text = std::fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
                let data = ty.bytes_of_list(&text).and_then(|data| all_fit(data, ty, count));
                data.map_err(|problem| format!("{}: {problem}", path.display()))?
            }
        })
    }
}

fn unreadable(path: &Path, error: &std::io::Error) -> String {
    format!("cannot read {}: {error}", path.display())
}

fn all_fit(data: Vec<u8>, ty: Scalar, count: u64) -> Result<Vec<u8>, String> {
    let given = data.len() as u64 / ty.bytes();
    if given > count {
        return Err(format!("{given} numbers are given for a buffer of {count}"));
    }
    Ok(data)
}

/// Element `i`: splitmix64 of the index.
fn random(ty: Scalar, count: u64, i: u64) -> Vec<u8> {
    let mut bits = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^= bits >> 31;
    // 24 bits are exact in a float.
    let fraction = (bits >> 40) as f32 / (1u32 << 24) as f32;
    match ty {
        Scalar::F32 => fraction.to_le_bytes().to_vec(),
        Scalar::F64 => f64::from(fraction).to_le_bytes().to_vec(),
        Scalar::Bool => vec![(bits & 1) as u8],
        _ => ty.number(bits % count.max(1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(fill: &str, ty: Scalar, count: u64) -> Result<Vec<u8>, String> {
        BufferFill::parse(fill).unwrap().contents(ty, count)
    }

    #[test]
    fn numbers_may_be_listed() {
        assert_eq!(filled("values=1,-2", Scalar::I16, 3), Ok(vec![1, 0, 0xfe, 0xff]));
        assert!(filled("values=1,2,3", Scalar::U8, 2).unwrap_err().contains("3 numbers"));
        assert!(filled("values=1,x", Scalar::U8, 2).unwrap_err().contains("`x`"));
    }

    #[test]
    fn files_hold_bytes_or_numbers() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        std::fs::write(&path, "1 2\n3,4\n").unwrap();
        let fill = |kind: &str| format!("{kind}={}", path.display());
        assert_eq!(filled(&fill("text"), Scalar::U8, 5), Ok(vec![1, 2, 3, 4]));
        assert_eq!(filled(&fill("file"), Scalar::U8, 3), Ok(b"1 2".to_vec()));
        assert!(filled("text=/nowhere/x", Scalar::U8, 1).unwrap_err().contains("cannot read /nowhere/x"));
    }

    #[test]
    fn random_numbers_are_indices_and_the_same_each_time() {
        let numbers = filled("random", Scalar::U8, 100).unwrap();
        assert!(numbers.iter().all(|&n| n < 100));
        assert!(numbers.windows(2).any(|w| w[0] != w[1]));
        assert_eq!(filled("random", Scalar::U8, 100), Ok(numbers));
        let floats = filled("random", Scalar::F32, 10).unwrap();
        let floats = floats.chunks(4).map(|b| f32::from_le_bytes(b.try_into().unwrap()));
        assert!(floats.into_iter().all(|x| (0.0..1.0).contains(&x)));
    }
}
