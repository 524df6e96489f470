//! The conformance suite's own machinery: heads of files, expected values, devices.

pub mod case;
pub mod device;
pub mod evaluate;
pub mod expectation;
pub mod expression;
pub mod value;
