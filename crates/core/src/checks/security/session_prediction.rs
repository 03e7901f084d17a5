//! Session ids that can be foretold from others.

use std::collections::BTreeSet;

use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject};
use crate::probes::http::PROBE;
use crate::probes::http_more::SESSIONS;
use crate::probes::revisions;
use crate::proof::Proof;
use crate::response::quote;
use crate::target::Target;

pub(super) const CHECK: Check = Check {
    id: "security/session-prediction",
    title: "No session id tells of another",
    facet: Facet::Authentication,
    severity: Severity::High,
    class: Some(Class::SessionFixation),
    requirements: &[],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE, &SESSIONS],
    page: include_str!("session_prediction.md"),
    judge,
};

const FIX: &str =
    "take session ids from a cryptographic source, for instance a random UUID (version 4)";
const SESSION: &str = "mcp-session-id";
/// So many ids show a row.
const ENOUGH: usize = 8;
/// So many tries find a neighbour.
const NEAR: u128 = 10_000;

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let Target::Http { .. } = &evidence.target else { return Vec::new() };
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let given: Vec<(&Exchange, &str)> = evidence
        .of(SESSIONS.id)
        .filter_map(|x| Some((x, x.http.as_ref()?.headers.get(SESSION)?.as_str())))
        .collect();
    let Some((first, _)) = given.first() else { return Vec::new() };
    let ids: Vec<&str> = given.iter().map(|(_, id)| *id).collect();
    vec![
        if ids.len() < ENOUGH {
            Finding::unseen(Subject::Server, format!("only {} session ids were given", ids.len()))
        } else if let Some(how) = foretold(&ids) {
            let text = quote(&ids.iter().take(3).copied().collect::<Vec<_>>().join(", "));
            let proof = Proof::Quoted { text: text.clone(), rule: "SEC-02".to_owned() };
            Finding::fail(Subject::Server, format!("{how}: {text}"), FIX).proven(proof)
        } else {
            Finding::pass(Subject::Server, format!("{} ids, none near another", ids.len()))
        }
        .seen_in(first.id),
    ]
}

fn foretold(ids: &[&str]) -> Option<&'static str> {
    if ids.iter().collect::<BTreeSet<_>>().len() < ids.len() {
        return Some("gives the same id to several sessions");
    }
    let numbers = numbers(ids)?;
    let steps = numbers.windows(2).map(|pair| pair[1].abs_diff(pair[0]));
    let near = steps.filter(|step| *step <= NEAR).count();
    // Other clients may have come in between.
    (near + 2 >= numbers.len()).then_some("each id lies close to the one before")
}

/// The end in which the ids differ, read as numbers: decimal if all are, else hexadecimal.
fn numbers(ids: &[&str]) -> Option<Vec<u128>> {
    let first = ids.first()?;
    let agree = |n: &usize| ids.iter().all(|id| id.as_bytes().get(*n) == first.as_bytes().get(*n));
    let shared = (0..first.len()).take_while(agree).count();
    // A digit that they share still belongs to the number.
    let head = first.get(..shared)?.trim_end_matches(|c: char| c.is_ascii_hexdigit()).len();
    let parts: Vec<String> =
        ids.iter().map(|id| Some(id.get(head..)?.replace('-', ""))).collect::<Option<_>>()?;
    let read = |radix: u32| -> Option<Vec<u128>> {
        parts.iter().map(|p| u128::from_str_radix(p, radix).ok()).collect()
    };
    read(10).or_else(|| read(16))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(id: impl Fn(u64) -> String) -> Option<&'static str> {
        let ids: Vec<String> = (0..12).map(id).collect();
        foretold(&ids.iter().map(String::as_str).collect::<Vec<_>>())
    }

    #[test]
    fn counters_and_clocks_are_foretold_and_random_ids_are_not() {
        assert!(told(|n| format!("session-{}", n + 95)).is_some());
        assert!(told(|n| format!("{:032x}", 0xfff0 + n)).is_some());
        assert!(told(|n| (1_763_267_000_000 + n * 7).to_string()).is_some());
        assert!(told(|_| "one".to_owned()).is_some());
        assert_eq!(told(|n| blake3::hash(&n.to_le_bytes()).to_hex()[..32].to_owned()), None);
    }
}
