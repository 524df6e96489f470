//! The blocks that are resident, and those that have left, to be used again.

use super::checker::Block;

/// Few at a time and asked for at every event: a short list, and who was asked for last.
#[derive(Debug, Default)]
pub(super) struct Residents {
    numbers: Vec<u32>,
    // Boxed: a block changes places without being copied.
    #[expect(clippy::vec_box, reason = "moving a box is cheaper than moving a block's tables")]
    blocks: Vec<Box<Block>>,
    last: usize,
    #[expect(clippy::vec_box, reason = "moving a box is cheaper than moving a block's tables")]
    spare: Vec<Box<Block>>,
}

impl Residents {
    pub fn get(&self, block: u32) -> Option<&Block> {
        let index = self.numbers.iter().position(|&number| number == block)?;
        self.blocks.get(index).map(|block| &**block)
    }

    #[inline]
    pub fn get_mut(&mut self, block: u32) -> Option<&mut Block> {
        if self.numbers.get(self.last) != Some(&block) {
            self.last = self.numbers.iter().position(|&number| number == block)?;
        }
        self.blocks.get_mut(self.last).map(|block| &mut **block)
    }

    /// The block, begun with `threads` threads when it is not here.
    #[inline]
    pub fn get_or_begin(&mut self, block: u32, threads: u32) -> &mut Block {
        if self.numbers.get(self.last) != Some(&block) {
            self.last = self.find_or_begin(block, threads);
        }
        &mut self.blocks[self.last]
    }

    fn find_or_begin(&mut self, block: u32, threads: u32) -> usize {
        if let Some(index) = self.numbers.iter().position(|&number| number == block) {
            return index;
        }
        let mut fresh = self.spare.pop().unwrap_or_default();
        fresh.threads.begin(block, threads);
        fresh.barriers.begin();
        fresh.shared.clear();
        fresh.copies.clear();
        self.numbers.push(block);
        self.blocks.push(fresh);
        self.blocks.len() - 1
    }

    pub fn remove(&mut self, block: u32) {
        if let Some(index) = self.numbers.iter().position(|&number| number == block) {
            self.numbers.swap_remove(index);
            self.spare.push(self.blocks.swap_remove(index));
        }
    }

    pub fn clear(&mut self) {
        self.numbers.clear();
        self.spare.append(&mut self.blocks);
    }
}
