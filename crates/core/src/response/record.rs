//! What all responses of one tool come to.

use std::collections::BTreeMap;

use super::{Category, Classification, Context, Validation, overall_confidence, validate};
use crate::evidence::{Evidence, Exchange};

/// The scenarios of one tool and what was made of them.
#[derive(Debug, Clone, Default)]
pub struct Record {
    pub validations: Vec<(Category, Validation)>,
    /// Scenarios that came to nothing that can be judged.
    pub unseen: Vec<Category>,
}

impl Record {
    /// Of every tool that has a scenario, by name.
    pub fn all(evidence: &Evidence) -> BTreeMap<&str, Record> {
        let mut records: BTreeMap<&str, Record> = BTreeMap::new();
        for exchange in &evidence.transcript {
            let Some((tool, category)) = exchange.subject.tool().zip(Category::of(exchange)) else {
                continue;
            };
            records.entry(tool).or_default().add(evidence, exchange, category);
        }
        records
    }

    fn add(&mut self, evidence: &Evidence, exchange: &Exchange, category: Category) {
        match Context::of(evidence, exchange) {
            Some(context) => self.validations.push((category, validate(&context))),
            None => self.unseen.push(category),
        }
    }

    /// By our rule: a success is needed to be working at all, and no failure to be fully so.
    /// `None` when nothing could be judged.
    pub fn ours(&self) -> Option<Classification> {
        let happy: Vec<Classification> = self
            .validations
            .iter()
            .filter(|(category, _)| *category == Category::HappyPath)
            .map(|(_, v)| v.ours)
            .collect();
        // The best class comes first: one success shows that the tool can.
        let best = *happy.iter().min()?;
        Some(match best {
            Classification::FullyWorking => {
                let failed = self.validations.iter().any(|(_, v)| v.failed());
                if failed { Classification::PartiallyWorking } else { best }
            }
            Classification::PartiallyWorking => best,
            // No success: the worst that happened says more than a polite refusal.
            Classification::ConnectivityOnly | Classification::Error | Classification::Broken => {
                happy.into_iter().max().unwrap_or(best)
            }
        })
    }

    /// By the guide's rule: all scenarios passed, most, or at least one executed.
    pub fn seed(&self) -> Option<Classification> {
        let total = self.validations.len();
        let works = |v: &Validation| v.seed == Classification::FullyWorking;
        let passed = self.validations.iter().filter(|(_, v)| works(v)).count();
        (total > 0).then_some(match () {
            () if passed == total => Classification::FullyWorking,
            () if passed * 2 > total => Classification::PartiallyWorking,
            () => Classification::ConnectivityOnly,
        })
    }

    /// 0 to 100, over all scenarios by our classes.
    pub fn confidence(&self) -> Option<f64> {
        overall_confidence(self.validations.iter().map(|(_, v)| (v.ours, v.confidence)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages;

    fn record(exchanges: &str) -> Record {
        let snippet =
            format!(r#"{{"tools": [{{"name": "get_note"}}], "exchanges": [{exchanges}]}}"#);
        let evidence = pages::evidence(&snippet).unwrap();
        Record::all(&evidence).remove("get_note").unwrap_or_default()
    }

    fn call(probe: &str, reply: &str) -> String {
        format!(
            r#"{{"probe": "{probe}", "tool": "get_note", "label": "typical", "arguments": {{"id": "n-1"}}, "reply": {reply}}}"#
        )
    }

    const FINE: &str = r#"{"text": "the note"}"#;
    const MISSING: &str = r#"{"tool_error": "note n-1 not found"}"#;
    const TRACE: &str = r#"{"tool_error": "not found\n    at read (/srv/a.js:88:13)"}"#;

    #[test]
    fn a_tool_that_passes_every_scenario_works_fully() {
        let tool = record(&[call("valid-call", FINE), call("edge-values", MISSING)].join(","));
        assert_eq!(tool.ours(), Some(Classification::FullyWorking));
        assert_eq!(tool.seed(), Some(Classification::FullyWorking));
        assert_eq!(tool.confidence(), Some(100.0));
    }

    #[test]
    fn a_success_beside_a_refusal_of_an_invented_id_is_no_failure() {
        let tool = record(&[call("valid-call", FINE), call("valid-call", MISSING)].join(","));
        assert_eq!(tool.ours(), Some(Classification::FullyWorking));
        assert_eq!(tool.confidence(), Some(54.5));
    }

    #[test]
    fn a_tool_with_one_success_and_a_failure_works_in_part() {
        let tool = record(&[call("valid-call", FINE), call("edge-values", TRACE)].join(","));
        assert_eq!(tool.ours(), Some(Classification::PartiallyWorking));
    }

    #[test]
    fn a_tool_that_only_ever_refuses_is_working_by_its_name_and_merely_connected_by_ours() {
        let tool = record(&call("valid-call", MISSING));
        assert_eq!(tool.seed(), Some(Classification::FullyWorking));
        assert_eq!(tool.ours(), Some(Classification::ConnectivityOnly));
        assert_eq!(tool.confidence(), Some(9.0));
        let worse = record(&[call("valid-call", MISSING), call("valid-call", TRACE)].join(","));
        assert_eq!(worse.ours(), Some(Classification::Broken));
    }

    #[test]
    fn skipped_and_hostile_calls_are_not_judged() {
        let skipped = r#"{"skipped": {"because": "passive"}}"#;
        let tool = record(&call("valid-call", skipped));
        assert_eq!((tool.ours(), tool.seed(), tool.confidence()), (None, None, None));
        assert_eq!(tool.unseen, [Category::HappyPath]);
        assert!(record(&call("command-injection", FINE)).validations.is_empty());
    }
}
