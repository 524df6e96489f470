//! The constant pool: immediates as rows that every lane reads alike.

use std::collections::HashMap;

use crate::simt::code::{CONST, Reg};

/// Constants by value; addresses of module variables are filled in when a program meets a memory.
#[derive(Debug, Default, Clone)]
pub(in crate::simt) struct Pool {
    pub words: Vec<u32>,
    pub doubles: Vec<u64>,
    /// Row of `doubles`, variable, byte offset.
    pub addresses: Vec<(usize, usize, i64)>,
    word_rows: HashMap<u32, u32>,
    double_rows: HashMap<u64, u32>,
    address_rows: HashMap<(usize, i64), u32>,
}

impl Pool {
    pub fn word(&mut self, value: u32) -> Reg {
        let next = self.words.len() as u32;
        let row = *self.word_rows.entry(value).or_insert(next);
        if row == next {
            self.words.push(value);
        }
        CONST | row
    }

    pub fn double(&mut self, value: u64) -> Reg {
        let next = self.doubles.len() as u32;
        let row = *self.double_rows.entry(value).or_insert(next);
        if row == next {
            self.doubles.push(value);
        }
        CONST | row
    }

    /// The address of a module variable plus an offset.
    pub fn address(&mut self, variable: usize, offset: i64) -> Reg {
        let next = self.doubles.len() as u32;
        let row = *self.address_rows.entry((variable, offset)).or_insert(next);
        if row == next {
            self.doubles.push(0);
            self.addresses.push((row as usize, variable, offset));
        }
        CONST | row
    }
}
