//! Arguments as a launch passes them: bytes, and addresses of buffers among them.

use super::argument::{ArgumentSpec, BufferSpec};
use crate::device::JobArgument;

/// Lays an argument out as C++ does on the device: fields at multiples of their alignment, the whole padded to its own.
/// `buffer` takes in device memory and gives its index.
pub fn lay_out(spec: ArgumentSpec, buffer: &mut impl FnMut(BufferSpec) -> usize) -> JobArgument {
    match spec {
        ArgumentSpec::Value { bytes, .. } => JobArgument::Bytes(bytes),
        ArgumentSpec::Buffer(spec) => JobArgument::Buffer(buffer(spec)),
        ArgumentSpec::Declared(index) => JobArgument::Buffer(index),
        ArgumentSpec::Struct(fields) => {
            let mut laid = Laid::default();
            laid.structure(fields, buffer);
            JobArgument::Struct { bytes: laid.bytes, pointers: laid.pointers }
        }
    }
}

#[derive(Default)]
struct Laid {
    bytes: Vec<u8>,
    pointers: Vec<(usize, usize)>,
}

impl Laid {
    fn structure(&mut self, fields: Vec<ArgumentSpec>, buffer: &mut impl FnMut(BufferSpec) -> usize) {
        let align = fields.iter().map(alignment).max().unwrap_or(1);
        self.pad(align);
        for field in fields {
            self.pad(alignment(&field));
            match field {
                ArgumentSpec::Value { bytes, .. } => self.bytes.extend(bytes),
                ArgumentSpec::Struct(fields) => self.structure(fields, buffer),
                ArgumentSpec::Buffer(spec) => self.pointer(buffer(spec)),
                ArgumentSpec::Declared(index) => self.pointer(index),
            }
        }
        self.pad(align);
    }

    fn pointer(&mut self, buffer: usize) {
        self.pointers.push((self.bytes.len(), buffer));
        self.bytes.extend([0; 8]);
    }

    fn pad(&mut self, align: usize) {
        self.bytes.resize(self.bytes.len().next_multiple_of(align), 0);
    }
}

fn alignment(spec: &ArgumentSpec) -> usize {
    match spec {
        ArgumentSpec::Value { align, .. } => *align,
        ArgumentSpec::Buffer(_) | ArgumentSpec::Declared(_) => 8,
        ArgumentSpec::Struct(fields) => fields.iter().map(alignment).max().unwrap_or(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_aligned_and_the_end_is_padded() {
        let spec = ArgumentSpec::parse("struct(u8:1; struct(u16:2; u8:3); d; i32:4)", &["d"]).unwrap();
        let laid = lay_out(spec, &mut |_| unreachable!("no buffer is new"));
        let JobArgument::Struct { bytes, pointers } = laid else { panic!("{laid:?}") };
        let mut want = vec![1, 0, 2, 0, 3, 0, 0, 0];
        want.extend([0; 8]);
        want.extend([4, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!((bytes, pointers), (want, vec![(8, 0)]));
    }
}
