//! Archives whose members have names that lead out of the folder they are unpacked in, or that are far
//! larger than they look.

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
        // Only these have members with names.
        if tried.place.slot != Slot::Text || Container::of(tool, tried) != Some(Container::Zip) {
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
        let out = shot(evidence, tool, &tried, probe, name, &Payload { value, oracle });
        // Within the workspace, and yet not where the other member goes.
        let name = "archive, one folder up";
        let nonce = Nonce::new(evidence, tool, &tried.place, probe, name, seed);
        let (plain, hostile) = (nonce.word("plain"), nonce.word("hostile"));
        let names = [format!("{plain}.txt"), format!("../{hostile}.txt")];
        let value = Value::String(STANDARD.encode(zip(&names)));
        let oracle = Oracle::Above { name: hostile, ordinary: plain };
        let up = shot(evidence, tool, &tried, probe, name, &Payload { value, oracle });
        out.into_iter().chain(up).collect()
    })
}

/// How things are packed together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Container {
    Zip,
    Gzip,
}

impl Container {
    /// What a description asks for in Base64.
    pub(crate) fn asked_for(about: &str) -> Option<Container> {
        let about = about.to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| about.contains(word));
        match (says(&["gzip", ".gz", "gz "]), says(&["zip", "archive"])) {
            _ if !says(&["base64", "base 64"]) => None,
            (true, _) => Some(Container::Gzip),
            (false, true) => Some(Container::Zip),
            (false, false) => None,
        }
    }

    /// What one place takes: as is said, or as the ordinary text is.
    pub(crate) fn of(tool: &Tool, tried: &Tried<'_>) -> Option<Container> {
        let said = Container::asked_for(&openness::of_parameter(tool, &tried.place.pointer));
        let there = || {
            let bytes = STANDARD.decode(&tried.place.text).ok()?;
            let kinds = [(&b"PK"[..], Container::Zip), (&b"\x1f\x8b"[..], Container::Gzip)];
            kinds.into_iter().find(|(mark, _)| bytes.starts_with(mark)).map(|(_, kind)| kind)
        };
        said.or_else(there)
    }

    /// With one word in it.
    pub(crate) fn small(self, name: &str) -> Vec<u8> {
        match self {
            Container::Zip => zip(&[name.to_owned()]),
            Container::Gzip => gzip(&stored(CONTENT), crc32(CONTENT), CONTENT.len() as u32),
        }
    }

    pub(crate) fn large(self, zeros: &Zeros) -> Vec<u8> {
        match self {
            Container::Zip => zeros.zip(),
            Container::Gzip => gzip(&zeros.deflated(), zeros.check, zeros.size()),
        }
    }
}

fn gzip(deflated: &[u8], check: u32, size: u32) -> Vec<u8> {
    const HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
    [&HEAD, deflated, &check.to_le_bytes(), &size.to_le_bytes()].concat()
}

/// One block that is as it is.
fn stored(bytes: &[u8]) -> Vec<u8> {
    let length = bytes.len() as u16;
    [&[1], &length.to_le_bytes()[..], &(!length).to_le_bytes()[..], bytes].concat()
}

const CONTENT: &[u8] = b"sample\n";

/// Members of one word each, stored as they are.
fn zip(names: &[String]) -> Vec<u8> {
    let member = |name: &String| Member {
        name: name.clone(),
        method: 0,
        size: CONTENT.len() as u32,
        check: crc32(CONTENT),
        packed: CONTENT.to_vec(),
    };
    packed(&names.iter().map(member).collect::<Vec<_>>())
}

/// Zeros that take up next to nothing until somebody unpacks them.
pub(crate) struct Zeros {
    pub(crate) mib: usize,
    /// Runs of 258 after the first byte.
    runs: u32,
    check: u32,
}

impl Zeros {
    pub(crate) const FEW: Zeros = Zeros { mib: 32, runs: 130_055, check: 0x0127_b253 };
    pub(crate) const MANY: Zeros = Zeros { mib: 128, runs: 520_222, check: 0xc3ac_5e54 };

    fn size(&self) -> u32 {
        1 + 258 * self.runs
    }

    fn zip(&self) -> Vec<u8> {
        let name = "readings.csv".to_owned();
        packed(&[Member {
            name,
            method: 8,
            size: self.size(),
            check: self.check,
            packed: self.deflated(),
        }])
    }

    /// One block with a code of its own: a zero is written `10`, a run of 258 zeros `00`, the end `11`.
    fn deflated(&self) -> Vec<u8> {
        let mut bits = Bits::default();
        // The last block, with codes that are told; all lengths, one distance, 18 lengths of the code
        // that tells them.
        bits.all(&[(1, 1), (2, 2), (29, 5), (0, 5), (14, 4)]);
        bits.all(&[0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2].map(|length| (length, 3)));
        // Told in that code, last bit first: 2, 255 times none, 2, 28 times none, 1, and 1.
        let (one, two, none) = ((0b01, 2), (0b11, 2), (0, 1));
        bits.all(&[two, none, (127, 7), none, (106, 7), two, none, (17, 7), one, one]);
        bits.all(&[(0b01, 2)]);
        bits.zeros(2 * self.runs as usize);
        bits.all(&[(0b11, 2)]);
        bits.bytes
    }
}

/// Bits one after the other, the lowest of each byte first.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    used: usize,
}

impl Bits {
    /// Values and how many bits each takes.
    fn all(&mut self, values: &[(u8, usize)]) {
        for (value, width) in values {
            for nth in 0..*width {
                self.zeros(1);
                let last = self.used - 1;
                self.bytes[last / 8] |= (value >> nth & 1) << (last % 8);
            }
        }
    }

    fn zeros(&mut self, count: usize) {
        self.used += count;
        self.bytes.resize(self.used.div_ceil(8), 0);
    }
}

/// What stands in an archive under a name.
struct Member {
    name: String,
    /// 0: as it is, 8: deflated.
    method: u16,
    size: u32,
    check: u32,
    packed: Vec<u8>,
}

fn packed(members: &[Member]) -> Vec<u8> {
    let (mut body, mut index) = (Vec::new(), Vec::new());
    for Member { name, method, size, check, packed } in members {
        let at = body.len() as u32;
        let mut common: Vec<u8> = vec![20, 0, 0, 0];
        common.extend(method.to_le_bytes());
        common.extend([0, 0, 0x21, 0x5a]);
        common.extend(check.to_le_bytes());
        common.extend((packed.len() as u32).to_le_bytes());
        common.extend(size.to_le_bytes());
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        body.extend(b"PK\x03\x04");
        body.extend(&common);
        body.extend(name.as_bytes());
        body.extend(packed);
        index.extend(b"PK\x01\x02\x14\x03");
        index.extend(&common);
        index.extend([0; 6]);
        index.extend((0o100_644_u32 << 16).to_le_bytes());
        index.extend(at.to_le_bytes());
        index.extend(name.as_bytes());
    }
    let (start, length, count) = (body.len() as u32, index.len() as u32, members.len() as u16);
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

    #[test]
    fn a_description_tells_what_is_taken_and_how_it_is_packed() {
        let asked = Container::asked_for;
        assert_eq!(asked("gzip data in base64"), Some(Container::Gzip));
        assert_eq!(asked("Archive in Base64"), Some(Container::Zip));
        assert_eq!([asked("a zip code"), asked("a picture in base64")], [None, None]);
        // As zlib packs it, told not to.
        let small = Container::Gzip.small("any");
        let body = [b"\x01\x07\x00\xf8\xffsample\n", &crc32(CONTENT).to_le_bytes()[..]].concat();
        assert_eq!(small[10..], [&body[..], &[7, 0, 0, 0]].concat());
    }

    #[test]
    fn zeros_are_packed_as_readers_unpack_them() {
        // Held against zlib when it was written.
        let few = Zeros::FEW.deflated();
        assert_eq!(few.len(), 32_528);
        assert_eq!(few[..13], *b"\xed\xc0\x81\0\0\0\0\x80\xa0\xfd\xa9\x17\xa9");
        assert!(few[13..few.len() - 2].iter().all(|b| *b == 0));
        assert_eq!(crc32(&vec![0; Zeros::FEW.size() as usize]), Zeros::FEW.check);
        assert_eq!(Zeros::MANY.deflated().len(), 130_069);
        assert!(Zeros::FEW.size() as usize <= Zeros::FEW.mib << 20);
    }
}
