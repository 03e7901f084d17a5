//! Files and pages beside the endpoint that were left open.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject};
use crate::pattern;
use crate::probes::http_access::{NOWHERE, PLACES, PROBE, page};
use crate::proof::Proof;
use crate::scrub::names_a_secret;
use crate::target::Target;

pub(super) const CHECK: Check = Check {
    id: "security/hidden-places",
    title: "Nothing is left open beside the endpoint",
    facet: Facet::ErrorDisclosure,
    severity: Severity::High,
    class: Some(Class::InfoDisclosure),
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&PROBE],
    page: include_str!("hidden_places.md"),
    judge,
};

const FIX: &str = "serve nothing but the endpoint: take the file out of the served folder, and put pages for operators behind a login or on another port";

/// What shows that a place is what its name says, so that a friendly page for everything does not.
const SIGNS: [(&str, &str); 8] = [
    ("/.env", r"(?m)^(?:export )?[A-Z][A-Z0-9_]{2,}=\S+"),
    ("/.git/HEAD", r"^ref: refs/"),
    ("/.git/config", r"(?m)^\[core\]"),
    ("/actuator/env", r#""propertySources""#),
    ("/debug/pprof/", r"Types of profiles available"),
    ("/debug/vars", r#""memstats""#),
    ("/phpinfo.php", r"<title>[^<]*phpinfo\(\)"),
    ("/server-status", r"Apache (?:Server )?Status for"),
];

static RULES: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
    SIGNS.iter().filter_map(|(place, sign)| Some((*place, pattern::ascii(sign).ok()?))).collect()
});

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let Target::Http { .. } = &evidence.target else { return Vec::new() };
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let of = |label: &str| evidence.of(PROBE.id).find(|x| x.label == label && x.http.is_some());
    let Some(nowhere) = of(NOWHERE) else {
        return vec![Finding::unseen(Subject::Server, "nothing was asked for beside the endpoint")];
    };
    let found: Vec<Finding> =
        PLACES.into_iter().filter_map(of).filter_map(|x| verdict(x, nowhere)).collect();
    if !found.is_empty() {
        return found;
    }
    let says = format!("{} usual places, and nothing in them", PLACES.len());
    vec![Finding::pass(Subject::Server, says).seen_in(nowhere.id)]
}

fn verdict(x: &Exchange, nowhere: &Exchange) -> Option<Finding> {
    let status = |x: &Exchange| x.http.as_ref().map_or(0, |h| h.status);
    let text = page(x);
    if status(x) != 200 || text.is_empty() || text == page(nowhere) {
        return None;
    }
    let place = x.label.as_str();
    let subject = Subject::Resource { uri: place.to_owned() };
    let sign = RULES.iter().find(|(p, _)| *p == place).map(|(_, rule)| rule.is_match(&text));
    let secrets = x.result().is_some_and(tells_secrets);
    let finding = || Finding::fail(subject.clone(), "is served to everyone", FIX).seen_in(x.id);
    match (sign, secrets) {
        (Some(true), _) | (_, true) => {
            let proof = Proof::Quoted {
                text: format!("HTTP 200 for {place}"),
                rule: "not for callers".to_owned(),
            };
            Some(finding().proven(proof))
        }
        (Some(false), false) => None,
        // There is something, and people have to say whether it may be.
        (None, false) => (status(nowhere) != 200).then(finding),
    }
}

/// Members with a value that are called as secrets are.
fn tells_secrets(value: &Value) -> bool {
    match value {
        Value::Object(map) => map.iter().any(|(key, inner)| {
            let filled = inner.as_str().is_some_and(|text| text.len() >= 6);
            (names_a_secret(key) && filled) || tells_secrets(inner)
        }),
        Value::Array(items) => items.iter().any(tells_secrets),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}
