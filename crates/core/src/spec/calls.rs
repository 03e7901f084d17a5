//! Calls of tools as one conversation has them.

use serde_json::Value;

use super::{Conversation, Judgement, Ruling};
use crate::evidence::Exchange;
use crate::response::quote;

impl<'a> Conversation<'a> {
    /// Every final result of a tool in this revision.
    pub fn tool_results(&self) -> Vec<(&'a Exchange, &'a Value)> {
        let unfinished = |r: &Value| {
            let asks_back = r.get("resultType").and_then(Value::as_str) == Some("input_required");
            asks_back || r.get("task").is_some() && r.get("content").is_none()
        };
        self.exchanges()
            .filter(|x| x.send.method() == Some("tools/call"))
            .filter_map(|x| Some((x, x.result()?)))
            .filter(|(_, r)| !unfinished(r))
            .collect()
    }

    /// Judges each result that a question applies to; the worst counts.
    pub fn each_call(
        &self,
        none: &str,
        judge: impl Fn(&'a Exchange, &'a Value) -> Option<Ruling>,
    ) -> Judgement {
        let all = self.tool_results();
        if all.is_empty() {
            return Err(Ruling::not_testable("no call of a tool gave a result"));
        }
        let rulings = all.into_iter().filter_map(|(x, r)| Some(judge(x, r)?.seen_in(x.id)));
        Ruling::worst(rulings).ok_or_else(|| Ruling::not_testable(none))
    }
}

/// The name in a `tools/call`.
pub fn tool_of(x: &Exchange) -> &str {
    x.send.params().and_then(|p| p.get("name")?.as_str()).unwrap_or_default()
}

/// A pass, or what is wrong with the result of this call.
pub fn called(x: &Exchange, flaw: Option<String>, good: &str, fix: &str) -> Ruling {
    match flaw {
        None => Ruling::pass(good),
        Some(flaw) => Ruling::fail(format!("{}: {flaw}", quote(tool_of(x))), fix),
    }
}
