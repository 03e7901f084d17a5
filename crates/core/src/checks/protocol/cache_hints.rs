//! How long results may be kept, and by whom: the fields of the stateless revision.

use serde_json::Value;

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::probes::{features, listings, resource_read, revisions};
use crate::spec::listing::LISTS;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/cache-hints",
    title: "Lists and contents say how long they may be kept, and by whom",
    facet: Facet::ModernProtocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[rule("TOOL-09", hinted), rule("TOOL-10", alike)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &listings::PROBE, &features::PROBE, &resource_read::PROBE],
    page: include_str!("cache_hints.md"),
    judge: by_rules,
};

const FIX: &str = "send `ttlMs` (an integer from 0) and `cacheScope` (public or private) with every complete result of server/discover, the lists and resources/read";

fn is_cacheable(method: &str) -> bool {
    matches!(method, "server/discover" | "resources/read")
        || LISTS.iter().any(|(list, _)| *list == method)
}

fn hinted(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let rulings = talk.exchanges().filter_map(|x| {
        let method = x.send.method().filter(|m| is_cacheable(m))?;
        let ruling = match flaw(x.result()?) {
            None => Ruling::pass("lists and contents carry ttlMs and cacheScope"),
            Some(flaw) => Ruling::fail(format!("{method}: {flaw}"), FIX),
        };
        Some(ruling.seen_in(x.id))
    });
    Ruling::worst(rulings).ok_or_else(|| Ruling::unseen("no list was answered"))
}

fn flaw(result: &Value) -> Option<&'static str> {
    let (ttl, scope) = (result.get("ttlMs"), result.get("cacheScope"));
    if result.get("resultType").and_then(Value::as_str) == Some("input_required") {
        let given = ttl.is_some() || scope.is_some();
        return given.then_some("a result that asks back says how long it may be kept");
    }
    if !ttl.is_some_and(Value::is_u64) {
        return Some("`ttlMs` is missing or no integer from 0");
    }
    let known = matches!(scope.and_then(Value::as_str), Some("public" | "private"));
    (!known).then_some("`cacheScope` is missing, or neither public nor private")
}

fn alike(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let rulings = LISTS.iter().filter_map(|(method, _)| {
        let listed = talk.listing(method).ok().filter(|l| l.pages.len() > 1)?;
        let (first, page) = listed.pages.first()?;
        let differs = |p: &Value| p.get("cacheScope") != page.get("cacheScope");
        let ruling = match listed.pages.iter().any(|(_, p)| differs(p)) {
            false => Ruling::pass(format!("all pages of {method} have one cacheScope")),
            true => Ruling::fail(
                format!("pages of {method} have different cacheScope"),
                "give all pages of a list the same `cacheScope`",
            ),
        };
        Some(ruling.seen_in(first.id))
    });
    Ruling::worst(rulings).ok_or_else(|| Ruling::not_testable("no list has more than one page"))
}
