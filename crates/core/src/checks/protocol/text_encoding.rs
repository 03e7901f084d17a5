//! Text that does not come back as it was sent, and bytes that are no text.

use serde_json::{Value, json};

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{AnomalyKind, Evidence, Exchange};
use crate::probe::{Call, Lane, Probe, Send};
use crate::probes::revisions;
use crate::response::quote;
use crate::seed::Seed;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, frame, rule, sides};

pub(super) const CHECK: Check = Check {
    id: "protocol/text-encoding",
    title: "All text is UTF-8 and comes back as it was sent",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[rule("RPC-16", utf8), rule("RPC-25", stderr)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE],
    page: include_str!("text_encoding.md"),
    judge: by_rules,
};

const PROBE: Probe = Probe { id: "text", hostile: false, lane: Lane::Alone, plan };
const LITERAL: &str = "a tool named in many scripts";
const ESCAPED: &str = "the same in escapes";
/// A letter with a mark of its own, one beyond 16 bits, and two more scripts.
const TEXT: &str = "proofmark e\u{301} \u{1f600} \u{4f60}\u{597d} \u{e9}";
const FIX: &str = "read and write UTF-8 whatever the locale says";

/// Most servers name the tool that they do not know, and so repeat what they read.
fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let params = json!({"name": TEXT, "arguments": {}});
    sides::on_each(evidence, |revision| {
        let mut calls = vec![(LITERAL, Send::request("tools/call", Some(params.clone())))];
        if !revision.is_stateless() {
            let id = json!("proofmark escapes");
            let text = frame::request(revision, &id, "tools/call", Some(params.clone()));
            let text = escaped(&text.to_string());
            calls.push((ESCAPED, frame::send(evidence, revision, text, vec![id])));
        }
        calls
    })
}

fn escaped(text: &str) -> String {
    let units = |c: char| -> String {
        let mut pair = [0; 2];
        c.encode_utf16(&mut pair).iter().map(|unit| format!("\\u{unit:04x}")).collect()
    };
    text.chars().map(|c| if c.is_ascii() { c.to_string() } else { units(c) }).collect()
}

fn utf8(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    if let Some(a) = talk.anomalies().find(|a| a.kind == AnomalyKind::InvalidUtf8) {
        let ruling = Ruling::fail(format!("bytes that are not UTF-8: {}", quote(&a.detail)), FIX);
        return Ok(a.exchange.into_iter().fold(ruling, Ruling::seen_in));
    }
    let rulings = talk.of(PROBE.id).map(|x| repeated(talk, x).seen_in(x.id));
    Ruling::worst(rulings).ok_or_else(|| Ruling::unseen("no text was sent"))
}

fn repeated(talk: &Conversation<'_>, x: &Exchange) -> Ruling {
    let data = x.reply.result().map(Value::to_string).unwrap_or_default();
    let text = format!("{} {data}", x.reply.text());
    let garbled = ["\u{fffd}", "\u{c3}\u{a9}", "\u{f0}\u{178}", "e? ?"];
    if text.contains(TEXT) {
        Ruling::pass(format!("{} came back as it was sent", talk.name(x)))
    } else if text.contains("proofmark e") && garbled.iter().any(|g| text.contains(g)) {
        Ruling::fail(format!("{}: came back as {}", talk.name(x), quote(&text)), FIX)
    } else if let Some(why) = x.reply.why_unseen() {
        Ruling::unseen(why)
    } else {
        Ruling::not_testable("nothing repeats the text that it was sent")
    }
}

/// What is no UTF-8 stands in evidence as U+FFFD; a server may have written that itself.
fn stderr(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let lines = &talk.evidence.stderr;
    Ok(match lines.iter().find(|l| l.contains("\u{fffd}\u{fffd}")) {
        Some(line) => {
            Ruling::fail(format!("bytes on stderr that are not UTF-8: {}", quote(line)), FIX)
        }
        None if lines.iter().any(|l| l.contains('\u{fffd}')) => {
            Ruling::partial("a byte on stderr that seems not to be UTF-8", FIX)
        }
        None => Ruling::pass("everything on stderr was UTF-8"),
    })
}
