//! The variables of a CUBIN: an ELF file whose symbols in `.nv.global` and `.nv.global.init` live on from launch to
//! launch.

/// Names of the program's variables in global memory; `None` when the file is not read for certain.
pub(super) fn variables(cubin: &[u8]) -> Option<Vec<String>> {
    let sections = sections(cubin)?;
    let is_global = |name: &str| name == ".nv.global" || name.starts_with(".nv.global.");
    let globals: Vec<usize> =
        sections.iter().enumerate().filter(|(_, s)| is_global(&s.name)).map(|(index, _)| index).collect();
    if globals.is_empty() {
        return Some(Vec::new());
    }
    let symbols = sections.iter().find(|s| s.name == ".symtab")?;
    let names = sections.get(symbols.link)?;
    let mut found = Vec::new();
    for symbol in cubin.get(symbols.offset..symbols.offset.checked_add(symbols.size)?)?.chunks_exact(24) {
        let section = usize::from(u16::from_le_bytes([symbol[6], symbol[7]]));
        let kind = symbol[4] & 15;
        let size = number(symbol, 16, 8)?;
        // Objects; section symbols and the like have no bytes of their own.
        if globals.contains(&section) && size > 0 && kind != 3 {
            found.push(text(cubin, names.offset.checked_add(number(symbol, 0, 4)?)?)?);
        }
    }
    Some(found)
}

struct Section {
    name: String,
    offset: usize,
    size: usize,
    link: usize,
}

fn sections(elf: &[u8]) -> Option<Vec<Section>> {
    // 64-bit, little-endian.
    if elf.get(..6)? != b"\x7fELF\x02\x01" {
        return None;
    }
    let (table, entry) = (number(elf, 0x28, 8)?, number(elf, 0x3a, 2)?);
    let (count, names) = (number(elf, 0x3c, 2)?, number(elf, 0x3e, 2)?);
    let header = |index: usize| elf.get(table.checked_add(index.checked_mul(entry)?)?..);
    let names = number(header(names)?, 0x18, 8)?;
    let section = |index| {
        let header = header(index)?;
        Some(Section {
            name: text(elf, names.checked_add(number(header, 0, 4)?)?)?,
            offset: number(header, 0x18, 8)?,
            size: number(header, 0x20, 8)?,
            link: number(header, 0x28, 4)?,
        })
    };
    (0..count).map(section).collect()
}

/// A little-endian number of up to eight bytes.
fn number(bytes: &[u8], at: usize, width: usize) -> Option<usize> {
    let field = bytes.get(at..at.checked_add(width)?)?;
    usize::try_from(field.iter().rev().fold(0u64, |n, byte| n << 8 | u64::from(*byte))).ok()
}

fn text(bytes: &[u8], at: usize) -> Option<String> {
    let rest = bytes.get(at..)?;
    let end = rest.iter().position(|byte| *byte == 0)?;
    Some(String::from_utf8_lossy(&rest[..end]).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nvrtc::{CompileRequest, Nvrtc};

    fn cubin(source: &str) -> Vec<u8> {
        let nvrtc = Nvrtc::find_or_fetch(&mut |_| {}).unwrap();
        nvrtc
            .compile(&CompileRequest { source, name: "a.cu", arch: "sm_90", ..CompileRequest::default() })
            .unwrap()
            .cubin
    }

    #[test]
    fn variables_in_global_memory_are_named_and_others_are_not() {
        let source = "__device__ unsigned launches; __device__ float table[4] = {1, 2, 3, 4};\n\
                      __global__ void k(unsigned* p) { __shared__ int tile[32]; tile[threadIdx.x] = 1; __syncthreads();\n\
                      *p = launches++ + table[*p % 4] + tile[0]; }";
        let mut found = variables(&cubin(source)).unwrap();
        found.sort();
        assert_eq!(found, ["launches", "table"]);
        assert_eq!(variables(&cubin("__global__ void k(unsigned* p) { *p = 1; }")), Some(Vec::new()));
    }

    #[test]
    fn a_file_cut_anywhere_is_no_panic() {
        let whole = cubin("__device__ int x; __global__ void k() { x = 1; }");
        for end in (0..whole.len()).step_by(7) {
            let _ = variables(&whole[..end]);
        }
        assert_eq!(variables(b"not an ELF file"), None);
    }
}
