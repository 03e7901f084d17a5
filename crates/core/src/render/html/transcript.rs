//! Every exchange as a short row: who asked whom for what, what came back, how long it took.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::{Value, json};

use super::texts::Pool;
use crate::check::Outcome;
use crate::evidence::{Evidence, Exchange, HttpFacts, Reply};
use crate::probe::{Connection, Send};
use crate::report::Report;

#[derive(Debug, Default, Serialize)]
pub(super) struct Table<'a> {
    probes: Vec<&'a str>,
    /// Tools that were called, also those the server does not have.
    tools: Vec<usize>,
    /// Their places in the report's list.
    listed: Vec<Option<usize>>,
    rows: Vec<Row>,
}

/// Probe, label, subject, tool, connection, kind of reply, microseconds, request, reply.
#[derive(Debug, Serialize)]
struct Row(usize, usize, usize, Option<usize>, usize, &'static str, u64, usize, usize);

pub(super) fn table<'a>(report: &Report, evidence: &'a Evidence, pool: &mut Pool) -> Table<'a> {
    let cited: BTreeSet<u32> = report
        .findings
        .iter()
        .filter(|f| f.outcome == Outcome::Fail)
        .flat_map(|f| f.seen_in.iter().take(2))
        .map(|x| x.0)
        .collect();
    let reused: BTreeSet<u32> =
        evidence.reuse.iter().flat_map(|r| &r.exchanges).map(|x| x.0).collect();
    let (mut probes, mut tools) = (Names::default(), Names::default());
    let rows = evidence
        .transcript
        .iter()
        .map(|x| {
            let cited = cited.contains(&x.id.0);
            Row(
                probes.place(&x.probe),
                pool.add(&x.label),
                pool.add(&x.subject.to_string()),
                x.subject.tool().map(|t| tools.place(t)),
                pool.add(&match reused.contains(&x.id.0) {
                    true => "earlier run".to_owned(),
                    false => connection(&x.on),
                }),
                x.reply.kind(),
                x.took.0,
                pool.add_lines(&sent(x), cited),
                pool.add_lines(&came(x), cited),
            )
        })
        .collect();
    let listed = |name: &&str| report.tools.iter().position(|t| t.name == **name);
    Table {
        probes: probes.list,
        listed: tools.list.iter().map(listed).collect(),
        tools: tools.list.iter().map(|name| pool.add(name)).collect(),
        rows,
    }
}

/// Names in order of appearance.
#[derive(Debug, Default)]
struct Names<'a> {
    list: Vec<&'a str>,
    places: BTreeMap<&'a str, usize>,
}

impl<'a> Names<'a> {
    fn place(&mut self, name: &'a str) -> usize {
        *self.places.entry(name).or_insert_with(|| {
            self.list.push(name);
            self.list.len() - 1
        })
    }
}

fn connection(on: &Connection) -> String {
    match on {
        Connection::Main => "main".to_owned(),
        Connection::Side(side) => match side.handshake {
            Some(revision) => format!("side {revision}"),
            None => format!("bare {}", side.number),
        },
    }
}

fn sent(exchange: &Exchange) -> String {
    let message = |method: &str, params: &Option<Value>| match params {
        Some(params) => json!({"method": method, "params": params}).to_string(),
        None => json!({"method": method}).to_string(),
    };
    let http = |verb: &str, url: &str, headers: &[(String, String)], body: &Option<String>| {
        let mut lines = vec![format!("{verb} {url}").trim().to_owned()];
        lines.extend(headers.iter().map(|(name, value)| format!("{name}: {value}")));
        lines.extend(body.iter().flat_map(|b| [String::new(), b.clone()]));
        lines.join("\n")
    };
    match &exchange.send {
        Send::Request { method, params, .. } | Send::Notification { method, params } => {
            message(method, params)
        }
        Send::Raw { text, .. } => text.clone(),
        Send::Http { verb, headers, body } => http(verb, "", headers, body),
        Send::Aside { verb, url, headers, body } => http(verb, url, headers, body),
        Send::Listen { ms } => format!("nothing was sent; listened for {ms} ms"),
    }
}

fn came(exchange: &Exchange) -> String {
    let said = match &*exchange.reply {
        Reply::Result { value } => value.to_string(),
        Reply::Error { code, message, data: None } => {
            json!({"code": code, "message": message}).to_string()
        }
        Reply::Error { code, message, data: Some(data) } => {
            json!({"code": code, "message": message, "data": data}).to_string()
        }
        Reply::Malformed { raw, why } => format!("{why}:\n{raw}"),
        Reply::Silence => "nothing came back".to_owned(),
        Reply::TimedOut { .. } | Reply::Disconnected | Reply::Skipped { .. } => {
            exchange.reply.why_unseen().unwrap_or_default()
        }
    };
    match &exchange.http {
        Some(facts) => format!("{}\n\n{said}", head(facts)),
        None => said,
    }
}

fn head(facts: &HttpFacts) -> String {
    let mut lines = vec![format!("HTTP {}", facts.status)];
    lines.extend(facts.headers.iter().map(|(name, value)| format!("{name}: {value}")));
    lines.join("\n")
}
