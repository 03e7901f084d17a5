//! A long evidence file, read in pieces beside each other. Where it is cut is guessed by what it
//! looks like; a wrong guess leaves pieces that are no JSON, and the file is read as a whole.

#![expect(clippy::disallowed_types, reason = "asked for every reply, never walked")]

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use foldhash::fast::FixedState;
use memchr::memmem;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Evidence, Exchange, Frame, Shared};
use crate::abreast::abreast;

/// Shorter files are read faster than threads start.
const LONG: usize = 1 << 20;
/// Of each list.
const PARTS: usize = 6;

/// The evidence, if the file is one that we wrote: the transcript and the frames come last.
pub(super) fn read(bytes: &[u8]) -> Option<Evidence> {
    if bytes.len() < LONG {
        return None;
    }
    let (head, lists) = at_list(bytes, b"\"transcript\"", memmem::find)?;
    let (transcript, frames) = at_list(lists, b"\"frames\"", frames_of_file)?;
    let transcript = transcript.strip_suffix(b"]")?;
    let frames = frames.trim_ascii_end().strip_suffix(b"}")?.trim_ascii_end().strip_suffix(b"]")?;
    let head = [head, b",\"transcript\":[],\"frames\":[]}"].concat();
    let mut evidence: Evidence = serde_json::from_slice(&head).ok()?;
    let exchanges = cut(transcript, b"\"probe\"").into_iter().map(Piece::Exchanges);
    let frames = cut(frames, b"\"connection\"").into_iter().map(Piece::Frames);
    let pieces: Vec<Piece<'_>> = exchanges.chain(frames).collect();
    let mut transcript = Vec::new();
    let known = Known::default();
    for read in abreast(&pieces, |piece| piece.read(&known)) {
        match read? {
            Read::Exchanges(mut some) => transcript.append(&mut some),
            Read::Frames(mut some) => evidence.frames.append(&mut some),
        }
    }
    evidence.transcript = transcript.into();
    Some(evidence)
}

/// A part of one of the lists, and what it is read as.
enum Piece<'a> {
    Exchanges(&'a [u8]),
    Frames(&'a [u8]),
}

enum Read {
    Exchanges(Vec<Exchange>),
    Frames(Vec<Frame>),
}

impl<'a> Piece<'a> {
    fn read(&self, known: &Known<'a>) -> Option<Read> {
        match self {
            Piece::Exchanges(list) => {
                let raw = items::<Exchange<&'a RawValue>>(list)?.into_iter();
                let read = raw.map(|x| x.replied(|reply| known.read(reply.get())));
                read.collect::<Option<_>>().map(Read::Exchanges)
            }
            Piece::Frames(list) => items(list).map(Read::Frames),
        }
    }
}

/// Replies by how they are written: the same text is the same reply.
#[derive(Default)]
struct Known<'a>(Mutex<HashMap<&'a str, Shared, FixedState>>);

impl<'a> Known<'a> {
    fn read(&self, text: &'a str) -> Option<Shared> {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known().get(text).cloned();
        found.or_else(|| {
            let read: Shared = serde_json::from_str(text).ok()?;
            Some(known().entry(text).or_insert(read).clone())
        })
    }
}

/// Where the name of the last list is. As we write it, it is the first whose items are objects, which
/// is found faster than the last of its name.
fn frames_of_file(lists: &[u8], name: &[u8]) -> Option<usize> {
    memmem::find(lists, &[name, b":[{"].concat()).or_else(|| memmem::rfind(lists, name))
}

/// What stands before the comma that leads to this field, and what stands in its list.
fn at_list<'a>(
    bytes: &'a [u8],
    name: &[u8],
    find: fn(&[u8], &[u8]) -> Option<usize>,
) -> Option<(&'a [u8], &'a [u8])> {
    let at = find(bytes, name)?;
    let before = bytes[..at].trim_ascii_end().strip_suffix(b",")?.trim_ascii_end();
    let after = bytes[at + name.len()..].trim_ascii_start().strip_prefix(b":")?;
    Some((before, after.trim_ascii_start().strip_prefix(b"[")?))
}

/// A list in parts of like size, so that no thread is left with much when the others are done. They
/// are cut where an item begins: with a number, and this field after it.
fn cut<'a>(list: &'a [u8], second: &[u8]) -> Vec<&'a [u8]> {
    let begins = |rest: &[u8]| {
        let id = rest[b"{\"id\":".len()..].trim_ascii_start();
        let after = id.iter().position(|b| !b.is_ascii_digit())?;
        id[after..].strip_prefix(b",").map(|rest| rest.trim_ascii_start().starts_with(second))
    };
    let least = list.len() / PARTS + 1;
    let (mut parts, mut rest) = (Vec::new(), list);
    while let Some(far) = rest.get(least..) {
        let cut = memmem::find_iter(far, b"{\"id\":").find_map(|at| {
            let (before, after) = rest.split_at(least + at);
            let before = before.trim_ascii_end().strip_suffix(b",")?;
            (begins(after) == Some(true)).then_some((before, after))
        });
        let Some((before, after)) = cut else { break };
        parts.push(before);
        rest = after;
    }
    parts.push(rest);
    parts
}

/// The items of a list, without its brackets.
fn items<'a, T: Deserialize<'a>>(mut list: &'a [u8]) -> Option<Vec<T>> {
    let mut found = Vec::new();
    while !list.trim_ascii_start().is_empty() {
        let mut stream = serde_json::Deserializer::from_slice(list).into_iter();
        found.push(stream.next()?.ok()?);
        let rest = list[stream.byte_offset()..].trim_ascii_start();
        list = rest.strip_prefix(b",").or(rest.is_empty().then_some(rest))?;
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn a_list_is_read_item_by_item() {
        assert_eq!(items::<u32>(b" 1, 2 ,3 "), Some(vec![1, 2, 3]));
        assert_eq!(items::<u32>(b""), Some(vec![]));
        assert_eq!(items::<u32>(b"1 2"), None);
        assert_eq!(items::<Value>(b"{}]"), None);
    }

    #[test]
    fn cuts_are_made_where_an_item_begins() {
        let list =
            br#"{"id":1,"probe":"a"},{"id":2,"with":[{"id":3},{"id":4}]},{"id": 5, "probe":"b"}"#;
        let parts = cut(list, b"\"probe\"");
        let [first, second] = parts.as_slice() else { panic!("{parts:?}") };
        assert!(first.ends_with(b"]}") && second.starts_with(br#"{"id": 5"#), "{first:?}");
        assert_eq!(cut(b"", b"\"probe\""), [b""]);
    }
}
