//! The same call in every role that a caller may give himself, and how a server turns callers away.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value, json};

use super::benign;
use super::switches::{is_denied, values};
use crate::arguments::{described, told_example};
use crate::attack::stand::{is_use_seen, members, ordinary, with_members};
use crate::evidence::{Evidence, Exchange, Tool};
use crate::harvest::singular;
use crate::pattern;
use crate::probe::{Call, Lane, Probe, words};
use crate::promise::holds;
use crate::response::{disguised_error, is_accepted};
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "self-given-role", hostile: true, lane: Lane::Shared, plan };

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
            let mut bases = vec![(String::new(), arguments.clone())];
            // One of what is listed may be out of bounds for most.
            if values.len() <= FEW {
                let others = benign::among_listed(evidence, tool, arguments).into_iter();
                let further = others.take(OTHERS).chain(beyond(tool, arguments));
                bases.extend(further.map(|(o, base)| (format!(" with {o}"), base)));
            }
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

/// "Credits above 50 EUR are for managers": the same call with more than that.
fn beyond(tool: &Tool, arguments: &Value) -> Vec<(String, Value)> {
    static BOUND: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern::ascii(r"\b(?:above|over|more than|beyond|exceeding|up to|at most) [^0-9 ]{0,3} ?([0-9]{1,7})\b").ok()
    });
    let about = tool.description.as_deref().unwrap_or_default().to_lowercase();
    let bound = BOUND.as_ref().and_then(|b| b.captures(&about)?[1].parse::<u64>().ok());
    let counts = |(name, v): &(&String, &Value)| v.is_number() && !says(name, "id number no");
    let mut numbers = arguments.as_object().into_iter().flatten().filter(counts);
    // Of several numbers, none is known to be meant.
    let (Some(bound), Some((name, _)), None) = (bound, numbers.next_back(), numbers.next_back())
    else {
        return Vec::new();
    };
    let more = with_members(arguments, "", Map::from_iter([(name.clone(), json!(bound + 1))]));
    more.map(|more| (format!("/{name} = {}", bound + 1), more)).into_iter().collect()
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
pub fn let_in(text: &str) -> Vec<String> {
    static NAMED: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern::ascii(r"\b(?:only (?:an? |the )?(?:role )?|roles? |reserved for |restricted to |limited to )['\x22]?([a-z][a-z_]{1,14})['\x22]?(?: (?:may|can|is|are|has|have|sees?|staff)\b|[.,;!]|$)").ok()
    });
    let text = text.to_lowercase();
    let named = NAMED.as_ref().into_iter().flat_map(|named| named.captures_iter(&text));
    named.map(|name| singular(&name[1])).collect()
}

/// Whether a call was refused for who made it. Some servers say so in an answer like any other, which
/// then says nothing else.
pub fn is_turned_away(evidence: &Evidence, x: &Exchange) -> bool {
    static REFUSAL: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern::ascii(r"^(error:? |error executing tool \w+: )?(permission denied|access denied|denied|forbidden|unauthori[sz]ed|(you are )?not (allowed|permitted|authori[sz]ed)|only (an? |the )?(role )?\w+ (may|can|are|is)\b)").ok()
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
        let whom = || tool.description.as_deref().is_some_and(|d| !let_in(d).is_empty());
        let caller = says(name, CALLERS) && schema.get("type") != Some(&json!("object"));
        if says(name, ROLES)
            || ranks(schema)
            || overrides(name, schema)
            || caller && (tells_rank(about) || whom())
        {
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

/// "manager_override", "is_supervisor".
fn overrides(name: &str, schema: &Value) -> bool {
    const OVERRIDES: &str = "override bypass sudo elevated privileged";
    let rank = is_high(&json!(name)) && words(name).first().is_some_and(|w| w == "is" || w == "as");
    schema.get("type") == Some(&json!("boolean")) && (says(name, OVERRIDES) || rank)
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

pub fn is_high(role: &Value) -> bool {
    const HIGH: &str = "admin administrator owner manager root superuser operator staff chief \
                        director supervisor moderator system";
    role.as_str().map_or(role == &json!(true), |text| says(text, HIGH))
}
