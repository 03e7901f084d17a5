//! Which scopes a protected server asks for and offers.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::probes::auth::{PROBE, challenge, refusal, resource_of};
use crate::probes::revisions;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, door};

pub(super) const CHECK: Check = Check {
    id: "protocol/auth-scopes",
    title: "Scopes are named, and no wider than needed",
    facet: Facet::Authentication,
    severity: Severity::Low,
    class: None,
    requirements: &[door("AUTH-05", scope), door("AUTH-06", offline), door("SEC-06", least)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE],
    page: include_str!("auth_scopes.md"),
    judge: by_rules,
};

fn scope(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let x = refusal(talk)?;
    Ok(match challenge(x).map(|c| c.get("scope")) {
        Some(Some(scope)) => Ruling::pass(format!("asks for `{scope}`")),
        Some(None) => Ruling::fail("the challenge names no `scope`", "name the scope it takes"),
        None => Ruling::not_testable("the refusal has no challenge"),
    }
    .seen_in(x.id))
}

/// Every scope that is asked for or offered.
fn scopes(talk: &Conversation<'_>) -> Result<Vec<String>, Ruling> {
    let asked = challenge(refusal(talk)?).and_then(|c| c.get("scope")).unwrap_or_default();
    let offered = resource_of(talk).ok().and_then(|d| d.value["scopes_supported"].as_array());
    let offered = offered.into_iter().flatten().filter_map(Value::as_str);
    let all: BTreeSet<&str> = asked.split_whitespace().chain(offered).collect();
    match all.is_empty() {
        true => Err(Ruling::not_testable("no scope is named")),
        false => Ok(all.into_iter().map(str::to_owned).collect()),
    }
}

fn without(scopes: &[String], bad: impl Fn(&str) -> bool, fix: &str) -> Ruling {
    match scopes.iter().find(|scope| bad(scope)) {
        Some(scope) => Ruling::fail(format!("there is a scope `{scope}`"), fix),
        None => Ruling::pass(format!("scopes: {}", scopes.join(", "))),
    }
}

fn offline(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "leave `offline_access` to the client and the authorization server";
    Ok(without(&scopes(talk)?, |s| s == "offline_access", fix))
}

fn least(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    const OMNIBUS: [&str; 5] = ["*", "all", "full-access", "full_access", "everything"];
    let bad = |s: &str| OMNIBUS.contains(&s) || s.ends_with(":*") || s.ends_with("/*");
    Ok(without(&scopes(talk)?, bad, "offer scopes for parts of what the server can do"))
}
