//! Launching: the checks that a driver makes, then the run.

use super::device::Device;
use crate::simt::code::{MemSpace, Op};
use crate::simt::env::{Env, SPLITS, WATCHED};
use crate::simt::event::{LaunchShape, Observer, WARP};
use crate::simt::launch::{Fault, FaultKind, Launch, LaunchReport, Limits, Schedule};
use crate::simt::memory::GlobalMemory;
use crate::simt::program::{Image, Kernel, ModuleVariable, Program};

/// Most threads in a block, and along each axis.
const MAX_THREADS: u32 = 1024;
const MAX_BLOCK: [u32; 3] = [1024, 1024, 64];
const MAX_GRID: [u32; 3] = [i32::MAX as u32, 65535, 65535];
/// Most shared memory a block can have, static and dynamic (compute capability 9.0, opted in).
const MAX_SHARED: u64 = 227 << 10;
/// Most of it that can be declared with a size (CUDA C++ Programming Guide, "Technical Specifications"): `ptxas` refuses
/// more.
const MAX_STATIC_SHARED: u32 = 48 << 10;

/// Runs a kernel to its end. The report says what it did, and why it stopped if it did not finish.
pub fn launch<O: Observer>(
    image: &Image,
    memory: &mut GlobalMemory,
    launch: &Launch,
    schedule: &Schedule,
    limits: &Limits,
    observer: &mut O,
) -> LaunchReport {
    let env = match environment(image, memory, launch, limits, observer) {
        Ok(env) => env,
        Err(fault) => return LaunchReport { fault: Some(*fault), ..LaunchReport::default() },
    };
    let mut device = Device::new(env, memory, observer, *limits, *schedule);
    device.run();
    let report = std::mem::take(&mut device.report);
    if O::ENABLED {
        observer.launch_finished(memory);
    }
    report
}

/// What stays the same while the launch runs; the observer has been told that it begins.
pub(super) fn environment<'a, O: Observer>(
    image: &'a Image,
    memory: &GlobalMemory,
    launch: &Launch<'a>,
    limits: &Limits,
    observer: &mut O,
) -> Result<Env<'a>, Box<Fault>> {
    let kernel = check(image, launch).map_err(|reason| {
        Box::new(Fault { kind: FaultKind::BadLaunch { reason }, site: None, thread: None })
    })?;
    let program = image.program();
    let function = &program.functions[kernel.function as usize];
    if function.frame_bytes > limits.stack_bytes {
        let kind = FaultKind::StackOverflow { limit: limits.stack_bytes };
        return Err(Box::new(Fault { kind, site: Some(function.entry), thread: None }));
    }
    let shared_bytes = if launch.dynamic_shared > 0 {
        kernel.dynamic_start + launch.dynamic_shared
    } else {
        kernel.static_shared
    };
    let threads: u32 = launch.block.iter().product();
    let shape = LaunchShape { grid: launch.grid, block: launch.block, shared_bytes, sites: program.sites() };
    let mut flags = Vec::new();
    if O::ENABLED {
        observer.launch_started(&shape, memory);
        flags = (0..program.sites())
            .map(|site| {
                let watched = observable(program, site) && observer.watches(site);
                u8::from(watched) * WATCHED + u8::from(observer.splits(site)) * SPLITS
            })
            .collect();
    }
    Ok(Env {
        image,
        program,
        code: &program.code,
        kernel,
        params: parameters(kernel, launch),
        grid: launch.grid,
        block: launch.block,
        shared_bytes,
        dynamic_shared: launch.dynamic_shared,
        threads,
        warps: threads.div_ceil(WARP as u32),
        stack_bytes: limits.stack_bytes,
        grid_workspace: image.address(ModuleVariable::GRID_WORKSPACE).unwrap_or(0),
        flags,
        checkpoints: launch.checkpoints,
    })
}

/// Whether a site may access memory that threads share.
fn observable(program: &Program, site: u32) -> bool {
    let instr = &program.code[site as usize];
    match instr.op {
        Op::Load
        | Op::LoadGlobal32
        | Op::LoadGlobal64
        | Op::LoadShared32
        | Op::StrongLoad
        | Op::Store
        | Op::StoreGlobal32
        | Op::StoreGlobal64
        | Op::StoreShared32
        | Op::StrongStore
        | Op::Copying => {
            let space = program.tables.accesses[instr.c as usize].space;
            matches!(space, MemSpace::Generic | MemSpace::Global | MemSpace::Shared)
        }
        Op::Atomic => true,
        _ => false,
    }
}

fn check<'a>(image: &'a Image, launch: &Launch) -> Result<&'a Kernel, String> {
    let program = image.program();
    let kernel =
        program.kernel(launch.kernel).ok_or_else(|| format!("there is no kernel `{}`", launch.kernel))?;
    let axes = ["x", "y", "z"];
    for (axis, name) in axes.iter().enumerate() {
        if launch.grid[axis] == 0 || launch.grid[axis] > MAX_GRID[axis] {
            return Err(format!(
                "gridDim.{name} is {}; it must be 1 to {}",
                launch.grid[axis], MAX_GRID[axis]
            ));
        }
        if launch.block[axis] == 0 || launch.block[axis] > MAX_BLOCK[axis] {
            return Err(format!(
                "blockDim.{name} is {}; it must be 1 to {}",
                launch.block[axis], MAX_BLOCK[axis]
            ));
        }
    }
    let threads: u32 = launch.block.iter().product();
    let most = kernel.max_threads.unwrap_or(MAX_THREADS).min(MAX_THREADS);
    if threads > most {
        return Err(format!("a block of {threads} threads is larger than {most}"));
    }
    if kernel.static_shared > MAX_STATIC_SHARED {
        return Err(format!(
            "the kernel's `__shared__` arrays take {} bytes a block; there are {MAX_STATIC_SHARED} (48 KiB), and more only \
             as `extern __shared__`",
            kernel.static_shared
        ));
    }
    let shared = u64::from(kernel.dynamic_start) + u64::from(launch.dynamic_shared);
    if shared > MAX_SHARED {
        return Err(format!("a block needs {shared} bytes of shared memory; there are {MAX_SHARED}"));
    }
    if launch.arguments.len() != kernel.parameters.len() {
        return Err(format!(
            "the kernel has {} parameters, and {} arguments were given",
            kernel.parameters.len(),
            launch.arguments.len()
        ));
    }
    for (number, (argument, parameter)) in launch.arguments.iter().zip(&kernel.parameters).enumerate() {
        if argument.len() != parameter.bytes as usize {
            return Err(format!(
                "parameter {} has {} bytes, and its argument {}",
                number + 1,
                parameter.bytes,
                argument.len()
            ));
        }
    }
    Ok(kernel)
}

fn parameters(kernel: &Kernel, launch: &Launch) -> Vec<u8> {
    let end = kernel.parameters.iter().map(|p| p.offset + p.bytes).max().unwrap_or(0);
    let mut bytes = vec![0; end as usize];
    for (argument, parameter) in launch.arguments.iter().zip(&kernel.parameters) {
        let at = parameter.offset as usize;
        bytes[at..at + argument.len()].copy_from_slice(argument);
    }
    bytes
}
