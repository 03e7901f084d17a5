//! How hard a stdio server has to be pushed to leave.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Push, Subject};
use crate::spec::served;
use crate::target::Transport;

pub(super) const CHECK: Check = Check {
    id: "protocol/clean-shutdown",
    title: "The server leaves when its input closes",
    facet: Facet::Protocol,
    severity: Severity::Low,
    class: None,
    requirements: &[served("LIFE-26")],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("clean_shutdown.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    const FIX: &str = "end the process when stdin reaches end of file: stop timers, watchers and open connections that keep it alive";
    if evidence.conditions.transport != Transport::Stdio {
        return Vec::new();
    }
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let asked = evidence.departures.iter().filter(|d| !d.unexpected);
    // A server is started several times in a run; the most stubborn end counts.
    vec![match asked.filter_map(|d| d.needed).max() {
        Some(Push::StdinClosed) => {
            Finding::pass(Subject::Server, "it left by itself when stdin closed")
        }
        Some(Push::Term) => Finding::partial(
            Subject::Server,
            Grade::new(0.5),
            "it stayed when stdin closed and left on SIGTERM",
            FIX,
        ),
        Some(Push::Kill) => Finding::fail(
            Subject::Server,
            "it stayed when stdin closed, ignored SIGTERM and had to be killed",
            FIX,
        ),
        None => Finding::unseen(Subject::Server, "it was gone before it could be asked to leave"),
    }]
}
