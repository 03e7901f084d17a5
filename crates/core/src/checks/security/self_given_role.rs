//! Rights that callers give themselves: a parameter says who is asking, and the tool believes it.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use crate::attack::stand::members;
use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject};
use crate::harvest::singular;
use crate::pattern;
use crate::probes::roles::{PROBE, is_high, is_turned_away, let_in};
use crate::probes::{benign, valid_call};
use crate::proof::Proof;
use crate::response::{Trouble, is_accepted};
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "security/self-given-role",
    title: "Rights come from who the caller is, not from what he says",
    facet: Facet::Authentication,
    severity: Severity::High,
    class: Some(Class::ExcessivePermissions),
    requirements: &[served("SEC-07"), served("TOOL-24")],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &benign::PROBE, &PROBE],
    page: include_str!("self_given_role.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let mut subjects: Vec<&Subject> = evidence.of(PROBE.id).map(|x| &x.subject).collect();
    subjects.dedup();
    subjects.into_iter().map(|subject| verdict(evidence, subject)).collect()
}

fn verdict(evidence: &Evidence, subject: &Subject) -> Finding {
    let calls: Vec<&Exchange> = evidence.of(PROBE.id).filter(|x| x.subject == *subject).collect();
    let pairs = calls.iter().flat_map(|less| calls.iter().map(move |more| (*less, *more)));
    let pairs = pairs.filter(|(less, more)| is_same_but_for_role(less, more));
    if let Some((less, more)) = pairs.into_iter().find(|(less, more)| opens(evidence, less, more)) {
        let role = |x| given(x).map(ToString::to_string).unwrap_or_default();
        let says = format!(
            "whoever says {} gets what {} does not, and nothing shows that he is",
            role(more),
            role(less)
        );
        let fix = "take the role from the session or from a credential that was checked, never from an argument";
        let proof = Proof::Contradiction { a: less.id, b: more.id };
        return Finding::fail(subject.clone(), says, fix).proven(proof).seen_in(more.id);
    }
    match calls.iter().find(|x| x.reply.why_unseen().is_none()) {
        Some(x) => Finding::pass(subject.clone(), "no role opened more than another").seen_in(x.id),
        None => {
            let why = calls.iter().find_map(|x| x.reply.why_unseen());
            Finding::unseen(subject.clone(), why.unwrap_or_default())
        }
    }
}

/// Whether two calls ask for the same, in two roles.
fn is_same_but_for_role(a: &Exchange, b: &Exchange) -> bool {
    let bare = |x: &Exchange| {
        let mut arguments = x.arguments()?.clone();
        *arguments.pointer_mut(x.subject.pointer()?)? = Value::Null;
        Some(arguments)
    };
    bare(a) == bare(b)
}

/// The role that a call gave itself.
fn given(x: &Exchange) -> Option<&Value> {
    x.arguments()?.pointer(x.subject.pointer()?)
}

/// So many members that are alike are of the same things.
const TELLING: usize = 6;

/// Whether one role was answered where the other was denied, or was told more of the same things:
/// a role that merely chooses other records tells no more of each.
fn opens(evidence: &Evidence, less: &Exchange, more: &Exchange) -> bool {
    let unseen = |x: &Exchange| x.reply.why_unseen().is_some();
    if is_turned_away(evidence, more) || unseen(less) || unseen(more) {
        return false;
    }
    // Whoever may not make an administrator is refused for that, and rightly.
    let high = |x: &Exchange| given(x).is_some_and(is_high);
    // Or who is said to be let in, to the one who is not.
    let named = |x: &Exchange| {
        let role = given(x).and_then(Value::as_str).map(|role| singular(&role.to_lowercase()));
        role.is_some_and(|role| let_in(&less.reply.text()).contains(&role))
    };
    let turned_away = is_turned_away(evidence, less)
        && (named(more) && !named(less) || (high(more) || named(more)) && !high(less));
    if !is_accepted(evidence, more) {
        return turned_away && is_let_through(more);
    }
    if turned_away || !is_accepted(evidence, less) {
        return turned_away;
    }
    if widens(&less.reply.text(), &more.reply.text()) {
        return true;
    }
    let (fewer, all) = (told(less), told(more));
    let names = |all: &[(String, Value)]| -> BTreeSet<String> {
        all.iter().map(|(name, _)| name.clone()).collect()
    };
    let (known, named) = (names(&fewer), names(&all));
    // Of the same things; where there are many, not all of them need be shown twice.
    let same: Vec<&(String, Value)> = fewer.iter().filter(|member| all.contains(member)).collect();
    let distinct: BTreeSet<String> = same.iter().map(|(n, v)| format!("{n} {v}")).collect();
    !fewer.is_empty()
        && known.is_subset(&named)
        && named.len() > known.len()
        && (same.len() == fewer.len() || distinct.len() >= TELLING)
}

/// Whether a call was refused for what it asked for, not for who asked.
fn is_let_through(x: &Exchange) -> bool {
    static BEYOND: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern::ascii(r"more than|exceeds?\b|less than|already|too (large|small|many|much|high|low)|at most|at least").ok()
    });
    let text = x.reply.text().to_lowercase();
    Trouble::of(&text) == Trouble::NotFound || BEYOND.as_ref().is_some_and(|b| b.is_match(&text))
}

/// Whether a table has further columns: each line begins as it did, and goes on.
fn widens(less: &str, more: &str) -> bool {
    let (less, more): (Vec<&str>, Vec<&str>) = (less.lines().collect(), more.lines().collect());
    let wider = |(a, b): (&&str, &&str)| {
        let rest = b.strip_prefix(*a).map(str::trim_start);
        a.len() > 3 && rest.is_some_and(|rest| rest.starts_with(['|', ',', ';', '\t', '-', '(']))
    };
    less.len() > 1 && less.len() == more.len() && less.iter().zip(&more).all(wider)
}

/// What an answer tells of things, piece by piece: objects and lists change with what is in them, and
/// every answer has the members of a content block.
fn told(x: &Exchange) -> Vec<(String, Value)> {
    let mut told = members(&x.reply);
    told.retain(|(name, value)| {
        let whole = value.is_object() || value.is_array();
        !whole && !["type", "text", "isError"].contains(&name.as_str())
    });
    told
}
