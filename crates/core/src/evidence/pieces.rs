//! A long evidence file, read in pieces beside each other. Where it is cut is guessed by what it
//! looks like; a wrong guess leaves pieces that are no JSON, and the file is read as a whole.

use std::thread;

use memchr::memmem;
use serde::de::DeserializeOwned;

use super::{Evidence, Exchange, Frame};

/// Shorter files are read faster than threads start.
const LONG: usize = 1 << 20;

/// The evidence, if the file is one that we wrote: the transcript and the frames come last.
pub(super) fn read(bytes: &[u8]) -> Option<Evidence> {
    if bytes.len() < LONG {
        return None;
    }
    let (head, lists) = at_list(bytes, b"\"transcript\"", memmem::find)?;
    let (transcript, frames) = at_list(lists, b"\"frames\"", frames_of_file)?;
    let transcript = transcript.strip_suffix(b"]")?;
    let frames = frames.trim_ascii_end().strip_suffix(b"}")?.trim_ascii_end().strip_suffix(b"]")?;
    let (first, second) = halves(transcript)?;
    let head = [head, b",\"transcript\":[],\"frames\":[]}"].concat();
    let mut evidence: Evidence = serde_json::from_slice(&head).ok()?;
    thread::scope(|scope| {
        let second = scope.spawn(|| items::<Exchange>(second));
        let frames = scope.spawn(|| items::<Frame>(frames));
        let mut transcript = items(first)?;
        transcript.append(&mut second.join().ok()??);
        evidence.transcript = transcript.into();
        evidence.frames = frames.join().ok()??;
        Some(())
    })?;
    Some(evidence)
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

/// The transcript in two, cut near the middle at the beginning of an exchange.
fn halves(transcript: &[u8]) -> Option<(&[u8], &[u8])> {
    let middle = transcript.len() / 2;
    let cut = memmem::find_iter(&transcript[middle..], b"{\"id\":").find_map(|at| {
        let (before, after) = transcript.split_at(middle + at);
        let id = after[b"{\"id\":".len()..].trim_ascii_start();
        let rest = id.iter().position(|b| !b.is_ascii_digit())?;
        let rest = id[rest..].strip_prefix(b",")?.trim_ascii_start();
        let before = before.trim_ascii_end().strip_suffix(b",")?;
        rest.starts_with(b"\"probe\"").then_some((before, after))
    });
    Some(cut.unwrap_or((transcript, b"")))
}

/// The items of a list, without its brackets.
fn items<T: DeserializeOwned>(mut list: &[u8]) -> Option<Vec<T>> {
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
    fn the_cut_is_made_where_an_exchange_begins() {
        let list =
            br#"{"id":1,"probe":"a"},{"id":2,"with":[{"id":3},{"id":4}]},{"id": 5, "probe":"b"}"#;
        let (first, second) = halves(list).unwrap();
        assert!(first.ends_with(b"]}") && second.starts_with(br#"{"id": 5"#), "{first:?}");
    }
}
