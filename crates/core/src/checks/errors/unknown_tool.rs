//! A call of a tool that does not exist.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Subject};
use crate::probes::unknown_tool::PROBE;
use crate::response::{Answer, quote};
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "errors/unknown-tool",
    title: "A call of an unknown tool is refused",
    facet: Facet::ErrorQuality,
    severity: Severity::Medium,
    class: None,
    requirements: &[served("TOOL-20")],
    revisions: Revisions::All,
    needs: &[&PROBE],
    page: include_str!("unknown_tool.md"),
    judge,
};

const INVALID_PARAMS: i64 = -32602;
const INTERNAL_ERROR: i64 = -32603;

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    evidence.of(PROBE.id).map(|x| verdict(evidence, x).seen_in(x.id)).collect()
}

fn verdict(evidence: &Evidence, exchange: &Exchange) -> Finding {
    const FIX: &str = "answer `tools/call` for a name that is not in `tools/list` with the JSON-RPC error -32602 and a message that names the tool";
    let partial = |grade, says| Finding::partial(Subject::Server, Grade::new(grade), says, FIX);
    match Answer::of(evidence, exchange) {
        Answer::Refused { code: INVALID_PARAMS, message } => {
            Finding::pass(Subject::Server, format!("refused with -32602: \"{}\"", quote(&message)))
        }
        Answer::Refused { code: INTERNAL_ERROR, message } => partial(
            0.5,
            format!("refused with -32603, which blames the server: \"{}\"", quote(&message)),
        ),
        Answer::Refused { code, message } => {
            partial(0.75, format!("refused with {code} instead of -32602: \"{}\"", quote(&message)))
        }
        Answer::ToolError(text) => partial(
            0.75,
            format!("answered as if a tool had run and failed (isError): \"{}\"", quote(&text)),
        ),
        Answer::Accepted => Finding::fail(
            Subject::Server,
            format!("answered as a success: \"{}\"", quote(&exchange.reply.text())),
            FIX,
        ),
        Answer::Malformed(why) => {
            Finding::fail(Subject::Server, format!("answered with a broken message: {why}"), FIX)
        }
        Answer::Crashed => Finding::fail(Subject::Server, "the server died of it", FIX),
        Answer::Hung => Finding::unseen(Subject::Server, "no answer in the time allowed"),
        Answer::Unseen(why) => Finding::unseen(Subject::Server, why),
    }
}
