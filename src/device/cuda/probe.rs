//! Which cards this machine has.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::driver::{self, Attribute};

/// The driver and its cards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The newest CUDA version that the driver supports: `(13, 0)`.
    pub driver: (i32, i32),
    pub cards: Vec<Card>,
}

/// A GPU.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// The number that `--gpu` takes.
    pub ordinal: i32,
    /// `NVIDIA H200`.
    pub name: String,
    /// Compute capability: `(9, 0)`.
    pub capability: (i32, i32),
    /// Bytes of memory.
    pub memory: u64,
}

impl Card {
    /// What programs for it are compiled for: `sm_90`.
    pub fn architecture(&self) -> String {
        format!("sm_{}{}", self.capability.0, self.capability.1)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({}, {} GiB)", self.ordinal, self.name, self.architecture(), self.memory >> 30)
    }
}

/// Asks the driver for its cards; the error says in words why there is none.
pub fn probe() -> Result<Found, String> {
    driver::init()?;
    let cards = (0..driver::device_count()?).map(card).collect::<Result<Vec<_>, _>>()?;
    Ok(Found { driver: driver::version()?, cards })
}

fn card(ordinal: i32) -> Result<Card, String> {
    let device = driver::device(ordinal)?;
    let attribute = |which| driver::attribute(device, which);
    Ok(Card {
        ordinal,
        name: driver::device_name(device)?,
        capability: (
            attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        ),
        memory: driver::total_memory(device)?,
    })
}
