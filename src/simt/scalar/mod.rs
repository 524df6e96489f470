//! One lane's arithmetic: every operation that the fast loop does not vectorise.

mod approx;
mod convert;
mod exact;
mod float;
mod half;
mod integer;
mod operation;
mod round;
mod video;

pub(super) use half::{compare as compare_halves, half_binary};
pub(super) use operation::*;
pub(super) use round::{Round, canonical};
pub(super) use video::{Video, VideoOp};
