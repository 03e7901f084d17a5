//! The typical call again and again, with nothing else in flight, on tools that only read.

use crate::evidence::{Evidence, Profile, Tool};
use crate::probe::{Call, Lane, Probe, Risk};
use crate::probes::valid_call;
use crate::seed::Seed;

pub const PROBE: Probe = Probe { id: "repeat", hostile: false, lane: Lane::Alone, plan };

fn plan(evidence: &Evidence, _: Seed) -> Vec<Call> {
    let times = match evidence.conditions.profile {
        Profile::Quick => 3,
        Profile::Standard => 5,
        Profile::Deep => 10,
    };
    let reading = evidence.tools().filter(|t| evidence.risk_of(&t.name) == Risk::Reads);
    reading
        .filter(|t| valid_call::succeeded(evidence, &t.name))
        .flat_map(|t| calls(evidence, t, times))
        .collect()
}

fn calls(evidence: &Evidence, tool: &Tool, times: u32) -> Vec<Call> {
    let sent = valid_call::working(evidence, &tool.name).and_then(|x| x.arguments());
    let again = sent.into_iter().flat_map(|arguments| {
        (1..=times).map(move |n| Call::tool(&tool.name, n.to_string(), arguments.clone()))
    });
    again.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages;

    #[test]
    fn only_reading_tools_that_work_are_repeated() {
        let snippet = r#"{"profile": "quick", "tools": [{"name": "get_time"}, {"name": "set_time"}, {"name": "get_broken"}],
            "exchanges": [
              {"probe": "valid-call", "tool": "get_time", "label": "typical", "reply": {"text": "12:00"}},
              {"probe": "valid-call", "tool": "set_time", "label": "typical", "reply": {"text": "done"}},
              {"probe": "valid-call", "tool": "get_broken", "label": "typical", "reply": {"tool_error": "no"}}]}"#;
        let calls = plan(&pages::evidence(snippet).unwrap(), Seed(1));
        let seen: Vec<String> =
            calls.iter().map(|c| format!("{} {}", c.subject, c.label)).collect();
        assert_eq!(seen, ["get_time 1", "get_time 2", "get_time 3"]);
    }
}
