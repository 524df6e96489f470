//! Which protections this kernel offers.

/// A protection, present or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feature {
    pub name: &'static str,
    pub present: bool,
    pub detail: String,
    pub purpose: &'static str,
    /// How to get it where it is missing.
    pub get: &'static str,
}

/// The protections of the sandbox on this machine.
pub fn features() -> Vec<Feature> {
    let landlock = landlock_abi();
    let seccomp = has_seccomp();
    vec![
        Feature {
            name: "sandbox: Landlock",
            present: landlock > 0,
            detail: match landlock {
                0 => "missing".to_owned(),
                abi => format!("ABI {abi}"),
            },
            purpose: "keeps submissions from the files of this machine",
            get: "Linux 5.13 or later with `landlock` among its security modules",
        },
        Feature {
            name: "sandbox: seccomp",
            present: seccomp,
            detail: if seccomp { "filters".to_owned() } else { "missing".to_owned() },
            purpose: "keeps submissions from the network and from starting programs",
            get: "Linux with CONFIG_SECCOMP_FILTER, on x86_64 or aarch64",
        },
        Feature {
            name: "sandbox: limits",
            present: cfg!(unix),
            detail: if cfg!(unix) { "time, memory, file size".to_owned() } else { "missing".to_owned() },
            purpose: "stops submissions that compile or run for ever",
            get: "a Unix system",
        },
    ]
}

/// The version of the kernel's Landlock interface; 0 when there is none.
#[cfg(target_os = "linux")]
pub(super) fn landlock_abi() -> i32 {
    const VERSION_FLAG: u32 = 1;
    // SAFETY: with a null attribute of size 0 and the version flag, landlock_create_ruleset(2) only returns a number.
    let abi = unsafe {
        libc::syscall(
            libc::SYS_landlock_create_ruleset,
            std::ptr::null::<libc::c_void>(),
            0usize,
            VERSION_FLAG,
        )
    };
    i32::try_from(abi).unwrap_or(0).max(0)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn landlock_abi() -> i32 {
    0
}

/// Whether this kernel can filter system calls and return errors from them.
#[cfg(target_os = "linux")]
fn has_seccomp() -> bool {
    const GET_ACTION_AVAIL: u32 = 2;
    let action: u32 = 0x0005_0000;
    // SAFETY: seccomp(2) with SECCOMP_GET_ACTION_AVAIL reads one u32 and changes nothing.
    let answer = unsafe { libc::syscall(libc::SYS_seccomp, GET_ACTION_AVAIL, 0u32, &raw const action) };
    answer == 0 && cfg!(any(target_arch = "x86_64", target_arch = "aarch64"))
}

#[cfg(not(target_os = "linux"))]
fn has_seccomp() -> bool {
    false
}
