//! The device, by small programs.

mod calls;
mod memory;
mod observed;
mod scalar;
mod threads;

use std::sync::Arc;

use super::*;

/// A kernel in a memory with one buffer `out` of 32-bit words.
struct Bench {
    image: Image,
    memory: GlobalMemory,
    out: u64,
}

const HEADER: &str = ".version 8.8\n.target sm_75\n.address_size 64\n";

impl Bench {
    /// Loads PTX (without its header) whose entry is `k(.param .u64 out)`.
    fn new(ptx: &str, words: u64) -> Bench {
        let module = crate::ptx::parse(&format!("{HEADER}{ptx}")).expect("the test's PTX parses");
        let program = Arc::new(Program::load(&module).expect("the module loads"));
        let mut memory = GlobalMemory::new();
        let image = program.instantiate(&mut memory);
        let out = memory.allocate("out", 4 * words, 4);
        Bench { image, memory, out }
    }

    /// A kernel `k` around a body that has `%out` (64-bit), `%r`, `%rd`, `%p`, `%f` and `%h` registers.
    fn body(body: &str, words: u64) -> Bench {
        Bench::new(
            &format!(
                ".visible .entry k(.param .u64 k_out)\n{{\n.reg .pred %p<16>;\n.reg .b16 %h<16>;\n.reg .b32 %r<32>;\n\
                 .reg .b64 %rd<32>;\n.reg .b64 %out;\n.reg .f32 %f<16>;\n.reg .f64 %fd<16>;\n\
                 ld.param.u64 %out, [k_out];\n{body}\nret;\n}}\n"
            ),
            words,
        )
    }

    fn run(&mut self, grid: u32, block: u32, seed: u64) -> LaunchReport {
        self.watch(grid, block, seed, &mut Unobserved)
    }

    fn watch<O: Observer>(&mut self, grid: u32, block: u32, seed: u64, observer: &mut O) -> LaunchReport {
        let limits = Limits { warp_instructions: 2_000_000, ..Limits::default() };
        launch(
            &self.image,
            &mut self.memory,
            &Launch {
                kernel: "k",
                grid: [grid, 1, 1],
                block: [block, 1, 1],
                dynamic_shared: 0,
                arguments: &[self.out.to_le_bytes().to_vec()],
                checkpoints: None,
            },
            &Schedule::seeded(seed),
            &limits,
            observer,
        )
    }

    /// Runs and expects no fault.
    fn ok(&mut self, grid: u32, block: u32, seed: u64) -> LaunchReport {
        let report = self.run(grid, block, seed);
        if let Some(fault) = &report.fault {
            let text = fault.site.map_or("", |site| self.image.program().text(site));
            panic!("{:?} at `{text}`", fault.kind);
        }
        report
    }

    fn word(&self, index: u64) -> u32 {
        let bytes = self.memory.slice(self.out + 4 * index, 4).expect("inside");
        u32::from_le_bytes(bytes.try_into().expect("four bytes"))
    }
}
