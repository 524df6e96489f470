//! What native code in a worker can and cannot do, and how each way of failing ends. Linux: elsewhere there is less.
#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use warpgrade::sandbox::{Attempt, Outcome, Policy, Worker, WorkerError, WorkerSpec};

const LIMIT: Duration = Duration::from_secs(20);

fn spec(policy: Policy) -> WorkerSpec {
    let program = Some(assert_cmd::cargo::cargo_bin("warpgrade"));
    WorkerSpec { program, ..WorkerSpec::new("attempt", policy) }
}

fn start(policy: Policy) -> Worker {
    let worker = Worker::start(&spec(policy), &()).unwrap();
    let in_force = worker.confinement();
    assert!(
        in_force.files && in_force.calls && in_force.limits,
        "this machine lacks protections: {in_force:?}"
    );
    worker
}

fn attempt(worker: &mut Worker, attempt: Attempt) -> Result<Outcome, WorkerError> {
    worker.run(&attempt, LIMIT, |_: String| {})
}

fn refused(worker: &mut Worker, what: Attempt) -> bool {
    matches!(attempt(worker, what).unwrap(), Outcome::Refused(_))
}

#[test]
fn no_file_of_the_host_can_be_read_or_written() {
    let mut worker = start(Policy::default());
    let outside = tempfile::tempdir().unwrap();
    let secret = outside.path().join("secret");
    std::fs::write(&secret, "secret").unwrap();
    for path in ["/etc/passwd", "/etc/hostname", "/proc/self/environ", "/proc/1/cmdline", "/proc/self/maps"] {
        assert!(refused(&mut worker, Attempt::Read(path.into())), "{path}");
    }
    assert!(refused(&mut worker, Attempt::Read(secret.clone())));
    for path in ["/", "/etc", "/home", "/tmp", "/proc"] {
        assert!(refused(&mut worker, Attempt::List(path.into())), "{path}");
    }
    for path in [
        secret.clone(),
        outside.path().join("new"),
        PathBuf::from("/dev/shm/warpgrade-test"),
        "/usr/lib/x".into(),
    ] {
        assert!(refused(&mut worker, Attempt::Write(path.clone())), "{}", path.display());
    }
    assert_eq!(std::fs::read_to_string(&secret).unwrap(), "secret");
}

#[test]
fn what_the_policy_allows_can_be_read_and_not_written() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("header.h");
    std::fs::write(&file, "x").unwrap();
    let mut worker = start(Policy::default().reading([dir.path().to_path_buf()]));
    assert_eq!(attempt(&mut worker, Attempt::Read(file.clone())).unwrap(), Outcome::Did);
    assert!(refused(&mut worker, Attempt::Write(file)));
    assert_eq!(attempt(&mut worker, Attempt::Library("libm.so.6".into())).unwrap(), Outcome::Did);
    assert_eq!(attempt(&mut worker, Attempt::Thread).unwrap(), Outcome::Did);
}

#[test]
fn no_network() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let mut worker = start(Policy::default());
    assert!(refused(&mut worker, Attempt::Connect(address)));
    assert!(refused(&mut worker, Attempt::UdpSocket));
}

#[test]
fn no_program_no_child_no_other_process() {
    let mut worker = start(Policy::default());
    for program in ["/bin/true", "/usr/bin/env", "/proc/self/exe"] {
        assert!(refused(&mut worker, Attempt::Run(program.into())), "{program}");
    }
    assert!(refused(&mut worker, Attempt::Fork));
    let own = std::process::id();
    assert!(refused(&mut worker, Attempt::Trace(own)));
    assert!(refused(&mut worker, Attempt::Signal(own)));
}

/// Calls by which a process leaves its place, reaches another, or widens what it may do. None is known in a worker.
#[test]
fn no_call_that_leads_out_is_known() {
    let mut worker = start(Policy::default());
    for (name, number) in [
        ("socket", libc::SYS_socket),
        ("socketpair", libc::SYS_socketpair),
        ("connect", libc::SYS_connect),
        ("bind", libc::SYS_bind),
        ("execve", libc::SYS_execve),
        ("execveat", libc::SYS_execveat),
        ("clone3", libc::SYS_clone3),
        ("memfd_create", libc::SYS_memfd_create),
        ("ptrace", libc::SYS_ptrace),
        ("process_vm_readv", libc::SYS_process_vm_readv),
        ("process_vm_writev", libc::SYS_process_vm_writev),
        ("pidfd_open", libc::SYS_pidfd_open),
        ("pidfd_getfd", libc::SYS_pidfd_getfd),
        ("pidfd_send_signal", libc::SYS_pidfd_send_signal),
        ("tkill", libc::SYS_tkill),
        ("rt_sigqueueinfo", libc::SYS_rt_sigqueueinfo),
        ("mount", libc::SYS_mount),
        ("umount2", libc::SYS_umount2),
        ("pivot_root", libc::SYS_pivot_root),
        ("chroot", libc::SYS_chroot),
        ("unshare", libc::SYS_unshare),
        ("setns", libc::SYS_setns),
        ("open_by_handle_at", libc::SYS_open_by_handle_at),
        ("linkat", libc::SYS_linkat),
        ("symlinkat", libc::SYS_symlinkat),
        ("mknodat", libc::SYS_mknodat),
        ("fchownat", libc::SYS_fchownat),
        ("setxattr", libc::SYS_setxattr),
        ("io_uring_setup", libc::SYS_io_uring_setup),
        ("bpf", libc::SYS_bpf),
        ("perf_event_open", libc::SYS_perf_event_open),
        ("userfaultfd", libc::SYS_userfaultfd),
        ("keyctl", libc::SYS_keyctl),
        ("add_key", libc::SYS_add_key),
        ("shmget", libc::SYS_shmget),
        ("mq_open", libc::SYS_mq_open),
        ("setuid", libc::SYS_setuid),
        ("capset", libc::SYS_capset),
        ("personality", libc::SYS_personality),
        ("seccomp", libc::SYS_seccomp),
        ("landlock_create_ruleset", libc::SYS_landlock_create_ruleset),
        ("init_module", libc::SYS_init_module),
        ("kexec_load", libc::SYS_kexec_load),
        ("reboot", libc::SYS_reboot),
        ("settimeofday", libc::SYS_settimeofday),
    ] {
        assert!(refused(&mut worker, Attempt::Call(number)), "{name}");
    }
    // The test can fail: this one is known.
    assert_eq!(attempt(&mut worker, Attempt::Call(libc::SYS_getpid)).unwrap(), Outcome::Did);
}

#[test]
fn nothing_of_the_parent_is_inherited_or_reached() {
    use std::os::linux::net::SocketAddrExt;
    // What a careless parent has open while it starts a worker, without the mark that closes it.
    let file = std::fs::File::open("/etc/passwd").unwrap();
    // SAFETY: duplicates an open descriptor; the copy is left open until the test's process ends.
    assert!(unsafe { libc::dup(std::os::fd::AsRawFd::as_raw_fd(&file)) } > 2);
    let name = format!("warpgrade-test-{}", std::process::id());
    let address = std::os::unix::net::SocketAddr::from_abstract_name(&name).unwrap();
    let _listener = std::os::unix::net::UnixListener::bind_addr(&address).unwrap();
    let mut worker = start(Policy::default());
    assert!(refused(&mut worker, Attempt::OtherDescriptor));
    assert!(refused(&mut worker, Attempt::Memory(std::process::id())));
    assert!(refused(&mut worker, Attempt::AbstractSocket(name)));
}

#[test]
fn a_gpu_workers_looser_rules_still_keep_files_programs_and_network_closed() {
    let mut worker = start(Policy::default().for_gpu());
    assert!(refused(&mut worker, Attempt::Read("/etc/passwd".into())));
    assert!(refused(&mut worker, Attempt::Write("/tmp/warpgrade-out".into())));
    assert!(refused(&mut worker, Attempt::Connect("127.0.0.1:9".into())));
    assert!(refused(&mut worker, Attempt::UdpSocket));
    assert!(refused(&mut worker, Attempt::Run("/bin/true".into())));
    assert!(refused(&mut worker, Attempt::Fork));
    // Another process's memory and environment, although /proc is open.
    let own = std::process::id();
    assert!(refused(&mut worker, Attempt::Read(format!("/proc/{own}/environ").into())));
}

#[test]
fn a_large_file_ends_the_worker() {
    let mut worker = start(Policy { file_bytes: 1 << 20, ..Policy::default() });
    assert_eq!(attempt(&mut worker, Attempt::WriteOwn(1000)).unwrap(), Outcome::Did);
    let error = attempt(&mut worker, Attempt::WriteOwn(2 << 20)).unwrap_err();
    assert!(error.to_string().contains("too large a file"), "{error}");
}

#[test]
fn memory_is_limited_and_said() {
    let mut worker = start(Policy { memory: Some(1 << 30), ..Policy::default() });
    assert_eq!(attempt(&mut worker, Attempt::Allocate(64 << 20)).unwrap(), Outcome::Did);
    assert!(worker.peak_memory() > 64 << 20);
    let error = attempt(&mut worker, Attempt::Allocate(2 << 30)).unwrap_err();
    assert!(matches!(error, WorkerError::OutOfMemory), "{error}");
    assert!(!worker.is_alive());
}

#[test]
fn an_endless_job_is_killed_in_time_and_its_part_is_kept() {
    let mut worker = start(Policy::default());
    let started = Instant::now();
    let mut parts = Vec::new();
    let result =
        worker.run::<_, String, Outcome>(&Attempt::Spin, Duration::from_millis(300), |part| parts.push(part));
    assert!(matches!(result, Err(WorkerError::TimedOut { .. })), "{result:?}");
    assert!(started.elapsed() < Duration::from_secs(5));
    assert_eq!(parts, ["spinning"]);
}

#[test]
fn cpu_seconds_are_counted_for_each_job() {
    let mut worker = start(Policy { cpu_seconds: 1, ..Policy::default() });
    let result = attempt(&mut worker, Attempt::Spin);
    assert!(matches!(result, Err(WorkerError::TimedOut { .. })), "{result:?}");
}

#[test]
fn a_panic_and_a_crash_are_told_apart() {
    let mut worker = start(Policy::default());
    let error = attempt(&mut worker, Attempt::Panic).unwrap_err();
    assert!(matches!(&error, WorkerError::Panicked(why) if why == "asked to panic"), "{error}");
    let mut worker = start(Policy::default());
    let error = attempt(&mut worker, Attempt::Abort).unwrap_err();
    assert!(matches!(error, WorkerError::Died { .. }), "{error}");
    assert!(attempt(&mut worker, Attempt::Thread).is_err());
}

#[test]
fn a_worker_takes_many_jobs_and_leaves_no_folder_behind() {
    let mut worker = start(Policy::default());
    for _ in 0..50 {
        assert_eq!(attempt(&mut worker, Attempt::WriteOwn(10)).unwrap(), Outcome::Did);
    }
    assert_eq!(worker.jobs(), 50);
    let id = format!("{worker:?}").split("id: ").nth(1).unwrap().split(',').next().unwrap().to_owned();
    let folder = std::fs::read_link(format!("/proc/{id}/cwd")).unwrap();
    drop(worker);
    assert!(!folder.exists());
    assert!(!Path::new(&format!("/proc/{id}")).exists());
}

#[test]
fn a_worker_ends_when_its_parent_hangs_up() {
    // Started by hand, with nobody at the other end.
    assert_cmd::Command::cargo_bin("warpgrade").unwrap().args(["worker", "attempt"]).assert().code(2);
}

#[test]
fn a_program_that_is_no_worker_is_an_error_and_no_hang() {
    let spec = WorkerSpec { program: Some("/bin/true".into()), ..spec(Policy::default()) };
    assert!(Worker::start(&spec, &()).is_err());
}

#[test]
fn starting_is_quick() {
    let started = Instant::now();
    drop(start(Policy::default()));
    println!("a worker started and ended in {:?}", started.elapsed());
    assert!(started.elapsed() < Duration::from_secs(2));
}
