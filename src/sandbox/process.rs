//! Starting a worker's process with its private pipe, ending it with everything it started, and saying how it ended.

use std::fs::File;
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

/// The descriptor on which a worker writes its messages. Not stdout: libraries write there.
#[cfg(unix)]
const RESULTS: i32 = 3;

/// Spawns `command` in a process group of its own; returns the reading end of its results as well.
#[cfg(unix)]
pub(super) fn spawn(command: &mut Command) -> io::Result<(Child, File)> {
    use std::os::fd::{AsRawFd, OwnedFd};
    use std::os::unix::process::CommandExt;
    let (reader, writer) = io::pipe()?;
    let end = writer.as_raw_fd();
    command.process_group(0).stdout(std::process::Stdio::null());
    // SAFETY: between fork and exec only dup2, fcntl and close_range are called, which are async-signal-safe.
    unsafe {
        command.pre_exec(move || {
            if end == RESULTS {
                // Already in place: only let it survive exec.
                if libc::fcntl(end, libc::F_SETFD, 0) < 0 {
                    return Err(io::Error::last_os_error());
                }
            } else if libc::dup2(end, RESULTS) < 0 {
                return Err(io::Error::last_os_error());
            }
            keep_no_others();
            Ok(())
        });
    }
    let child = command.spawn()?;
    drop(writer);
    Ok((child, File::from(OwnedFd::from(reader))))
}

/// Marks every descriptor above [`RESULTS`] to be closed by exec: whoever called us may have files of its own open (a shell
/// often does), and a worker would have them too, past Landlock.
#[cfg(unix)]
fn keep_no_others() {
    #[cfg(target_os = "linux")]
    {
        const CLOSE_RANGE_CLOEXEC: libc::c_uint = 4;
        let (first, last) = (RESULTS as libc::c_uint + 1, libc::c_uint::MAX);
        // SAFETY: marks descriptors and touches no memory.
        if unsafe { libc::syscall(libc::SYS_close_range, first, last, CLOSE_RANGE_CLOEXEC) } == 0 {
            return;
        }
    }
    // Kernels before 5.11, and other systems: the numbers that are used in practice.
    for number in RESULTS + 1..4096 {
        // SAFETY: marks a descriptor, which need not be open.
        unsafe { libc::fcntl(number, libc::F_SETFD, libc::FD_CLOEXEC) };
    }
}

#[cfg(not(unix))]
pub(super) fn spawn(command: &mut Command) -> io::Result<(Child, File)> {
    use std::os::windows::io::OwnedHandle;
    let mut child = command.stdout(std::process::Stdio::piped()).spawn()?;
    let results = child.stdout.take().expect("stdout is piped");
    Ok((child, File::from(OwnedHandle::from(results))))
}

/// In a worker: the end on which to write. `None` when nobody reads there, because a person started it.
#[cfg(unix)]
pub(super) fn results() -> Option<File> {
    use std::os::fd::FromRawFd;
    // SAFETY: asks for the flags of a descriptor, which need not be open.
    if unsafe { libc::fcntl(RESULTS, libc::F_SETFD, libc::FD_CLOEXEC) } < 0 {
        return None;
    }
    // SAFETY: the descriptor is open, inherited for this purpose, and nothing else in the process owns it.
    Some(unsafe { File::from_raw_fd(RESULTS) })
}

#[cfg(not(unix))]
pub(super) fn results() -> Option<File> {
    use std::os::windows::io::{AsHandle, OwnedHandle};
    let handle: OwnedHandle = io::stdout().as_handle().try_clone_to_owned().ok()?;
    Some(File::from(handle))
}

/// Ends the worker and all that it started, at once, and collects it.
pub(super) fn kill(child: &mut Child) -> io::Result<ExitStatus> {
    #[cfg(unix)]
    {
        // Not yet waited for, so the number still is that process's.
        if let Ok(None) = child.try_wait() {
            let group = child.id() as i32;
            // SAFETY: sends a signal to the group that this child leads.
            unsafe { libc::kill(-group, libc::SIGKILL) };
        }
    }
    let _ = child.kill();
    child.wait()
}

/// Runs a command that is no worker, in a process group of its own, and ends all of it when `limit` has passed.
/// `false` when it had to be ended.
pub fn run_within(command: &mut Command, limit: Duration) -> io::Result<bool> {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let mut child = command.spawn()?;
    let until = Instant::now() + limit;
    while Instant::now() < until {
        if child.try_wait()?.is_some() {
            return Ok(true);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    kill(&mut child)?;
    Ok(false)
}

/// How a process ended, in words.
pub(super) enum End {
    /// Its CPU seconds ran out.
    Cpu,
    Other(String),
}

pub(super) fn how(status: ExitStatus) -> End {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        match status.signal() {
            Some(libc::SIGXCPU) => return End::Cpu,
            Some(libc::SIGSEGV | libc::SIGBUS) => return End::Other("it crashed".to_owned()),
            Some(libc::SIGKILL) => return End::Other("it was killed, perhaps for want of memory".to_owned()),
            Some(libc::SIGXFSZ) => return End::Other("it wrote too large a file".to_owned()),
            Some(libc::SIGABRT) => return End::Other("it gave up".to_owned()),
            Some(signal) => return End::Other(format!("signal {signal}")),
            None => {}
        }
    }
    End::Other(status.code().map_or("for no known reason".to_owned(), |code| format!("exit code {code}")))
}
