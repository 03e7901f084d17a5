//! Values that become operators of a document database.

use serde_json::{Map, json};

use crate::attack::stand::{is_use_seen, objects, ordinary, with_members};
use crate::attack::{
    Attack, Offer, Pair, deliver_pairs, gets_through, is_proven_by, nothing_else, openness,
    proven_unless,
};
use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::Profile::{Deep, Standard};
use crate::evidence::{Evidence, Exchange};
use crate::probe::{Call, Lane, Probe};
use crate::probes::{benign, valid_call};
use crate::proof::{Oracle, Proof, is_alike, payload, says};
use crate::response::quote;
use crate::seed::Seed;
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "security/nosql-injection",
    title: "No value becomes a query operator",
    facet: Facet::Injection,
    severity: Severity::High,
    class: Some(Class::NosqlInjection),
    requirements: &[served("SEC-07"), served("TOOL-24")],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &benign::PROBE, &PROBE],
    page: include_str!("nosql_injection.md"),
    judge,
};

const PROBE: Probe = Probe { id: "nosql-injection", hostile: true, lane: Lane::Shared, plan };

const CODE: [&str; 2] = ["code-injection", "template-injection"];
const LETTER: &str = "letter in JSON";

const PAIRS: &[Pair] = &[
    Pair::json("not equal", Standard, r#"{"$ne":"«W»"}"#, r#"{"$eq":"«W»"}"#),
    Pair::json(
        "between",
        Standard,
        r#"{"$gt":" «A»","$lt":"~«B»"}"#,
        r#"{"$gt":"~«B»","$lt":" «A»"}"#,
    ),
    Pair::json("above", Standard, r#"{"$gt":" ~«A»"}"#, r#"{"$gt":"~ «A»"}"#),
    // Only what judges the operator lets in the wrong word and keeps out the right one.
    Pair::json("not the known", Standard, r#"{"$ne":"«X»"}"#, r#"{"$ne":"«V»"}"#),
    Pair::new("not equal, as text", Standard, r#"{"$ne":"«W»"}"#, r#"{"$eq":"«W»"}"#),
    Pair::new(
        "within a field",
        Standard,
        r#"{"«K»":{"$gt":" «A»","$lt":"~«B»"}}"#,
        r#"{"«K»":{"$gt":"~«B»","$lt":" «A»"}}"#,
    ),
    Pair::new(
        "within a field, not equal",
        Standard,
        r#"{"«K»":{"$ne":"«W»"}}"#,
        r#"{"«K»":{"$eq":"«W»"}}"#,
    ),
    // Code, in a filter that is given as a text.
    Pair::new("code in a filter", Standard, r#"{"$where":"«a»<«b»"}"#, r#"{"$where":"«b»<«a»"}"#),
    // The operator `===` is JavaScript's alone: SQL would not take it.
    Pair::new(
        "script",
        Standard,
        "«W»' || '«A»'<'«B»' || '«A»'==='«B»",
        "«W»' || '«B»'<'«A»' || '«A»'==='«B»",
    ),
    // Only what reads a query out of JSON knows how that writes a letter.
    Pair::narrow(LETTER, Standard, "«J»", "«j»"),
    Pair::json("pattern", Standard, r#"{"$regex":"^.*(«A»)?$"}"#, r#"{"$regex":"^.*?(«A»)$"}"#),
    Pair::json("list", Deep, r#"{"$nin":["«W»"]}"#, r#"{"$in":["«W»"]}"#),
];

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    let mut calls = deliver_pairs(evidence, seed, PROBE.id, PAIRS);
    calls.extend(scripts(evidence, seed));
    calls
}

/// A member that nobody was offered, in the objects that tools which look are given: a condition in
/// code, which every language reads alike. The false one goes first; the others follow where it shows.
fn scripts(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    const TURNS: [(bool, u64); 4] = [(false, 1), (true, 1), (true, 2), (false, 2)];
    let mut calls = Vec::new();
    for tool in evidence.tools().filter(|tool| benign::looks(tool) && is_use_seen(evidence)) {
        let Some(usual) = ordinary(evidence, tool) else { continue };
        let Some(arguments) = usual.arguments() else { continue };
        for pointer in objects(arguments).into_iter().filter(|at| !at.is_empty()) {
            let call = |(truth, turn): (bool, u64)| {
                let number = |label| {
                    seed.between(&format!("{} {pointer} {turn} {label}", tool.name), 10, 99)
                };
                let (a, b) = (number("a"), number("b"));
                let (less, more) = (a.min(b), a.max(b) + 1);
                let (one, other) = if truth { (less, more) } else { (more, less) };
                let code = Map::from_iter([("$where".to_owned(), json!(format!("{one}<{other}")))]);
                let call = Call::tool(
                    &tool.name,
                    format!("code in {pointer} {truth} {turn}"),
                    with_members(arguments, &pointer, code)?,
                );
                let group = format!("code in {pointer}");
                Some(call.about(&pointer).with_oracle(Oracle::Differential { group, truth }))
            };
            let Some(first) = call(TURNS[0]) else { continue };
            let made = evidence
                .of(PROBE.id)
                .find(|x| x.label == first.label && x.subject == first.subject);
            let shows = made.is_some_and(|x| !x.reply.is_pending() && !is_alike(x, usual));
            calls.push(first);
            calls.extend(TURNS[1..].iter().filter(|_| shows).filter_map(|turn| call(*turn)));
        }
    }
    calls
}

const ATTACK: Attack = Attack {
    probe: PROBE.id,
    hole,
    suspicion: nothing_else,
    reached: gets_through,
    clean: "no value became an operator",
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    ATTACK.judge(evidence)
}

/// Whether a text with letters by their numbers was merely read and shown: then it was not looked for.
fn is_shown(evidence: &Evidence, proof: &Proof) -> bool {
    let Proof::Differential { falsehoods, .. } = proof else { return false };
    falsehoods.iter().filter_map(|id| evidence.exchange(*id)).any(|x| {
        let read = serde_json::from_str::<String>(&format!("\"{}\"", payload(x)));
        read.is_ok_and(|read| says(&x.reply, &read))
    })
}

fn hole(evidence: &Evidence, x: &Exchange, proof: Proof) -> Finding {
    // Code, templates and patterns are made of letters that may be written so.
    let code = || CODE.iter().any(|probe| is_proven_by(evidence, x, probe));
    let pattern = || {
        openness::parameter(evidence, x)
            .is_some_and(|(tool, at)| openness::names_pattern(&tool, &at))
    };
    if x.label.starts_with(LETTER) && (pattern() || is_shown(evidence, &proof) || code()) {
        return Finding::pass(x.subject.clone(), ATTACK.clean);
    }
    let says = format!("a database judged the operator in \"{}\"", quote(&payload(x)));
    let fix = "check that values are texts or numbers before they enter a query (`String(value)`, `{$eq: value}`), and never use `$where` with values from callers";
    let finding = Finding::fail(x.subject.clone(), says, fix);
    // What openly takes filters or queries takes their operators, too.
    proven_unless(Offer::Expressions, evidence, x, finding, proof)
}
