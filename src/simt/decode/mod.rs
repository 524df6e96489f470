//! PTX to the device's own instructions, once per program.

mod allocate;
mod arith;
mod atomic;
mod body;
mod collective;
mod control;
mod convert;
mod float;
mod live;
mod memory;
mod module;
mod moves;
mod operands;
mod qualifiers;
mod scope;

pub use module::LoadError;
pub(super) use module::load;
