//! Paths that lead out of a folder, and what shows that they did.

use super::delivery::{Payload, in_tools, shot};
use super::{Form, Nonce, openness};
use crate::evidence::Profile::{Deep, Quick, Standard};
use crate::evidence::{Canary, CanaryPlace, Evidence, Exchange, Profile, Tool};
use crate::harvest::singular;
use crate::probe::{Call, Risk, words};
use crate::proof::{Oracle, says};
use crate::seed::Seed;

macro_rules! up {
    () => {
        "../../../../../../../../../../../.."
    };
}

/// The same for who takes `../` out, once, and for who decodes after he looked.
macro_rules! dots {
    () => {
        "....//....//....//....//....//....//....//....//....//....//....//.."
    };
}
macro_rules! encoded {
    () => {
        "%2e%2e%2f%2e%2e%2f%2e%2e%2f%2e%2e%2f%2e%2e%2f%2e%2e%2f%2e%2e%2f%2e%2e%2f%2e%2e%2f%2e%2e"
    };
}

/// So many go to every text, the others where a file is meant.
pub(crate) const ANYWHERE: usize = 7;
/// Of those for tools that may write.
pub(crate) const ANYWHERE_WRITTEN: usize = 9;

pub(crate) const READS: &[Form] = &[
    Form::new("upwards", Quick, "../«o»", outside),
    Form::new("absolute", Quick, "«O»", outside),
    Form::new("upwards to the root", Standard, concat!(up!(), "«O»"), outside),
    Form::new(
        "dots that survive a removal, to the root",
        Standard,
        concat!(dots!(), "«O»"),
        outside,
    ),
    Form::new("encoded to the root", Standard, concat!(encoded!(), "«O»"), outside),
    Form::new("upwards from its own folder", Standard, concat!("«T»", up!(), "«O»"), outside),
    Form::new("upwards from inside", Standard, "«F»/../«o»", outside),
    Form::new("address", Standard, "file://«O»", outside),
    Form::new("dots that survive a removal", Standard, "....//«o»", outside),
    Form::new("encoded", Standard, "%2e%2e%2f«o»", outside),
    Form::new("encoded twice", Standard, "%252e%252e%252f«o»", outside),
    Form::new("null", Standard, "../«o»\0«E»", outside),
    Form::new("backslash", Standard, "..\\«o»", outside),
    Form::new("beside, absolute", Standard, "«P»", beside),
    Form::new("beside", Standard, "../«p»", beside),
    Form::new("upwards, without ending", Standard, "../«s»", outside),
    Form::new("folder upwards", Standard, "../«f»", listed),
    Form::new("folder", Standard, "«G»", listed),
    Form::new("folder upwards to the root", Standard, concat!(up!(), "«G»"), listed),
    Form::new(
        "folder by dots that survive, to the root",
        Standard,
        concat!(dots!(), "«G»"),
        listed,
    ),
    Form::new("link", Standard, "linked/reference.txt", outside),
    Form::new("link, absolute", Deep, "«F»/linked/reference.txt", outside),
    Form::new("two upwards", Deep, "../../«o»", outside),
    Form::new("upwards from a folder", Deep, "docs/../../«o»", outside),
    Form::new("encoded slash", Deep, "..%2f«o»", outside),
    Form::new("encoded dots", Deep, "%2e%2e/«o»", outside),
    Form::new(
        "encoded slashes to the root",
        Deep,
        "..%2f..%2f..%2f..%2f..%2f..%2f..%2f..%2f..«O»",
        outside,
    ),
    Form::new("overlong slash", Deep, "..%c0%af«o»", outside),
    Form::new("wide slash", Deep, "..\u{ff0f}«o»", outside),
    Form::new("wide dots", Deep, "\u{ff0e}\u{ff0e}/«o»", outside),
    Form::new("null, encoded", Deep, "../«o»%00«E»", outside),
];

/// For tools that may write: what they would overwrite is not what readers are shown.
pub(crate) const OPENS: &[Form] = &[
    Form::new("beside", Quick, "../«p»", beside),
    Form::new("beside, absolute", Quick, "«P»", beside),
    Form::new("one folder up", Standard, "../«L»«R»«E»", above),
    Form::new("one folder up by dots that survive", Standard, "....//«L»«R»«E»", above),
    Form::new("created upwards", Quick, "../outside/«L»«R»«E»", created),
    Form::new("beside from the root", Quick, concat!(up!(), "«P»"), beside),
    Form::new("created from the root", Quick, concat!(up!(), "«G»/«L»«R»«E»"), created),
    Form::new(
        "created from its own folder",
        Standard,
        concat!("«T»", up!(), "«G»/«L»«R»«E»"),
        created,
    ),
    Form::new(
        "created from the root by dots that survive",
        Standard,
        concat!(dots!(), "«G»/«L»«R»«E»"),
        created,
    ),
    Form::new(
        "created from the root, encoded",
        Standard,
        concat!(encoded!(), "«G»/«L»«R»«E»"),
        created,
    ),
    // For who only looks at how a path begins.
    Form::new("one folder up from where it is", Standard, "./../«L»«R»«E»", above),
    Form::new("two folders up from where it is", Standard, "./../../«L»«R»«E»", above),
    Form::new("two folders up", Standard, "../../«L»«R»«E»", above),
    Form::new("two folders up, encoded", Standard, "%2e%2e%2f%2e%2e%2f«L»«R»«E»", above),
    Form::new("absolute within", Standard, "«F»/«L»«R»«E»", above),
    Form::new("beside, address", Standard, "file://«P»", beside),
    Form::new("beside from the root, encoded", Standard, concat!(encoded!(), "«P»"), beside),
    Form::new("beside by dots that survive", Standard, concat!(dots!(), "«P»"), beside),
    Form::new("created from inside", Standard, "«F»/../outside/«L»«R»«E»", created),
    Form::new("created by dots that survive", Standard, "....//outside/«L»«R»«E»", created),
    Form::new("created, encoded", Standard, "%2e%2e%2foutside%2f«L»«R»«E»", created),
    Form::new("created, encoded twice", Deep, "%252e%252e%252foutside%252f«L»«R»«E»", created),
    Form::new("created by backslash", Deep, "..\\outside\\«L»«R»«E»", created),
];

fn outside(_: &Nonce<'_>) -> Option<Oracle> {
    Some(Oracle::Planted { canary: "outside-file".to_owned() })
}

/// The name of a file that no call ever holds: only a look into its folder tells it.
fn listed(_: &Nonce<'_>) -> Option<Oracle> {
    Some(Oracle::Planted { canary: "outside-name".to_owned() })
}

fn beside(_: &Nonce<'_>) -> Option<Oracle> {
    Some(Oracle::Planted { canary: "beside-file".to_owned() })
}

/// Within the workspace, and yet not where the tool keeps what it is given.
fn above(n: &Nonce<'_>) -> Option<Oracle> {
    let word = n.ordinary_word()?;
    Some(Oracle::Above { name: n.token(), ordinary: word })
}

fn created(n: &Nonce<'_>) -> Option<Oracle> {
    let above = n.folder().rsplit_once('/')?.0;
    // Whatever ending the server adds: the name is ours.
    Some(Oracle::Effect { path: format!("{above}/outside/{}", n.token()) })
}

/// Begins the ids of what is planted beside folders that a server made, and ends their names.
pub const NEIGHBOUR: &str = "archive";
/// Begins the name of the folder beside them that is called otherwise.
pub const OTHER: &str = "reserve-";
/// What both hold, and how its names end.
pub const REFERENCE: &str = "reference";
pub const ENDINGS: [&str; 8] = ["", ".txt", ".md", ".json", ".log", ".csv", ".html", ".yaml"];
/// Beside so many folders.
pub const NEIGHBOURS: usize = 16;
/// So many of them are tried for one place.
const TRIED: usize = 4;

/// The name of what reads a neighbour, and of its twin that reads the same under another name.
const BESIDE: &str = "beside its own folder";
const CALLED: &str = "beside, and called otherwise";

/// Ways up that look like none. They lead to the folder that is called otherwise: who keeps `../` away
/// from it and not these has bounds that do not hold.
const DISGUISES: [(&str, &str); 4] = [
    ("dots that survive a removal", "....//"),
    ("encoded dots", "%2e%2e/"),
    ("encoded", "%2e%2e%2f"),
    ("from where it is", "./../"),
];

/// Where a path is kept and followed later, as a link is.
pub(crate) const FOLLOWED: &[Form] = &[
    OPENS[0],
    OPENS[1],
    Form::new(FOLLOWED_BESIDE, Standard, "../«r»", |n| {
        Some(Oracle::Planted { canary: n.neighbour()?.0.to_owned() })
    }),
];
const FOLLOWED_BESIDE: &str = "followed beside its own folder";

/// For each folder that the server made: one whose name begins alike, and another one beside it, which
/// nobody whose bounds are wider would keep away.
pub(crate) fn deliver_neighbours(evidence: &Evidence, seed: Seed, probe: &str) -> Vec<Call> {
    if evidence.conditions.profile == Profile::Quick {
        return Vec::new();
    }
    let planted: Vec<_> = neighbours(evidence).collect();
    if planted.is_empty() {
        return Vec::new();
    }
    in_tools(evidence, |tool, tried| {
        if Risk::of_tool(tool) == Risk::Destroys {
            return Vec::new();
        }
        let strange = |folder: &str| !is_spoken_of(tool, folder);
        let mut planted = planted.clone();
        // Where no file is meant by its name, only what is called alike is worth a try.
        let reads = Risk::of_tool(tool) == Risk::Reads;
        if !openness::names_file(tool, tried) {
            planted.retain(|(_, path)| reads && !strange(path));
        }
        if planted.is_empty() {
            return Vec::new();
        }
        // Those first that are called as the tool speaks of what it opens.
        planted.sort_by_key(|(_, path)| strange(path));
        let ending = Nonce::new(evidence, tool, &tried.place, probe, BESIDE, seed).ending();
        let of_one = |(canary, path): &(&Canary, &String)| {
            let nth = canary.id.strip_prefix(NEIGHBOUR)?;
            let folder = path.rsplit('/').next()?;
            let file = |up: &str, folder: &str| format!("{up}{folder}/{REFERENCE}{ending}").into();
            let planted = || Oracle::Planted { canary: canary.id.clone() };
            let beside = Payload { value: file("../", folder), oracle: planted() };
            let group = format!("{CALLED} {nth}");
            let oracle = Oracle::Differential { group: group.clone(), truth: false };
            let other = format!("{OTHER}{nth}");
            let plain = Payload { value: file("../", &other), oracle };
            let mut calls = vec![(format!("{BESIDE} {nth}"), beside), (group, plain)];
            calls.extend(DISGUISES.iter().map(|(how, up)| {
                let payload = Payload { value: file(up, &other), oracle: planted() };
                (format!("{BESIDE} {nth}, {how}"), payload)
            }));
            let calls =
                calls.iter().filter_map(|(name, p)| shot(evidence, tool, tried, probe, name, p));
            Some(calls.collect::<Vec<Call>>())
        };
        planted.iter().take(TRIED).filter_map(of_one).flatten().collect()
    })
}

/// What was planted beside folders of the server, and where.
pub(super) fn neighbours(evidence: &Evidence) -> impl Iterator<Item = (&Canary, &String)> {
    evidence.conditions.canaries.iter().filter_map(|canary| match &canary.place {
        CanaryPlace::Inside { path } if canary.id.starts_with(NEIGHBOUR) => Some((canary, path)),
        CanaryPlace::Inside { .. } | CanaryPlace::Outside { .. } | CanaryPlace::Env { .. } => None,
    })
}

/// Whether a tool tells of the folder beside which this one was planted.
pub(super) fn is_spoken_of(tool: &Tool, folder: &str) -> bool {
    let about = [&tool.name, tool.description.as_deref().unwrap_or_default()].join(" ");
    let about: Vec<String> = words(&about).iter().map(|word| singular(word)).collect();
    let folder = folder.rsplit('/').next().unwrap_or_default();
    words(folder).iter().any(|word| word != NEIGHBOUR && about.contains(&singular(word)))
}

/// Whether a call reads what lies beside a folder of the server.
pub(crate) fn is_beside(x: &Exchange) -> bool {
    x.label.starts_with(BESIDE) || x.label.contains(FOLLOWED_BESIDE)
}

/// Where the payload of a call stands, as its label tells.
fn place(x: &Exchange) -> Option<&str> {
    x.label.split_once(" in ").map(|(_, place)| place)
}

/// Whether what was read beside a folder may be read under any name: then the bounds are wider than
/// that folder, and were kept.
pub(crate) fn has_wider_bounds(evidence: &Evidence, x: &Exchange) -> bool {
    let Some(Oracle::Planted { canary }) = &x.oracle else { return false };
    let value = evidence.conditions.canaries.iter().find(|c| c.id == *canary).map(|c| &c.value);
    let Some(value) = value.filter(|_| is_beside(x)) else { return false };
    // What follows a kept path is another tool, which goes there by itself or does not.
    let followed = x.label.contains(FOLLOWED_BESIDE);
    let plain = format!("{CALLED} {} in ", canary.trim_start_matches(NEIGHBOUR));
    let same = |y: &Exchange| followed || y.subject == x.subject && place(y) == place(x);
    let plain = evidence.of(&x.probe).filter(|y| y.label.starts_with(&plain) && same(y));
    let mut plain = plain.peekable();
    plain.peek().is_none() || plain.any(|y| y.reply.why_unseen().is_some() || says(&y.reply, value))
}
