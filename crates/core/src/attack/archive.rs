//! Archives whose members have names that lead out of the folder they are unpacked in.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::delivery::{Payload, in_tools, shot};
use super::{Nonce, openness};
use crate::arguments::{Slot, Wrap};
use crate::evidence::{Evidence, IsolationLevel, Tool};
use crate::probe::Call;
use crate::probes::benign::Tried;
use crate::proof::Oracle;
use crate::seed::Seed;
use crate::wording::crc32;

/// How many folders deep things may be unpacked. Where nothing holds a server, none is tried: the
/// names could lead out of the scratch area.
const DEEPEST: usize = 5;

/// A zip archive in Base64 for every place that takes one.
pub(crate) fn deliver_archives(evidence: &Evidence, seed: Seed, probe: &str) -> Vec<Call> {
    if evidence.conditions.isolation.level < IsolationLevel::Confined {
        return Vec::new();
    }
    in_tools(evidence, |tool, tried| {
        if tried.place.slot != Slot::Text || !takes_archives(tool, tried) {
            return Vec::new();
        }
        let name = "archive";
        let nonce = Nonce::new(evidence, tool, &tried.place, probe, name, seed);
        let file = format!("{}{}", nonce.left, nonce.right);
        let above = nonce.folder().rsplit_once('/').map_or("", |(above, _)| above);
        let oracle = Oracle::Effect { path: format!("{above}/outside/{file}") };
        let names: Vec<String> =
            (1..=DEEPEST).map(|up| format!("{}outside/{file}.txt", "../".repeat(up))).collect();
        let value = Value::String(STANDARD.encode(zip(&names)));
        // As it is, whatever the ordinary text is packed in.
        let mut tried = tried.clone();
        tried.place.wrap = Wrap::Plain;
        let call = shot(evidence, tool, &tried, probe, name, &Payload { value, oracle });
        call.into_iter().collect()
    })
}

fn takes_archives(tool: &Tool, tried: &Tried<'_>) -> bool {
    let about = openness::of_parameter(tool, &tried.place.pointer).to_lowercase();
    let packed = about.contains("base64") && (about.contains("zip") || about.contains("archive"));
    packed || STANDARD.decode(&tried.place.text).is_ok_and(|bytes| bytes.starts_with(b"PK"))
}

/// Members of one word each, stored as they are.
pub(crate) fn zip(names: &[String]) -> Vec<u8> {
    const CONTENT: &[u8] = b"sample\n";
    let (mut body, mut index) = (Vec::new(), Vec::new());
    for name in names {
        let at = body.len() as u32;
        let size = CONTENT.len() as u32;
        let mut common: Vec<u8> = vec![20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0x5a];
        common.extend(crc32(CONTENT).to_le_bytes());
        common.extend(size.to_le_bytes());
        common.extend(size.to_le_bytes());
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        body.extend(b"PK\x03\x04");
        body.extend(&common);
        body.extend(name.as_bytes());
        body.extend(CONTENT);
        index.extend(b"PK\x01\x02\x14\x03");
        index.extend(&common);
        index.extend([0; 6]);
        index.extend((0o100_644_u32 << 16).to_le_bytes());
        index.extend(at.to_le_bytes());
        index.extend(name.as_bytes());
    }
    let (start, length, count) = (body.len() as u32, index.len() as u32, names.len() as u16);
    body.extend(index);
    body.extend(b"PK\x05\x06\0\0\0\0");
    body.extend(count.to_le_bytes());
    body.extend(count.to_le_bytes());
    body.extend(length.to_le_bytes());
    body.extend(start.to_le_bytes());
    body.extend([0, 0]);
    body
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_has_the_parts_that_readers_look_for() {
        let bytes = zip(&["../a.txt".to_owned(), "b".to_owned()]);
        let at = |mark: &[u8]| bytes.windows(4).filter(|w| *w == mark).count();
        assert_eq!([at(b"PK\x03\x04"), at(b"PK\x01\x02"), at(b"PK\x05\x06")], [2, 2, 1]);
        // The end says where the index begins.
        let end = bytes.len() - 22;
        let start = u32::from_le_bytes(bytes[end + 16..end + 20].try_into().expect("four bytes"));
        assert!(bytes[start as usize..].starts_with(b"PK\x01\x02"));
    }
}
