//! A worker's own side: prepare, confine, and answer jobs until the parent hangs up.

use std::fs::File;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::channel::{Bytes, FromWorker, Question, ToWorker, pack, receive, send, unpack};
use super::confine::{allow_cpu_seconds, confine, usage};
use super::process::results;

/// A worker's way to its parent while a job runs. Clones share it; threads may use it at once.
#[derive(Debug, Clone)]
pub struct Outside {
    pipe: Arc<Mutex<File>>,
    answers: Arc<Mutex<Receiver<Bytes>>>,
    subject: u8,
}

impl Outside {
    /// Sends a part of the result, which the parent keeps whatever happens next.
    pub fn part<P: Serialize>(&self, part: &P) -> io::Result<()> {
        self.send(&FromWorker::Part(pack(part)?))
    }

    /// The same way, with questions about another subject ([`Question::subject`]).
    pub fn about(&self, subject: u8) -> Outside {
        Outside { subject, ..self.clone() }
    }

    /// Asks the parent something that the worker may not do itself, and waits for the answer.
    pub fn ask<Q: Serialize, A: DeserializeOwned>(&self, question: &Q) -> io::Result<A> {
        // Held for the whole exchange, so that answers meet their questions.
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        self.send(&FromWorker::Ask(Question { subject: self.subject, body: pack(question)? }))?;
        let answer = answers.recv().map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
        unpack(&answer)
    }

    fn send(&self, message: &FromWorker) -> io::Result<()> {
        send(&mut *self.pipe.lock().unwrap_or_else(PoisonError::into_inner), message)
    }
}

/// Runs a worker to its end. `prepare` sees trusted data only and runs before anything is given up; it must leave the
/// process with one thread. `handle` runs confined, once a job. The error is for a person who started it by hand.
pub fn serve<S, T, J, R>(
    prepare: impl FnOnce(S) -> Result<T, String>,
    mut handle: impl FnMut(&mut T, J, &Outside) -> R,
) -> Result<(), String>
where
    S: DeserializeOwned,
    J: DeserializeOwned,
    R: Serialize,
{
    const BY_HAND: &str = "a worker is started by warpgrade itself";
    let mut pipe = results().ok_or(BY_HAND)?;
    let first = receive(&mut io::stdin()).map_err(|_| BY_HAND)?;
    let Some(ToWorker::Start { policy, setup }) = first else { return Err(BY_HAND.to_owned()) };
    let refuse = |pipe: &mut File, reason: String| {
        let sent = send(pipe, &FromWorker::Refused(reason));
        sent.map_err(|error| error.to_string())
    };
    let setup = unpack(&setup).map_err(|error| error.to_string());
    let mut state = match setup.and_then(prepare) {
        Ok(state) => state,
        Err(reason) => return refuse(&mut pipe, reason),
    };
    // The parent made the working folder for this worker alone.
    let scratch = std::env::current_dir().map_err(|error| error.to_string())?;
    let confinement = confine(&policy, &scratch);
    if policy.require_all && !confinement.missing.is_empty() {
        return refuse(&mut pipe, format!("protections are missing ({})", confinement.missing.join("; ")));
    }
    send(&mut pipe, &FromWorker::Ready(confinement)).map_err(|error| error.to_string())?;

    let (jobs, answers) = listen();
    let outside =
        Outside { pipe: Arc::new(Mutex::new(pipe)), answers: Arc::new(Mutex::new(answers)), subject: 0 };
    for job in jobs {
        allow_cpu_seconds(policy.cpu_seconds);
        let answer = unpack(&job).map_err(|error| error.to_string()).and_then(|job| {
            catch_unwind(AssertUnwindSafe(|| handle(&mut state, job, &outside)))
                .map_err(|panic| text_of(&*panic))
        });
        let packed = answer.and_then(|result| pack(&result).map_err(|error| error.to_string()));
        let last = packed.is_err();
        let message = match packed {
            Ok(result) => FromWorker::Done(result, usage().1),
            Err(reason) => FromWorker::Panicked(reason),
        };
        outside.send(&message).map_err(|error| error.to_string())?;
        if last {
            // What a panic left behind is not to be trusted with another job.
            break;
        }
    }
    Ok(())
}

/// Reads the parent's messages on a thread of its own, so that the parent's end ends a busy worker too.
fn listen() -> (Receiver<Bytes>, Receiver<Bytes>) {
    let (job, jobs) = channel();
    let (answer, answers) = channel();
    std::thread::spawn(move || {
        loop {
            let sent = match receive(&mut io::stdin()) {
                Ok(Some(ToWorker::Job(bytes))) => job.send(bytes).is_ok(),
                Ok(Some(ToWorker::Answer(bytes))) => answer.send(bytes).is_ok(),
                _ => false,
            };
            if !sent {
                std::process::exit(0);
            }
        }
    });
    (jobs, answers)
}

fn text_of(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "an unknown failure".to_owned())
}
