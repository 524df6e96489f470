//! The scalar video instructions that CUDA's SIMD intrinsics still use (`vadd`, `vabsdiff4`, …).
//!
//! PTX ISA, "Video Instructions". Only the four-byte and two-halfword forms are executed; they are what
//! `__vadd4`-like intrinsics on early targets and inline assembly write.

/// A packed operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::simt) struct Video {
    pub op: VideoOp,
    /// 2 or 4 elements.
    pub lanes: u8,
    pub signed_a: bool,
    pub signed_b: bool,
    pub signed_d: bool,
    pub saturate: bool,
    /// `.add`: the elements' results are summed onto `c`.
    pub accumulate: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::simt) enum VideoOp {
    Add,
    Sub,
    AvRg,
    AbsDiff,
    Min,
    Max,
}

impl Video {
    pub(super) fn eval(self, a: u32, b: u32, c: u32) -> u64 {
        let bits = 32 / u32::from(self.lanes);
        let element = |word: u32, index: u32, signed: bool| {
            let value = i64::from(word >> (index * bits)) & ((1 << bits) - 1);
            if signed && value >> (bits - 1) & 1 == 1 { value - (1 << bits) } else { value }
        };
        let (low, high) = if self.signed_d {
            (-(1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1)
        } else {
            (0, (1i64 << bits) - 1)
        };
        let mut packed = 0u32;
        let mut sum = 0i64;
        for i in 0..u32::from(self.lanes) {
            let (x, y) = (element(a, i, self.signed_a), element(b, i, self.signed_b));
            let value = match self.op {
                VideoOp::Add => x + y,
                VideoOp::Sub => x - y,
                VideoOp::AvRg => (x + y + i64::from(x + y >= 0)) >> 1,
                VideoOp::AbsDiff => (x - y).abs(),
                VideoOp::Min => x.min(y),
                VideoOp::Max => x.max(y),
            };
            let value = if self.saturate { value.clamp(low, high) } else { value };
            sum += value;
            packed |= ((value & ((1 << bits) - 1)) as u32) << (i * bits);
        }
        if self.accumulate { u64::from(c.wrapping_add(sum as u32)) } else { u64::from(packed) }
    }
}
