//! Servers that repeat what they are sent in every way we could think of, and compute nothing: no
//! attack may find a hole in them. And the real thing beside them, so that silence means something.
#![expect(clippy::unwrap_used, reason = "a test that plays servers")]

use std::cell::RefCell;
use std::collections::BTreeSet;

use proofmark_core::check::{self, Check, Outcome, Standing};
use proofmark_core::checks;
use proofmark_core::evidence::{Evidence, Exchange, ExchangeId, Micros, Reply};
use proofmark_core::pages;
use proofmark_core::probe::{Call, Probe};
use serde_json::{Value, json};

const CLASSES: &[&str] = &[
    "security/code-injection",
    "security/command-injection",
    "security/ldap-injection",
    "security/nosql-injection",
    "security/sql-injection",
    "security/template-injection",
    "security/xpath-injection",
];

/// One tool with one text, attacked with everything the deep profile has.
fn attacked(answer: impl Fn(&str) -> Result<String, String>) -> Evidence {
    let mut evidence = pages::evidence(
        r#"{"tools": [{"name": "look_up", "inputSchema": {"type": "object", "required": ["text"],
            "properties": {"text": {"type": "string"}}}}], "profile": "deep",
            "canaries": [{"id": "env", "place": {"kind": "env", "name": "PLANTED"}, "value": "canary-of-the-environment"}]}"#,
    )
    .unwrap();
    let seed = evidence.conditions.seed;
    for _ in 0..6 {
        for probe in probes() {
            for call in (probe.plan)(&evidence, seed.part(probe.id)) {
                let known = |x: &Exchange| {
                    (&x.probe[..], &x.label, &x.subject) == (probe.id, &call.label, &call.subject)
                };
                if !evidence.transcript.iter().any(known) {
                    let reply = reply(&call, &answer);
                    let id = evidence.transcript.len();
                    evidence.transcript.push(made(probe, call, id, reply));
                }
            }
        }
    }
    evidence
}

fn probes() -> Vec<&'static Probe> {
    let mut seen = BTreeSet::new();
    let all = CLASSES.iter().flat_map(|id| checks::find(id).unwrap().needs);
    all.copied().filter(|p| seen.insert(p.id)).collect()
}

fn reply(call: &Call, answer: &impl Fn(&str) -> Result<String, String>) -> Reply {
    let sent = &call.send.params().unwrap()["arguments"]["text"];
    let text = sent.as_str().map_or_else(|| sent.to_string(), str::to_owned);
    let block = |text: String| json!([{"type": "text", "text": text}]);
    let value = match answer(&text) {
        Ok(text) => json!({ "content": block(text) }),
        Err(text) => json!({ "content": block(text), "isError": true }),
    };
    Reply::Result { value }
}

fn made(probe: &Probe, call: Call, id: usize, reply: Reply) -> Exchange {
    Exchange {
        id: ExchangeId(u32::try_from(id).unwrap()),
        probe: probe.id.to_owned(),
        label: call.label,
        subject: call.subject,
        send: call.send,
        on: call.on,
        reply: reply.into(),
        control: call.control,
        oracle: call.oracle,
        http: None,
        frames: vec![],
        started: Micros(0),
        took: Micros(1_000),
    }
}

/// The classes of the holes that are proven.
fn proven(evidence: &Evidence) -> Vec<&'static str> {
    let checks: Vec<&'static Check> = CLASSES.iter().map(|id| checks::find(id).unwrap()).collect();
    check::judge(evidence, &checks)
        .iter()
        .filter(|j| {
            let hole = |f: &check::Finding| {
                f.outcome() == Outcome::Fail && f.standing() == Standing::Proven
            };
            j.findings.iter().any(hole)
        })
        .map(|j| j.check.id)
        .collect()
}

fn html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn letters_of(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).collect()
}

/// What stands beside a star is multiplied, as a calculator that looks for sums would.
fn products_in(text: &str) -> String {
    let numbers = |side: &str, last: bool| {
        let digits = |c: char| !c.is_ascii_digit();
        let mut parts = side.split(digits);
        let found = if last { parts.next_back() } else { parts.next() };
        found.and_then(|n| n.parse::<u64>().ok())
    };
    let found = text.split_once('*');
    let product = found.and_then(|(a, b)| Some(numbers(a, true)? * numbers(b, false)?));
    product.map_or_else(|| "no sum".to_owned(), |p| p.to_string())
}

#[test]
fn no_way_of_repeating_a_payload_proves_anything() {
    type Way = fn(&str) -> Result<String, String>;
    let ways: &[(&str, Way)] = &[
        ("echo", |t| Ok(t.to_owned())),
        ("error that quotes", |t| Err(format!("no entry named \"{t}\""))),
        ("louder", |t| Ok(t.to_uppercase())),
        ("backwards", |t| Ok(t.chars().rev().collect())),
        ("as JSON", |t| Ok(Value::from(t).to_string())),
        ("as JSON in JSON", |t| Ok(json!({"input": Value::from(t).to_string()}).to_string())),
        ("as HTML", |t| Ok(html(t))),
        ("letters only", |t| Ok(letters_of(t))),
        ("length", |t| Ok(t.len().to_string())),
        ("words", |t| Ok(t.split_whitespace().collect::<Vec<_>>().join("\n"))),
        ("twice", |t| Ok(format!("{t}{t}"))),
        ("without tags", |t| Ok(t.split(['<', '>', '{', '}', '$', '(', ')']).collect())),
        ("the product", |t| Ok(products_in(t))),
        ("nothing", |_| Ok("done".to_owned())),
        ("tautologies are blocked", |t| match t.contains("1=1") || t.contains("'1'='1") {
            true => Ok("Blocked.\nYour request looks like an attack.\nIt was logged.".to_owned()),
            false => Ok("no rows".to_owned()),
        }),
        ("attacks are refused", |t| match t.contains(['\'', '$', '{', '*', ';', '|']) {
            true => Err("illegal characters".to_owned()),
            false => Ok(format!("1: {t}\n2: other")),
        }),
    ];
    for (name, way) in ways {
        let evidence = attacked(way);
        assert!(evidence.transcript.len() > 60, "{name}: {}", evidence.transcript.len());
        assert_eq!(proven(&evidence), [""; 0], "{name}");
    }
}

#[test]
fn a_store_that_shows_all_it_was_ever_sent_proves_nothing() {
    let store: RefCell<Vec<String>> = RefCell::default();
    let evidence = attacked(|text| {
        store.borrow_mut().push(text.to_owned());
        Ok(store.borrow().join("\n"))
    });
    assert_eq!(proven(&evidence), [""; 0]);
}

/// Evaluates `a*b` between braces, as a template engine would.
fn rendered(text: &str) -> String {
    let Some((before, rest)) = text.split_once("{{") else { return text.to_owned() };
    let Some((inside, after)) = rest.split_once("}}") else { return text.to_owned() };
    let value = inside
        .split_once('*')
        .and_then(|(a, b)| Some(a.trim().parse::<u64>().ok()? * b.trim().parse::<u64>().ok()?));
    value.map_or_else(|| text.to_owned(), |v| format!("{before}{v}{after}"))
}

#[test]
fn what_merely_behaves_as_if_it_computed_is_proven_all_the_same() {
    let evidence = attacked(|text| Ok(format!("Hello {}", rendered(text))));
    assert_eq!(proven(&evidence), ["security/template-injection"]);
}

#[test]
fn rows_for_the_classic_tautology_and_none_otherwise_are_proof() {
    let evidence = attacked(|text| match text.to_lowercase().contains("' or '1'='1") {
        true => Ok(r#"[{"name": "ada"}, {"name": "bob"}, {"name": "cyd"}]"#.to_owned()),
        false => Ok("[]".to_owned()),
    });
    assert_eq!(proven(&evidence), ["security/sql-injection"]);
}
