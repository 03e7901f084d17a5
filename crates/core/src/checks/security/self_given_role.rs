//! Rights that callers give themselves: a parameter says who is asking, and the tool believes it.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value, json};

use crate::arguments::{described, places_of, told_example};
use crate::attack::stand::{is_use_seen, members, ordinary, with_members};
use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject, Tool};
use crate::harvest::singular;
use crate::pattern;
use crate::probe::{Call, Lane, Probe, words};
use crate::probes::switches::{is_denied, values};
use crate::probes::{benign, valid_call};
use crate::promise::holds;
use crate::proof::Proof;
use crate::response::{Trouble, disguised_error, is_accepted};
use crate::seed::Seed;
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

const PROBE: Probe = Probe { id: "self-given-role", hostile: true, lane: Lane::Shared, plan };

/// A parameter by which the caller says who he is, and the object that has it.
struct Role<'a> {
    within: String,
    name: &'a str,
    schema: &'a Value,
}

impl Role<'_> {
    fn pointer(&self) -> String {
        format!("{}/{}", self.within, self.name)
    }
}

/// The same call in every role that is offered.
fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let mut calls = Vec::new();
    for tool in evidence.tools().filter(|_| is_use_seen(evidence)) {
        let arguments = ordinary(evidence, tool).and_then(Exchange::arguments);
        let Some(arguments) = arguments else { continue };
        for role in roles(tool) {
            let mut values = offered(tool, &role);
            // Whom the ordinary call was made for, who may well be nobody.
            let usual = arguments.pointer(&role.pointer()).filter(|usual| !values.contains(usual));
            values.extend(usual.cloned());
            values.extend(named_in_refusals(evidence, tool, &role));
            let few = values.len() <= FEW;
            let mut bases = vec![(String::new(), arguments.clone())];
            bases.extend(others(evidence, tool, arguments).into_iter().filter(|_| few));
            for (beside, base) in &bases {
                for value in values.iter().filter(|_| values.len() > 1) {
                    let more = Map::from_iter([(role.name.to_owned(), value.clone())]);
                    // An object that the ordinary call did without is made for it.
                    let arguments = with_members(base, &role.within, more.clone()).or_else(|| {
                        let within = role.within.trim_start_matches('/').to_owned();
                        with_members(base, "", Map::from_iter([(within, json!(more))]))
                    });
                    let Some(arguments) = arguments else { continue };
                    let label = format!("as {value} in {}{beside}", role.pointer());
                    calls.push(Call::tool(&tool.name, label, arguments).about(&role.pointer()));
                }
            }
        }
    }
    calls
}

/// With so few roles, they are tried on other things as well.
const FEW: usize = 3;
const OTHERS: usize = 4;

/// The same call for others of what is listed: one of them may be out of bounds for most.
fn others(evidence: &Evidence, tool: &Tool, arguments: &Value) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    for pointer in places_of(arguments) {
        let Some(own) = arguments.pointer(&pointer) else { continue };
        for other in benign::listed_beside(evidence, tool, own) {
            let mut arguments = arguments.clone();
            let beside = format!(" with {pointer} = {other}");
            if let Some(place) = arguments.pointer_mut(&pointer) {
                *place = other;
                found.push((beside, arguments));
            }
        }
    }
    found.truncate(OTHERS);
    found
}

/// "Only hr may see it": who is let in is often told to those who are not.
fn named_in_refusals(evidence: &Evidence, tool: &Tool, role: &Role<'_>) -> Vec<Value> {
    if role.schema.get("enum").is_some() || role.schema.get("type") == Some(&json!("boolean")) {
        return Vec::new();
    }
    let denied = evidence.of_tool(PROBE.id, &tool.name).filter(|x| is_turned_away(evidence, x));
    let about = tool.description.clone().unwrap_or_default();
    let texts = denied.map(|x| x.reply.text()).chain([about]);
    let mut found: Vec<Value> = Vec::new();
    for text in texts {
        for name in let_in(&text) {
            let name = json!(name);
            if found.len() < FEW && !found.contains(&name) {
                found.push(name);
            }
        }
    }
    found
}

/// Who may, by a text that says who may not.
fn let_in(text: &str) -> Vec<String> {
    static NAMED: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern::ascii(r"\b(?:only (?:the )?(?:role )?|roles? |reserved for |restricted to |limited to )['\x22]?([a-z][a-z_]{1,14})['\x22]?(?: (?:may|can|is|are|has|have|sees?|staff)\b|[.,;!]|$)").ok()
    });
    let text = text.to_lowercase();
    let named = NAMED.as_ref().into_iter().flat_map(|named| named.captures_iter(&text));
    named.map(|name| singular(&name[1])).collect()
}

/// Whether a call was refused for who made it. Some servers say so in an answer like any other, which
/// then says nothing else.
fn is_turned_away(evidence: &Evidence, x: &Exchange) -> bool {
    static REFUSAL: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern::ascii(r"^(error:? )?(permission denied|access denied|denied|forbidden|unauthori[sz]ed|(you are )?not (allowed|permitted|authori[sz]ed)|only (the )?(role )?\w+ (may|can|are|is)\b)").ok()
    });
    const SHORT: usize = 160;
    let text = x.reply.text().trim().to_lowercase();
    let refusal = text.len() < SHORT && REFUSAL.as_ref().is_some_and(|r| r.is_match(&text));
    let says_no = |(name, value): &(String, Value)| {
        ["allowed", "granted", "ok", "success"].contains(&name.as_str()) && value == &json!(false)
    };
    let failed = !is_accepted(evidence, x)
        || disguised_error(&x.reply).is_some()
        || members(&x.reply).iter().any(says_no);
    refusal || failed && is_denied(x)
}

/// What a role may be: one that is given as an example, too.
fn offered(tool: &Tool, role: &Role<'_>) -> Vec<Value> {
    let mut values = values(tool, role.name, role.schema);
    // A free text may be any rank.
    if values.len() < 2 && role.schema.get("enum").is_none() {
        values = ["admin", "manager", "director", "staff"].map(|rank| json!(rank)).to_vec();
    }
    if let (1 | 4, Some(example)) = (values.len(), told_example(&described(tool, &role.pointer())))
    {
        values.insert(0, json!(example));
        values.dedup();
    }
    values
}

/// Of the tool itself and one level below. Who shows a credential beside it is not believed for his
/// word alone.
fn roles(tool: &Tool) -> Vec<Role<'_>> {
    if tool.parameters().any(|(name, _)| says(name, CREDENTIALS)) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (name, schema) in tool.parameters() {
        let about = schema.get("description").and_then(Value::as_str).unwrap_or_default();
        if says(name, ROLES) || ranks(schema) || says(name, CALLERS) && tells_rank(about) {
            found.push(Role { within: String::new(), name, schema });
        }
        let inner = schema.get("properties").and_then(Value::as_object);
        for (inner, schema) in inner.into_iter().flatten() {
            let about = schema.get("description").and_then(Value::as_str).unwrap_or_default();
            let whose = says(inner, ROLES) && (says(name, CALLERS) || tells_who(about));
            if whose && !says(inner, CREDENTIALS) {
                found.push(Role { within: format!("/{name}"), name: inner, schema });
            }
        }
    }
    found
}

/// "Position of whoever looks".
fn tells_rank(about: &str) -> bool {
    holds(&words(about), "position rank role clearance") && tells_who(about)
}

/// Choices of which one is a higher rank than the others.
fn ranks(schema: &Value) -> bool {
    let choices = schema.get("enum").and_then(Value::as_array);
    let (high, low): (Vec<&Value>, Vec<&Value>) =
        choices.into_iter().flatten().filter(|c| c.is_string()).partition(|c| is_high(c));
    !high.is_empty() && !low.is_empty()
}

/// "Who is looking", "role of the caller".
fn tells_who(about: &str) -> bool {
    holds(&words(about), "who whoever caller viewer requester asker looks")
}

const ROLES: &str = "role admin superuser clearance privilege privileges";
const CALLERS: &str = "viewer caller requester actor user session auth context identity who by as";
const CREDENTIALS: &str = "token password key secret pin signature credential credentials otp";

fn says(name: &str, list: &str) -> bool {
    holds(&words(name), list)
}

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

fn is_high(role: &Value) -> bool {
    const HIGH: &str = "admin administrator owner manager root superuser operator staff chief \
                        director supervisor moderator system";
    role.as_str().map_or(role == &json!(true), |text| says(text, HIGH))
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
    let named = || {
        let role = given(more).and_then(Value::as_str).map(|role| singular(&role.to_lowercase()));
        role.is_some_and(|role| let_in(&less.reply.text()).contains(&role))
    };
    let turned_away = is_turned_away(evidence, less) && (high(more) || named()) && !high(less);
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
