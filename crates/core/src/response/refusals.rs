//! How tools met wrong input: one finding for each tool, kind of input and outcome, however many
//! calls were made.

use serde_json::Value;

use super::{Refusal, quote};
use crate::check::{Finding, Grade};
use crate::evidence::{Evidence, Exchange, Subject, Tool};
use crate::probes::wrong_input::Kind;

/// Input that a kind server may put right or pass over: wrong all the same, and harmless.
const LENIENT: f64 = 0.75;

struct Seen<'a> {
    exchange: &'a Exchange,
    refusal: Refusal,
    grade: f64,
}

/// How the tools met input of these kinds.
pub fn refusals(evidence: &Evidence, kinds: &[Kind], fix: &str) -> Vec<Finding> {
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let of = |tool| kinds.iter().flat_map(move |kind| verdicts(evidence, tool, *kind, fix));
    evidence.tools().flat_map(of).collect()
}

/// One finding for all calls that came to the same.
fn verdicts(evidence: &Evidence, tool: &Tool, kind: Kind, fix: &str) -> Vec<Finding> {
    let (mut seen, mut unseen) = (Vec::new(), Vec::new());
    for exchange in evidence.of_tool(kind.probe().id, &tool.name) {
        let refusal = Refusal::of(evidence, exchange);
        match refusal.grade(leniency(tool, kind, exchange)) {
            Some(grade) => seen.push(Seen { exchange, refusal, grade }),
            None => unseen.push(
                Finding::unseen(exchange.subject.clone(), refusal.says("")).seen_in(exchange.id),
            ),
        }
    }
    if seen.is_empty() {
        unseen.truncate(1);
        return unseen;
    }
    let all = seen.len();
    seen.sort_by(|a, b| a.grade.total_cmp(&b.grade));
    seen.chunk_by(|a, b| a.grade == b.grade)
        .filter_map(|alike| verdict(alike, kind, all, fix))
        .collect()
}

fn verdict(alike: &[Seen<'_>], kind: Kind, all: usize, fix: &str) -> Option<Finding> {
    let first = alike.first()?;
    let subject = match (alike.len(), first.exchange.subject.tool()) {
        (2.., Some(tool)) => Subject::tool_named(tool),
        (_, _) => first.exchange.subject.clone(),
    };
    let says = told(first, kind, alike.len(), all);
    let finding = if first.grade >= 1.0 {
        Finding::pass(subject, says)
    } else {
        Finding::partial(subject, Grade::new(first.grade), says, remedy(first, fix))
    };
    Some(finding.seen_in(first.exchange.id))
}

fn told(first: &Seen<'_>, kind: Kind, alike: usize, all: usize) -> String {
    let mut what = what(kind, first.exchange);
    if alike > 1 {
        what.push_str(&format!(" for {}", place(first.exchange)));
    }
    let says = first.refusal.says(&what);
    if all > 1 { format!("{says} ({alike} of {all} such calls)") } else { says }
}

fn remedy<'a>(worst: &Seen<'_>, fix: &'a str) -> &'a str {
    match worst.refusal {
        Refusal::Disguised(_) => "set `isError: true` on results that report an error",
        Refusal::Clean(_)
        | Refusal::Stumbled(_)
        | Refusal::Accepted(_)
        | Refusal::Crashed
        | Refusal::Broken(_)
        | Refusal::Unseen(_) => fix,
    }
}

fn leniency(tool: &Tool, kind: Kind, exchange: &Exchange) -> f64 {
    match kind {
        // "5" for 5, and what nobody reads.
        Kind::AsText | Kind::ExtraParameter => LENIENT,
        // As if it were not there, which it need not be.
        Kind::Null if is_optional(tool, exchange) => LENIENT,
        Kind::MissingRequired
        | Kind::WrongType
        | Kind::Null
        | Kind::OutOfEnum
        | Kind::OutOfRange
        | Kind::PatternViolated
        | Kind::Empty
        | Kind::InvalidFormat
        | Kind::Oversized => 0.0,
    }
}

fn is_optional(tool: &Tool, exchange: &Exchange) -> bool {
    let name = place(exchange).trim_start_matches('/');
    !name.contains('/') && !tool.required().any(|required| required == name)
}

/// The pointer to the parameter that was broken.
pub fn place(exchange: &Exchange) -> &str {
    match &exchange.subject {
        Subject::Param { pointer, .. } => pointer,
        Subject::Server
        | Subject::Tool { .. }
        | Subject::Resource { .. }
        | Subject::Prompt { .. }
        | Subject::File { .. } => "",
    }
}

/// The wrong input in words, e.g. "42".
fn what(kind: Kind, exchange: &Exchange) -> String {
    let sent = exchange.arguments().and_then(|a| a.pointer(place(exchange)));
    match (kind, sent) {
        (Kind::MissingRequired, _) => "a call without it".to_owned(),
        (Kind::ExtraParameter, _) => "a parameter that the schema rules out".to_owned(),
        (Kind::Empty, Some(value)) => format!("{value}, which is empty,"),
        (Kind::AsText, Some(value)) => format!("the text {value}"),
        (Kind::OutOfRange, Some(value @ (Value::String(_) | Value::Array(_)))) => {
            let length = value.as_str().map(|s| s.chars().count());
            let size = length.or(value.as_array().map(Vec::len)).unwrap_or_default();
            format!("a value {} ({size})", exchange.label)
        }
        (_, Some(value)) => quote(&value.to_string()),
        (_, None) => "a wrong value".to_owned(),
    }
}
