//! Messages over a pipe: a length in four bytes, little-endian, then MessagePack with field names.

use std::fmt;
use std::io::{self, Read, Write};
use std::path::Path;

use serde::de::{DeserializeOwned, Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The longest message, in bytes; a longer one is an error of its writer.
pub const MAX_FRAME: usize = 1 << 30;

/// What a parent writes. Bodies are messages of the rooms above, packed on their own.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum ToWorker {
    Start {
        policy: super::Policy,
        setup: Bytes,
    },
    Job(Bytes),
    /// The answer to an [`FromWorker::Ask`].
    Answer(Bytes),
}

/// What a worker writes.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum FromWorker {
    Ready(super::Confinement),
    /// It cannot start; in words.
    Refused(String),
    /// A part of the result, kept even if the rest never comes.
    Part(Bytes),
    /// A question to the parent, which waits for its answer.
    Ask(Question),
    /// The result, and the worker's largest resident memory so far in bytes.
    Done(Bytes, u64),
    /// The handler panicked; in words.
    Panicked(String),
}

/// Packs a message.
pub fn pack<T: Serialize>(value: &T) -> io::Result<Bytes> {
    rmp_serde::to_vec_named(value).map(Bytes).map_err(io::Error::other)
}

/// Unpacks what [`pack`] packed.
pub fn unpack<T: DeserializeOwned>(bytes: &Bytes) -> io::Result<T> {
    rmp_serde::from_slice(&bytes.0).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Writes one message.
pub(super) fn send<T: Serialize>(pipe: &mut impl Write, message: &T) -> io::Result<()> {
    let body = pack(message)?.0;
    let length = u32::try_from(body.len()).ok().filter(|n| *n as usize <= MAX_FRAME);
    let length = length.ok_or_else(|| io::Error::other("a message is longer than a gigabyte"))?;
    pipe.write_all(&length.to_le_bytes())?;
    pipe.write_all(&body)?;
    pipe.flush()
}

/// Reads one message; `Ok(None)` at a clean end.
pub(super) fn receive<T: DeserializeOwned>(pipe: &mut impl Read) -> io::Result<Option<T>> {
    let mut length = [0; 4];
    match pipe.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        result => result?,
    }
    let length = u32::from_le_bytes(length) as usize;
    if length > MAX_FRAME {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a message is longer than a gigabyte"));
    }
    // Grows with what really comes, so that a bad length costs nothing.
    let mut body = Vec::new();
    if pipe.take(length as u64).read_to_end(&mut body)? < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    unpack(&Bytes(body)).map(Some)
}

/// A worker's question on its way to the parent. The body is a message of the room that it is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Which room of the parent answers; `0` where there is only one.
    pub subject: u8,
    pub body: Bytes,
}

impl Question {
    /// Unpacks the question, and packs what `answer` makes of it.
    pub fn answered<Q: DeserializeOwned, A: Serialize>(
        &self,
        answer: impl FnOnce(Q) -> A,
    ) -> io::Result<Bytes> {
        pack(&answer(unpack(&self.body)?))
    }
}

/// Writes messages to a file, for a process that cannot be given a pipe.
pub fn write_messages<T: Serialize>(path: &Path, messages: &[T]) -> io::Result<()> {
    let mut file = io::BufWriter::new(std::fs::File::create(path)?);
    messages.iter().try_for_each(|message| send(&mut file, message))
}

/// Reads what [`write_messages`] wrote.
pub fn read_messages<T: DeserializeOwned>(path: &Path) -> io::Result<Vec<T>> {
    let mut file = io::BufReader::new(std::fs::File::open(path)?);
    std::iter::from_fn(|| receive(&mut file).transpose()).collect()
}

/// Bytes that travel as they are, not as a list of numbers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bytes(pub Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_byte_buf(BytesVisitor)
    }
}

struct BytesVisitor;

impl<'de> Visitor<'de> for BytesVisitor {
    type Value = Bytes;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("bytes")
    }

    fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Bytes, E> {
        Ok(Bytes(bytes.to_vec()))
    }

    fn visit_byte_buf<E: serde::de::Error>(self, bytes: Vec<u8>) -> Result<Bytes, E> {
        Ok(Bytes(bytes))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Bytes, A::Error> {
        let mut bytes = Vec::new();
        while let Some(byte) = list.next_element()? {
            if bytes.len() >= MAX_FRAME {
                return Err(A::Error::custom("too many bytes"));
            }
            bytes.push(byte);
        }
        Ok(Bytes(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_arrive_as_they_were_sent() {
        let mut pipe = Vec::new();
        send(&mut pipe, &FromWorker::Part(Bytes(vec![0, 1, 255]))).unwrap();
        send(&mut pipe, &FromWorker::Panicked("why".into())).unwrap();
        let mut reader = pipe.as_slice();
        assert!(
            matches!(receive(&mut reader).unwrap(), Some(FromWorker::Part(Bytes(b))) if b == [0, 1, 255])
        );
        assert!(matches!(receive(&mut reader).unwrap(), Some(FromWorker::Panicked(why)) if why == "why"));
        assert!(receive::<FromWorker>(&mut reader).unwrap().is_none());
    }

    #[test]
    fn a_cut_or_senseless_message_is_an_error() {
        let mut pipe = Vec::new();
        send(&mut pipe, &FromWorker::Panicked("why".into())).unwrap();
        assert!(receive::<FromWorker>(&mut &pipe[..pipe.len() - 1]).is_err());
        assert!(receive::<FromWorker>(&mut &[255u8, 255, 255, 255, 0][..]).is_err());
        assert!(receive::<FromWorker>(&mut &[1u8, 0, 0, 0, 0xc1][..]).is_err());
    }
}
