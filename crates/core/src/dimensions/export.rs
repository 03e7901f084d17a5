//! Our own evidence as a recorded suite: the same evaluation, and the same file format for others.

use serde_json::{Value, json};

use super::case::{Case, Said};
use super::category::Category;
use super::recording::{RecordedTool, Recording};
use crate::attack;
use crate::evidence::{Evidence, Exchange, Reply};
use crate::probes::{Category as Scenario, generated};

impl Recording {
    /// The calls of tools that a run made, as cases.
    pub fn of_evidence(evidence: &Evidence) -> Recording {
        let tools = evidence
            .tools()
            .map(|tool| RecordedTool {
                name: tool.name.clone(),
                description: tool.description.clone(),
                args_schema: tool.input_schema.clone(),
            })
            .collect();
        let named = evidence.handshake.as_ref().and_then(|h| h.server.name.clone());
        Recording {
            server: named.unwrap_or_else(|| evidence.target.line()),
            tools,
            cases: evidence.transcript.iter().filter_map(|x| case(evidence, x)).collect(),
            aborted: false,
        }
    }

    /// The JSON of a `test_report_{server}.json`.
    pub fn to_json(&self, report_name: &str, timestamp: &str) -> Value {
        let mut results = serde_json::Map::new();
        for case in &self.cases {
            let of_tool = results.entry(case.tool.clone()).or_insert_with(|| json!([]));
            if let Value::Array(list) = of_tool {
                list.push(recorded(case));
            }
        }
        let tools: Vec<Value> = self
            .tools
            .iter()
            .map(|t| json!({"name": t.name, "description": t.description, "args_schema": t.args_schema}))
            .collect();
        let mut report = json!({
            "server_name": self.server,
            "report_name": report_name,
            "timestamp": timestamp,
            "tools": tools,
            "test_results": results,
            "total_cases": self.cases.len(),
        });
        if self.aborted {
            report["abnormal_termination"] = json!(true);
        }
        report
    }
}

fn recorded(case: &Case) -> Value {
    let response = match &case.said {
        Said::Result(text) => json!({"result": text}),
        Said::Error(text) => json!({"error": text}),
    };
    let mut entry = json!({
        "case_name": case.name,
        "purpose": case.purpose,
        "args": case.arguments,
        "response": response,
        "execution_time": case.seconds,
    });
    for (key, flag) in
        [("is_functional_test", case.functional), ("is_security_test", case.security)]
    {
        if let Some(flag) = flag {
            entry[key] = json!(flag);
        }
    }
    entry
}

/// Calls that no scenario and no attack planned test the protocol, which this evaluation leaves out.
fn case(evidence: &Evidence, exchange: &Exchange) -> Option<Case> {
    let tool = exchange.subject.tool().filter(|name| evidence.tool(name).is_some())?;
    let arguments = exchange.arguments().filter(|a| a.is_object())?;
    let (purpose, functional, security) = match Scenario::of(exchange) {
        Some(Scenario::HappyPath) => ("ordinary use", true, false),
        Some(Scenario::EdgeCase) => ("the edge of what is allowed", false, false),
        Some(Scenario::Boundary) => ("a boundary of the schema", false, false),
        Some(Scenario::ErrorCase) => ("error handling: input against the schema", false, false),
        None if exchange.oracle.is_some() => ("security: an attack", false, true),
        None => match generated(exchange)? {
            Category::Functional => ("ordinary use", true, false),
            Category::ErrorHandling => ("error handling", false, false),
            Category::Boundary => ("the edge of what is allowed", false, false),
            Category::Security => ("security: an attack", false, true),
        },
    };
    let proven = exchange.oracle.as_ref().map(|o| o.proof(evidence, exchange).is_some());
    // How often a timing is repeated is the clock's doing, and must not count. What merely takes long
    // is weighed by checks of its own, which know whether it was work.
    if exchange.is_timed() && !(proven == Some(true) && attack::is_delay(exchange)) {
        return None;
    }
    Some(Case {
        tool: tool.to_owned(),
        name: format!("{} {}: {}", exchange.id, exchange.probe, exchange.label),
        purpose: purpose.to_owned(),
        arguments: arguments.clone(),
        said: said(&exchange.reply)?,
        seconds: exchange.took.0 as f64 / 1e6,
        functional: Some(functional),
        security: Some(security),
        proven,
    })
}

fn generated(exchange: &Exchange) -> Option<Category> {
    let ours = [generated::PROBE.id, generated::HOSTILE.id].contains(&exchange.probe.as_str());
    ours.then(|| generated::category(&exchange.label)).flatten()
}

/// What a client of the recorded kind would have kept; `None` when the call was not made.
fn said(reply: &Reply) -> Option<Said> {
    match reply {
        Reply::Result { .. } if reply.is_tool_error() => Some(Said::Error(reply.text())),
        Reply::Result { value } => {
            let text = reply.text();
            let bare = text.is_empty() && value.get("content").is_some_and(has_content);
            Some(Said::Result(if bare { value.to_string() } else { text }))
        }
        Reply::Error { message, .. } => Some(Said::Error(message.clone())),
        Reply::Malformed { why, .. } => Some(Said::Error(format!("malformed answer: {why}"))),
        Reply::TimedOut { after_ms } => {
            let seconds = *after_ms as f64 / 1000.0;
            Some(Said::Error(format!("timed out after {seconds} s")))
        }
        Reply::Disconnected => Some(Said::Error("Connection closed".to_owned())),
        Reply::Silence | Reply::Skipped { .. } => None,
    }
}

fn has_content(content: &Value) -> bool {
    content.as_array().is_some_and(|blocks| !blocks.is_empty())
}
