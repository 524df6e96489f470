//! Gives up, for good, what a worker does not need.
//!
//! Order matters: limits first, then Landlock (which needs to open the folders that it allows), then seccomp (which
//! forbids the calls that set up the others). Must run before the process has a second thread: Landlock binds the
//! calling thread and those that it starts.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::policy::Policy;

/// Which protections are in force in a worker.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    pub files: bool,
    pub calls: bool,
    pub limits: bool,
    /// What is not in force, and why.
    pub missing: Vec<String>,
}

/// Applies `policy` to this process. Only `scratch` may be written.
pub(super) fn confine(policy: &Policy, scratch: &Path) -> Confinement {
    let mut confinement = Confinement::default();
    let mut note = |name: &str, result: Result<(), String>| match result {
        Ok(()) => true,
        Err(reason) => {
            confinement.missing.push(format!("{name}: {reason}"));
            false
        }
    };
    let limits = note("limits", limit(policy));
    let powers = note("capabilities", drop_capabilities());
    let files = note("Landlock", restrict_files(policy, scratch));
    let calls = note("seccomp", super::syscalls::restrict(policy.gpu));
    Confinement { files, calls, limits: limits && powers, ..confinement }
}

#[cfg(unix)]
fn limit(policy: &Policy) -> Result<(), String> {
    use rlimit::Resource;
    let mut limits = vec![
        // No core files: they would hold the grader's data.
        (Resource::CORE, 0),
        (Resource::FSIZE, policy.file_bytes),
        (Resource::NOFILE, if policy.gpu { 4096 } else { 256 }),
    ];
    limits.extend(policy.memory.map(|bytes| (Resource::AS, bytes)));
    for (resource, value) in limits {
        let (_, hard) = resource.get().map_err(|error| error.to_string())?;
        let value = value.min(hard);
        resource.set(value, value).map_err(|error| format!("{}: {error}", resource.as_name()))?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn limit(_policy: &Policy) -> Result<(), String> {
    Err("this system has none".to_owned())
}

/// Gives the job that begins now its own CPU seconds, on top of what the process has used.
#[cfg(unix)]
pub(super) fn allow_cpu_seconds(seconds: u64) {
    let (_, hard) = rlimit::Resource::CPU.get().unwrap_or((rlimit::INFINITY, rlimit::INFINITY));
    let limit = (usage().0 + 1).saturating_add(seconds).min(hard);
    // If it cannot be set, the parent's clock still ends the job.
    let _ = rlimit::Resource::CPU.set(limit, hard);
}

#[cfg(not(unix))]
pub(super) fn allow_cpu_seconds(_seconds: u64) {}

/// CPU seconds used so far, and the largest resident memory in bytes.
#[cfg(unix)]
pub(super) fn usage() -> (u64, u64) {
    // SAFETY: `rusage` is plain integers, for which zero is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the pointer is to a live rusage.
    unsafe { libc::getrusage(libc::RUSAGE_SELF, &mut usage) };
    let seconds = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) as u64;
    // Linux counts in KiB, macOS in bytes.
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    (seconds, usage.ru_maxrss as u64 * unit)
}

#[cfg(not(unix))]
pub(super) fn usage() -> (u64, u64) {
    (0, 0)
}

/// Gives up root's powers where the person has them: reading other processes' memory is one, and Landlock does not
/// stop it.
#[cfg(target_os = "linux")]
fn drop_capabilities() -> Result<(), String> {
    /// `_LINUX_CAPABILITY_VERSION_3`, with two words for each of the three sets.
    const VERSION: u32 = 0x2008_0522;
    let header: [u32; 2] = [VERSION, 0];
    let none = [0u32; 6];
    // SAFETY: both pointers are to live memory of the sizes that capset(2) reads for this version.
    match unsafe { libc::syscall(libc::SYS_capset, header.as_ptr(), none.as_ptr()) } {
        0 => Ok(()),
        _ => Err(std::io::Error::last_os_error().to_string()),
    }
}

#[cfg(not(target_os = "linux"))]
fn drop_capabilities() -> Result<(), String> {
    Ok(())
}

#[cfg(target_os = "linux")]
fn restrict_files(policy: &Policy, scratch: &Path) -> Result<(), String> {
    use landlock::{
        ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr,
        RulesetStatus, Scope, path_beneath_rules,
    };
    let threads = std::fs::read_dir("/proc/self/task").map(|tasks| tasks.count()).unwrap_or(1);
    if threads > 1 {
        return Err(format!("{threads} threads run already"));
    }
    // The newest interface that is used; older kernels enforce what they know.
    let abi = ABI::V6;
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(abi))
        .and_then(|r| r.handle_access(AccessNet::BindTcp | AccessNet::ConnectTcp))
        .map_err(|error| error.to_string())?;
    if !policy.gpu {
        // The driver talks to its daemons through abstract sockets.
        ruleset =
            ruleset.scope(Scope::AbstractUnixSocket | Scope::Signal).map_err(|error| error.to_string())?;
    }
    // Truncating too: that is how the driver opens the files that name its threads.
    let devices = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate | AccessFs::IoctlDev;
    let (gpu_read, gpu_write): (&[&str], Vec<String>) =
        if policy.gpu { (&GPU_READ, gpu_devices()) } else { (&[], Vec::new()) };
    let status = ruleset
        .create()
        .and_then(|r| r.add_rules(path_beneath_rules(&policy.read, read)))
        .and_then(|r| {
            r.add_rules(path_beneath_rules(["/dev/null", "/dev/zero", "/dev/urandom"], AccessFs::ReadFile))
        })
        .and_then(|r| {
            r.add_rules(path_beneath_rules([scratch], AccessFs::from_all(abi) & !AccessFs::Execute))
        })
        .and_then(|r| r.add_rules(path_beneath_rules(gpu_read, read)))
        .and_then(|r| r.add_rules(path_beneath_rules(&gpu_write, devices)))
        .and_then(|r| r.restrict_self())
        .map_err(|error| error.to_string())?;
    match status.ruleset {
        RulesetStatus::NotEnforced => Err("this kernel has none".to_owned()),
        // Files have been covered since the first version; what older kernels lack is said by `doctor`.
        RulesetStatus::PartiallyEnforced | RulesetStatus::FullyEnforced => Ok(()),
    }
}

#[cfg(not(target_os = "linux"))]
fn restrict_files(_policy: &Policy, _scratch: &Path) -> Result<(), String> {
    Err("only Linux has it".to_owned())
}

/// What the CUDA driver reads. `/proc` of other processes stays closed: Landlock guards it like ptrace.
#[cfg(target_os = "linux")]
const GPU_READ: [&str; 6] =
    ["/proc", "/sys", "/usr/share/nvidia", "/etc/nvidia", "/run/nvidia-persistenced", "/etc/vulkan"];

/// What the driver writes: its device files, shared memory, and what `/proc` has of this process.
#[cfg(target_os = "linux")]
fn gpu_devices() -> Vec<String> {
    let mut devices: Vec<String> = std::fs::read_dir("/dev")
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with("nvidia"))
        .map(|name| format!("/dev/{name}"))
        .collect();
    devices.push("/dev/shm".to_owned());
    // The driver writes its threads' names (`task/N/comm`); of this process alone. Without it `cuInit` answers
    // CUDA_ERROR_OPERATING_SYSTEM (traced on an H200, 2026-11-30).
    devices.push("/proc/self".to_owned());
    devices
}
