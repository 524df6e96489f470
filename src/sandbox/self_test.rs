//! The protections tried out: a worker of this program that does its best to get out.

use std::time::Duration;

use super::attempt::{Attempt, Outcome};
use super::error::WorkerError;
use super::policy::Policy;
use super::worker::{Worker, WorkerSpec};

/// Starts a worker and lets it try what it must not do. The error lists what it did, or why it did not start.
pub fn self_test() -> Result<(), String> {
    let mut worker = Worker::start(&WorkerSpec::new("attempt", Policy::default()), &())
        .map_err(|error| error.to_string())?;
    let forbidden = [
        ("read /etc/passwd", Attempt::Read("/etc/passwd".into())),
        ("listed /", Attempt::List("/".into())),
        ("opened a socket", Attempt::UdpSocket),
        ("started a program", Attempt::Run("/bin/sh".into())),
        ("made a child process", Attempt::Fork),
    ];
    let mut did = Vec::new();
    for (what, attempt) in forbidden {
        match worker.run(&attempt, Duration::from_secs(10), |_: String| {}) {
            Ok(Outcome::Refused(_)) => {}
            Ok(Outcome::Did) => did.push(what),
            Err(WorkerError::Died { .. }) => return Err("the worker died".to_owned()),
            Err(error) => return Err(error.to_string()),
        }
    }
    if did.is_empty() { Ok(()) } else { Err(format!("a worker {}", did.join(", "))) }
}
