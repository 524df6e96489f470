//! A class made for tests and for the bench: what a course would download from Canvas, the same for the same seed.
//!
//! Four of five submissions are typical edits: kernels of the examples and mutants put into the starter file, in each
//! person's own style, with answers. The rest is odd, broken or hostile.

mod odd;
mod pack;
mod people;
mod programs;
mod typical;

pub use odd::KINDS;
pub use pack::canvas_zip;
pub use programs::file;

/// One person's submission.
#[derive(Debug, Clone)]
pub struct HandedIn {
    /// As Canvas writes it: `lovelaceada`.
    pub name: String,
    /// Canvas's number of the person.
    pub id: u32,
    pub late: bool,
    /// What the submission is, in a word or two: `scan-warp-barrier`, `zip in zip`.
    pub kind: String,
    pub odd: bool,
    /// Names as handed in, and bytes.
    pub files: Vec<(String, Vec<u8>)>,
}

/// A class of `size` for `day62-racecheck` or `day27-memory-model`.
pub fn class(exercise: &str, size: usize, seed: u64) -> Vec<HandedIn> {
    let mut dice = Dice(seed ^ 0x5eed);
    let mut odd = odd::Odd::default();
    (0..size)
        .map(|number| {
            // Spread evenly, so that a small class has some too.
            let is_odd = number % 5 == 4;
            let (kind, files) = match is_odd {
                true => odd.next(exercise, &mut dice),
                false => typical::hand_in(exercise, &mut dice),
            };
            HandedIn {
                name: people::name(number, &mut dice),
                id: 10_000 + number as u32,
                late: dice.one_in(12),
                kind,
                odd: is_odd,
                files,
            }
        })
        .collect()
}

/// Choices that follow from a seed (SplitMix64).
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.roll() % n as u64) as usize
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// One of `from`, each as likely as its weight says.
    pub fn weigh<T: Copy>(&mut self, from: &[(usize, T)]) -> T {
        let mut at = self.below(from.iter().map(|(weight, _)| weight).sum());
        for (weight, item) in from {
            if at < *weight {
                return *item;
            }
            at -= weight;
        }
        unreachable!("the weights add up")
    }
}
