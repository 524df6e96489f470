//! The system calls that a worker may make: a list of what a compiler and an interpreter need, and nothing else.
//!
//! An allow list, because a deny list misses the calls that the next kernel adds and, on x86-64, the second set of
//! numbers (x32) of those that it names. What is not on the list answers `ENOSYS`, as on a kernel without it, so that
//! the C library falls back where it can.

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) fn restrict(gpu: bool) -> Result<(), String> {
    imp::restrict(gpu)
}

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
pub(super) fn restrict(_gpu: bool) -> Result<(), String> {
    Err("only Linux on x86_64 and aarch64 has it".to_owned())
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod imp {
    use std::collections::BTreeMap;

    use seccompiler::{
        BpfProgram, SeccompAction, SeccompCmpArgLen as Len, SeccompCmpOp as Op, SeccompCondition,
        SeccompFilter, SeccompRule, TargetArch,
    };

    /// The ioctl that isatty() makes; its type differs between C libraries.
    const TCGETS: u64 = 0x5401;

    /// Files (which Landlock narrows further), memory, threads, time, signals of one's own.
    const ALLOWED: &[i64] = &[
        libc::SYS_read,
        libc::SYS_write,
        libc::SYS_readv,
        libc::SYS_writev,
        libc::SYS_pread64,
        libc::SYS_pwrite64,
        libc::SYS_openat,
        libc::SYS_openat2,
        libc::SYS_close,
        libc::SYS_close_range,
        libc::SYS_fstat,
        libc::SYS_newfstatat,
        libc::SYS_statx,
        libc::SYS_statfs,
        libc::SYS_fstatfs,
        libc::SYS_lseek,
        libc::SYS_faccessat,
        libc::SYS_faccessat2,
        libc::SYS_readlinkat,
        libc::SYS_getdents64,
        libc::SYS_getcwd,
        libc::SYS_dup,
        libc::SYS_dup3,
        libc::SYS_fcntl,
        libc::SYS_flock,
        libc::SYS_ftruncate,
        libc::SYS_fallocate,
        libc::SYS_fadvise64,
        libc::SYS_fsync,
        libc::SYS_fdatasync,
        libc::SYS_mkdirat,
        libc::SYS_unlinkat,
        libc::SYS_renameat2,
        libc::SYS_umask,
        libc::SYS_mmap,
        libc::SYS_mprotect,
        libc::SYS_munmap,
        libc::SYS_mremap,
        libc::SYS_madvise,
        libc::SYS_msync,
        libc::SYS_mincore,
        libc::SYS_brk,
        libc::SYS_membarrier,
        libc::SYS_futex,
        libc::SYS_set_robust_list,
        libc::SYS_get_robust_list,
        libc::SYS_set_tid_address,
        libc::SYS_rseq,
        libc::SYS_sched_yield,
        libc::SYS_sched_getaffinity,
        libc::SYS_sched_setaffinity,
        libc::SYS_sched_getparam,
        libc::SYS_sched_getscheduler,
        libc::SYS_getcpu,
        libc::SYS_gettid,
        libc::SYS_getpid,
        libc::SYS_getppid,
        libc::SYS_getuid,
        libc::SYS_geteuid,
        libc::SYS_getgid,
        libc::SYS_getegid,
        libc::SYS_getpgid,
        libc::SYS_uname,
        libc::SYS_sysinfo,
        libc::SYS_getrusage,
        libc::SYS_getrandom,
        libc::SYS_clock_gettime,
        libc::SYS_clock_getres,
        libc::SYS_clock_nanosleep,
        libc::SYS_nanosleep,
        libc::SYS_gettimeofday,
        libc::SYS_times,
        libc::SYS_setitimer,
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_rt_sigreturn,
        libc::SYS_sigaltstack,
        libc::SYS_restart_syscall,
        libc::SYS_ppoll,
        libc::SYS_epoll_create1,
        libc::SYS_epoll_ctl,
        libc::SYS_epoll_pwait,
        libc::SYS_eventfd2,
        libc::SYS_pipe2,
        libc::SYS_exit,
        libc::SYS_exit_group,
    ];

    /// Old forms of the same, which aarch64 does not have.
    #[cfg(target_arch = "x86_64")]
    const ALLOWED_OLD: &[i64] = &[
        libc::SYS_open,
        libc::SYS_stat,
        libc::SYS_lstat,
        libc::SYS_access,
        libc::SYS_readlink,
        libc::SYS_mkdir,
        libc::SYS_rmdir,
        libc::SYS_unlink,
        libc::SYS_rename,
        libc::SYS_poll,
        libc::SYS_pipe,
        libc::SYS_dup2,
        libc::SYS_epoll_wait,
        libc::SYS_time,
        libc::SYS_arch_prctl,
    ];
    #[cfg(not(target_arch = "x86_64"))]
    const ALLOWED_OLD: &[i64] = &[];

    /// What the CUDA driver needs besides: its devices' ioctls, and local sockets.
    const ALLOWED_GPU: &[i64] = &[
        libc::SYS_ioctl,
        libc::SYS_socketpair,
        libc::SYS_connect,
        libc::SYS_bind,
        libc::SYS_listen,
        libc::SYS_accept4,
        libc::SYS_getsockname,
        libc::SYS_getsockopt,
        libc::SYS_setsockopt,
        libc::SYS_sendto,
        libc::SYS_recvfrom,
        libc::SYS_sendmsg,
        libc::SYS_recvmsg,
        libc::SYS_shutdown,
        libc::SYS_mlock,
        libc::SYS_munlock,
        libc::SYS_memfd_create,
        libc::SYS_get_mempolicy,
        libc::SYS_set_mempolicy,
        libc::SYS_mbind,
        libc::SYS_timerfd_create,
        libc::SYS_timerfd_settime,
        libc::SYS_sched_setscheduler,
        libc::SYS_sched_get_priority_max,
        libc::SYS_sched_get_priority_min,
        libc::SYS_getresuid,
        libc::SYS_getresgid,
        libc::SYS_mknodat,
        libc::SYS_fchmod,
        libc::SYS_fchmodat,
    ];

    pub(super) fn restrict(gpu: bool) -> Result<(), String> {
        let arch = if cfg!(target_arch = "x86_64") { TargetArch::x86_64 } else { TargetArch::aarch64 };
        let filter = rules(gpu).and_then(|rules| {
            SeccompFilter::new(rules, SeccompAction::Errno(libc::ENOSYS as u32), SeccompAction::Allow, arch)
        });
        let program: BpfProgram = filter.and_then(TryInto::try_into).map_err(|error| error.to_string())?;
        seccompiler::apply_filter_all_threads(&program).map_err(|error| error.to_string())
    }

    type Rules = BTreeMap<i64, Vec<SeccompRule>>;

    fn rules(gpu: bool) -> Result<Rules, seccompiler::BackendError> {
        let mut rules: Rules = ALLOWED.iter().chain(ALLOWED_OLD).map(|call| (*call, Vec::new())).collect();
        let own = u64::from(std::process::id());
        let when = |argument, length, op, value| {
            SeccompCondition::new(argument, length, op, value).and_then(|c| SeccompRule::new(vec![c]))
        };
        // Threads, and no processes. clone3 cannot be looked into; without it the C library uses clone.
        let thread = libc::CLONE_THREAD as u64;
        rules.insert(libc::SYS_clone, vec![when(0, Len::Qword, Op::MaskedEq(thread), thread)?]);
        // Signals to oneself: abort() raises one.
        rules.insert(libc::SYS_tgkill, vec![when(0, Len::Dword, Op::Eq, own)?]);
        rules.insert(libc::SYS_kill, vec![when(0, Len::Dword, Op::Eq, own)?]);
        // Limits of oneself.
        rules.insert(
            libc::SYS_prlimit64,
            vec![when(0, Len::Dword, Op::Eq, 0)?, when(0, Len::Dword, Op::Eq, own)?],
        );
        rules.insert(
            libc::SYS_prctl,
            [libc::PR_SET_NAME, libc::PR_GET_NAME, libc::PR_SET_VMA]
                .iter()
                .map(|option| when(0, Len::Dword, Op::Eq, *option as u64))
                .collect::<Result<_, _>>()?,
        );
        // Terminals are asked for by isatty(); nothing is pushed into one.
        rules.insert(libc::SYS_ioctl, vec![when(1, Len::Dword, Op::Eq, TCGETS)?]);
        if gpu {
            rules.extend(ALLOWED_GPU.iter().map(|call| (*call, Vec::new())));
            // Local sockets only: the network stays closed.
            let unix = when(0, Len::Dword, Op::Eq, libc::AF_UNIX as u64)?;
            let netlink = when(0, Len::Dword, Op::Eq, libc::AF_NETLINK as u64)?;
            rules.insert(libc::SYS_socket, vec![unix, netlink]);
        }
        Ok(rules)
    }
}
