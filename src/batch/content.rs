//! What an attempt is, as a hash: the same files under the same names are the same attempt.

use crate::record::InputFile;

/// Hash over the names and contents of what was handed in.
pub fn content_hash(inputs: &[InputFile]) -> String {
    let mut hasher = blake3::Hasher::new();
    for input in inputs {
        for part in [input.file.as_str(), input.blake3.as_str()] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

/// Hash of everything besides the submission that decides a result: parts in a fixed order.
pub fn basis_hash<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_hex()[..32].to_owned()
}
