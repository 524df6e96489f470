//! When two kernels are the same program: what each can reach, as text without its line table.

use crate::ptx::Module;

/// A kernel's program on its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelProgram {
    /// PTX of the kernel and of all that it can reach. Lines, files and debug strings are left out, so that a moved
    /// comment changes nothing.
    pub text: String,
    /// The text's hash.
    pub hash: String,
}

/// The program of the PTX name `kernel`; `None` for an unknown kernel.
pub fn kernel_program(module: &Module, kernel: &str) -> Option<KernelProgram> {
    let text = module.reached_from(kernel)?.normalised_text();
    let hash = blake3::hash(text.as_bytes()).to_hex().to_string();
    Some(KernelProgram { text, hash })
}
