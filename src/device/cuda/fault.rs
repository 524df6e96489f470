//! The driver's errors as a student understands them.

use cudarc::driver::sys::CUresult;

use super::driver::DriverFault;

/// What a kernel did, after "the kernel `x` "; `None` when the error is not a kernel's doing.
pub(super) fn of_kernel(fault: &DriverFault) -> Option<&'static str> {
    Some(match fault.code {
        CUresult::CUDA_ERROR_ILLEGAL_ADDRESS => "read or wrote memory outside its arrays",
        CUresult::CUDA_ERROR_MISALIGNED_ADDRESS => {
            "used an address that is not a multiple of the size of what it read or wrote there"
        }
        CUresult::CUDA_ERROR_INVALID_ADDRESS_SPACE => {
            "used an address of one kind of memory (shared, local, global) as one of another"
        }
        CUresult::CUDA_ERROR_INVALID_PC => "jumped to an address that holds no instruction",
        CUresult::CUDA_ERROR_ILLEGAL_INSTRUCTION => "reached an illegal instruction, or `__trap()`",
        CUresult::CUDA_ERROR_HARDWARE_STACK_ERROR => {
            "ran out of stack (recursion without an end?) or broke it"
        }
        CUresult::CUDA_ERROR_ASSERT => "failed one of its own asserts",
        CUresult::CUDA_ERROR_LAUNCH_TIMEOUT => "ran longer than the driver lets it on this card",
        CUresult::CUDA_ERROR_LAUNCH_FAILED => {
            "was stopped by the card: `__trap()`, or a fault that the card does not name"
        }
        _ => return None,
    })
}

/// Why a launch was refused before anything ran; `None` when that is not the kernel's doing.
pub(super) fn of_launch(fault: &DriverFault) -> Option<&'static str> {
    Some(match fault.code {
        CUresult::CUDA_ERROR_INVALID_VALUE => {
            "the card does not allow a launch of this shape or this much shared memory"
        }
        CUresult::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES => {
            "one block needs more registers or threads than the card has for it"
        }
        CUresult::CUDA_ERROR_OUT_OF_MEMORY => "the card's memory does not suffice",
        CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU => "the program was not built for this card",
        _ => return None,
    })
}
