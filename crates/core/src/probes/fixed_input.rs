//! One input over and over, on a connection where little else happens: does a tool keep answering
//! as it did at first? What turns after so many calls is tried again on a fresh connection.

mod turn;

use crate::evidence::{ClientCapabilities, Evidence, Exchange, Profile, Subject, Tool};
use crate::probe::{Call, Connection, Lane, Probe, Risk, Send, Side, words};
use crate::probes::definitions::all_pages;
use crate::probes::{profiles, repeat, valid_call};
use crate::response::substance;
use crate::seed::Seed;

pub use turn::{Turn, TurnKind};

pub const PROBE: Probe = Probe { id: "fixed-input", hostile: false, lane: Lane::Alone, plan };

/// Before the number of a call that confirms.
const AGAIN: &str = "again ";
/// The connection that confirms; started only where something turned.
const FRESH: u8 = 4;

/// How often a tool is asked.
pub fn times(profile: Profile) -> usize {
    match profile {
        Profile::Quick => 0,
        Profile::Standard => 16,
        Profile::Deep => 32,
    }
}

/// What all calls together may take, as far as that can be told beforehand.
fn budget_ms(profile: Profile) -> f64 {
    match profile {
        Profile::Quick => 0.0,
        Profile::Standard => 6_000.0,
        Profile::Deep => 15_000.0,
    }
}

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let Some(side) = stage(evidence).filter(|_| times(evidence.conditions.profile) > 0) else {
        return Vec::new();
    };
    let fresh = Side { number: FRESH, ..side };
    let list = |label: String| {
        let send = Send::request("tools/list", None);
        let first = Call::new(Subject::Server, label, send).on(Connection::Side(side));
        all_pages(evidence, PROBE.id, first)
    };
    let mut calls = Vec::new();
    for (tool, call) in chosen(evidence) {
        if calls.is_empty() {
            calls.extend(list("tools/list before".to_owned()));
        }
        calls.extend(block(evidence, call, "", side));
        calls.extend(list(format!("tools/list after {}", tool.name)));
        if turn(evidence, &tool.name).is_some() {
            calls.extend(block(evidence, call, AGAIN, fresh));
        }
    }
    calls
}

/// Started for the clients with other names anyway, and used for little else.
fn stage(evidence: &Evidence) -> Option<Side> {
    let (_, client) = profiles::CLIENTS[1];
    match profiles::spoken(evidence) {
        Some(revision) => Some(Side { client, ..Side::speaking(revision) }),
        None => {
            let client = ClientCapabilities::NONE;
            Some(Side { client, number: FRESH - 1, ..Side::speaking(evidence.revision()?) })
        }
    }
}

fn block(evidence: &Evidence, call: &Exchange, tag: &str, side: Side) -> Vec<Call> {
    let again = |n: usize| {
        Call::new(call.subject.clone(), format!("{tag}{n}"), call.send.clone())
            .on(Connection::Side(side))
    };
    (1..=times(evidence.conditions.profile)).map(again).collect()
}

/// The tools that are asked, each with the call that is repeated: those that read or whose name
/// tells of no change, while the time lasts.
pub fn chosen(evidence: &Evidence) -> Vec<(&Tool, &Exchange)> {
    let profile = evidence.conditions.profile;
    let mut left = budget_ms(profile);
    let mut chosen = Vec::new();
    for tool in evidence.tools().filter(|t| is_plain(evidence, t)) {
        let Some(call) = valid_call::working(evidence, &tool.name) else { continue };
        let cost = times(profile) as f64 * fastest(evidence, &tool.name);
        if cost <= left {
            left -= cost;
            chosen.push((tool, call));
        }
    }
    chosen
}

/// Nothing says that it changes anything.
pub fn is_plain(evidence: &Evidence, tool: &Tool) -> bool {
    let tells = |word: &String| Risk::of_word(word).is_some();
    let quiet = tool.hint("readOnlyHint") != Some(false) && !words(&tool.name).iter().any(tells);
    evidence.risk_of(&tool.name) == Risk::Reads || quiet
}

/// What its quickest answer took: the first may have had to warm up. A refusal is quicker than the work.
fn fastest(evidence: &Evidence, tool: &str) -> f64 {
    let calls = [valid_call::PROBE.id, repeat::PROBE.id]
        .into_iter()
        .flat_map(|probe| evidence.of_tool(probe, tool).filter(|x| valid_call::took(x)));
    let seen = calls.map(|x| x.took.millis());
    seen.fold(f64::MAX, f64::min)
}

/// The answers of a tool, first to last.
pub fn answers<'a>(evidence: &'a Evidence, tool: &'a str) -> Vec<&'a Exchange> {
    evidence.of_tool(PROBE.id, tool).filter(|x| !x.label.starts_with(AGAIN)).collect()
}

/// Where its answers turn, if they do.
pub fn turn<'a>(evidence: &'a Evidence, tool: &'a str) -> Option<Turn<'a>> {
    Turn::of(&answers(evidence, tool))
}

/// What a fresh connection says about a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Second {
    /// It saw the answers turn after the same number of calls: it was the calls, not the hour.
    Confirms,
    Denies,
    NotAsked,
}

/// A mere value must besides be one and the same wherever it was asked for.
pub fn second(evidence: &Evidence, tool: &str, turn: &Turn<'_>) -> Second {
    let again: Vec<&Exchange> =
        evidence.of_tool(PROBE.id, tool).filter(|x| x.label.starts_with(AGAIN)).collect();
    if again.is_empty() || again.iter().any(|x| x.reply.why_unseen().is_some()) {
        return Second::NotAsked;
    }
    let same = |a: &Exchange, b: &Exchange| substance(&a.reply) == substance(&b.reply);
    let fixed = |other: &Turn<'_>| {
        let first = valid_call::working(evidence, tool);
        same(other.before, turn.before)
            && same(other.after, turn.after)
            && first.is_some_and(|x| same(x, turn.before) || same(x, turn.after))
    };
    let confirms =
        |t: &Turn<'_>| t.calls == turn.calls && (turn.kind != TurnKind::Value || fixed(t));
    match Turn::of(&again).is_some_and(|t| confirms(&t)) {
        true => Second::Confirms,
        false => Second::Denies,
    }
}
