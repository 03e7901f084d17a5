//! Resources that are not listed, asked for by names that somebody would try.

use std::collections::BTreeSet;

use serde_json::json;

use crate::evidence::{CanaryPlace, Evidence, Subject};
use crate::probe::{Call, Lane, Probe, Send};
use crate::proof::Oracle;
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "hidden-resources", hostile: true, lane: Lane::Shared, plan };

/// The label of a name that nobody has.
pub const CONTROL: &str = "made-up name";
pub const GUESS: &str = "guess";
/// A planted file that the server has no business with.
pub const PLANTED: &str = "planted file";

const NAMES: [&str; 8] =
    ["admin", "config", "credentials", "debug", "env", "internal", "secrets", "users"];
const ELSEWHERE: [&str; 4] =
    ["admin://users", "config://secrets", "debug://env", "internal://config"];
/// So many kinds of address are tried.
const SCHEMES: usize = 3;

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    if !evidence.handshake.as_ref().is_some_and(|h| h.declares("resources")) {
        return Vec::new();
    }
    let mut calls = Vec::new();
    for scheme in schemes(evidence) {
        let control = format!("{scheme}://proofmark-{}", seed.word(&scheme, 10));
        calls.push(read(&control, CONTROL));
        let guesses = NAMES.iter().map(|name| format!("{scheme}://{name}"));
        calls.extend(guesses.filter(|u| !is_offered(evidence, u)).map(|uri| read(&uri, GUESS)));
    }
    let new = ELSEWHERE.iter().filter(|uri| !is_offered(evidence, uri));
    calls.extend(new.map(|uri| read(uri, GUESS)));
    for canary in &evidence.conditions.canaries {
        if let CanaryPlace::Outside { path } = &canary.place {
            let oracle = Oracle::Planted { canary: canary.id.clone() };
            calls.push(read(&format!("file://{path}"), PLANTED).with_oracle(oracle));
        }
    }
    let mut seen = BTreeSet::new();
    calls.retain(|c| seen.insert((c.subject.clone(), c.label.clone())));
    calls
}

fn read(uri: &str, label: &str) -> Call {
    let send = Send::request("resources/read", Some(json!({ "uri": uri })));
    Call::new(Subject::Resource { uri: uri.to_owned() }, label, send)
}

/// The kinds of address that the server itself uses, but files: these have their own test.
fn schemes(evidence: &Evidence) -> Vec<String> {
    let listed = evidence.inventory.resources.iter().map(|r| r.uri.as_str());
    let shaped = evidence.inventory.templates.iter().map(|t| t.uri_template.as_str());
    let schemes: BTreeSet<&str> =
        listed.chain(shaped).filter_map(|uri| Some(uri.split_once("://")?.0)).collect();
    let tried = schemes.into_iter().filter(|s| !["file", "http", "https"].contains(s));
    tried.take(SCHEMES).map(str::to_owned).collect()
}

/// Listed, or within what a template describes.
pub fn is_offered(evidence: &Evidence, uri: &str) -> bool {
    let fixed = |template: &str| template.split('{').next().unwrap_or_default().to_owned();
    evidence.inventory.resources.iter().any(|r| r.uri == uri)
        || evidence.inventory.templates.iter().any(|t| uri.starts_with(&fixed(&t.uri_template)))
}
