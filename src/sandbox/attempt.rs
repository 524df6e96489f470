//! Native code that tries to get out of a worker: for `doctor`, which does not take the kernel's word, and for tests.

use std::fs;
use std::io;
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::serve::{Outside, serve};

/// Something that a confined worker must not be able to do (or, for the last ones, must).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Attempt {
    Read(PathBuf),
    List(PathBuf),
    Write(PathBuf),
    /// `host:port`.
    Connect(String),
    UdpSocket,
    Run(PathBuf),
    Fork,
    /// Of the process with this number.
    Trace(u32),
    /// Of the process with this number, with signal 0.
    Signal(u32),
    /// Take this many bytes.
    Allocate(u64),
    /// Never end.
    Spin,
    /// Panic.
    Panic,
    /// Die by a signal.
    Abort,
    /// Write a file of this many bytes in the worker's own folder.
    WriteOwn(u64),
    /// Start a thread.
    Thread,
    /// Open a library by name.
    Library(String),
    /// Make a system call with this number and no arguments: refused when the kernel is said not to have it.
    Call(i64),
    /// Use a descriptor that is not one of the worker's own four.
    OtherDescriptor,
    /// Read memory of the process with this number.
    Memory(u32),
    /// Connect to a local socket that has a name but no file.
    AbstractSocket(String),
}

/// What came of an attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    Did,
    /// Refused, in the system's words.
    Refused(String),
}

/// The worker kind `attempt`: does what it is told and says what happened.
pub fn attempts_on_the_host() -> Result<(), String> {
    serve(|()| Ok(()), |(), attempt: Attempt, outside: &Outside| run(&attempt, outside))
}

fn run(attempt: &Attempt, outside: &Outside) -> Outcome {
    match tried(attempt, outside) {
        Ok(()) => Outcome::Did,
        Err(error) => Outcome::Refused(error.to_string()),
    }
}

fn tried(attempt: &Attempt, outside: &Outside) -> io::Result<()> {
    match attempt {
        Attempt::Read(path) => fs::read(path).map(drop),
        Attempt::List(path) => fs::read_dir(path).map(drop),
        Attempt::Write(path) => fs::write(path, "written by a worker"),
        Attempt::Connect(address) => {
            let address = address.parse().map_err(io::Error::other)?;
            TcpStream::connect_timeout(&address, Duration::from_secs(2)).map(drop)
        }
        Attempt::UdpSocket => std::net::UdpSocket::bind("127.0.0.1:0").map(drop),
        Attempt::Run(path) => Command::new(path).spawn().and_then(|mut child| child.wait()).map(drop),
        Attempt::Fork => fork(),
        Attempt::Trace(process) => trace(*process),
        Attempt::Signal(process) => signal(*process),
        Attempt::Allocate(bytes) => {
            let bytes = usize::try_from(*bytes).map_err(io::Error::other)?;
            // Touched, so that it is really taken.
            let taken = vec![1u8; bytes];
            std::hint::black_box(&taken);
            Ok(())
        }
        Attempt::Spin => {
            // What was measured before the end must reach the parent.
            outside.part(&"spinning".to_owned())?;
            loop {
                std::hint::spin_loop();
            }
        }
        Attempt::Panic => panic!("asked to panic"),
        Attempt::Abort => std::process::abort(),
        Attempt::WriteOwn(bytes) => {
            let path = std::env::current_dir()?.join("own");
            fs::write(path, vec![0; usize::try_from(*bytes).map_err(io::Error::other)?])
        }
        Attempt::Thread => {
            let thread = std::thread::Builder::new().spawn(|| 7)?;
            thread.join().map(drop).map_err(|_| io::Error::other("the thread failed"))
        }
        Attempt::Library(name) => {
            // SAFETY: tests name libraries of the system, whose initialisers have no preconditions.
            unsafe { libloading::Library::new(name) }.map(drop).map_err(io::Error::other)
        }
        Attempt::Call(number) => call(*number),
        Attempt::OtherDescriptor => other_descriptor(),
        Attempt::Memory(process) => fs::File::open(format!("/proc/{process}/mem")).map(drop),
        Attempt::AbstractSocket(name) => abstract_socket(name),
    }
}

#[cfg(unix)]
fn fork() -> io::Result<()> {
    // SAFETY: the child leaves at once, without running anything else.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        // SAFETY: as above.
        0 => unsafe { libc::_exit(0) },
        child => {
            // SAFETY: waits for the child just made; no status is wanted.
            unsafe { libc::waitpid(child, std::ptr::null_mut(), 0) };
            Ok(())
        }
    }
}

#[cfg(target_os = "linux")]
fn call(number: i64) -> io::Result<()> {
    // SAFETY: without arguments these calls touch no memory of ours; what they would do is undone with the process.
    let answer = unsafe { libc::syscall(number, 0, 0, 0, 0, 0, 0) };
    let error = io::Error::last_os_error();
    // Any other error means that the kernel was reached.
    if answer == -1 && error.raw_os_error() == Some(libc::ENOSYS) { Err(error) } else { Ok(()) }
}

#[cfg(not(target_os = "linux"))]
fn call(_number: i64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(unix)]
fn other_descriptor() -> io::Result<()> {
    // SAFETY: asks for the flags of descriptors, which need not be open.
    let open = (4..1024).any(|number| unsafe { libc::fcntl(number, libc::F_GETFD) } >= 0);
    if open { Ok(()) } else { Err(io::Error::other("there is none")) }
}

#[cfg(not(unix))]
fn other_descriptor() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(target_os = "linux")]
fn abstract_socket(name: &str) -> io::Result<()> {
    use std::os::linux::net::SocketAddrExt;
    let address = std::os::unix::net::SocketAddr::from_abstract_name(name)?;
    std::os::unix::net::UnixStream::connect_addr(&address).map(drop)
}

#[cfg(not(target_os = "linux"))]
fn abstract_socket(_name: &str) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(unix)]
fn signal(process: u32) -> io::Result<()> {
    // SAFETY: signal 0 only asks whether one could be sent.
    if unsafe { libc::kill(process as i32, 0) } == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

#[cfg(target_os = "linux")]
fn trace(process: u32) -> io::Result<()> {
    // SAFETY: attaching reads and writes no memory of ours.
    if unsafe { libc::ptrace(libc::PTRACE_SEIZE, process, 0, 0) } == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

#[cfg(not(target_os = "linux"))]
fn trace(_process: u32) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(unix))]
fn fork() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(unix))]
fn signal(_process: u32) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
