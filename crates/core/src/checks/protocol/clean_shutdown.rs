//! How hard a stdio server has to be pushed to leave.

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::Push;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/clean-shutdown",
    title: "The server leaves when its input closes",
    facet: Facet::Protocol,
    severity: Severity::Low,
    class: None,
    requirements: &[rule("LIFE-26", leaves)],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("clean_shutdown.md"),
    judge: by_rules,
};

/// A server is started several times in a run; the most stubborn end counts.
fn leaves(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "end the process when stdin reaches end of file: stop timers, watchers and open connections that keep it alive";
    let asked = talk.evidence.departures.iter().filter(|d| !d.unexpected);
    let ours = asked.filter(|d| talk.includes(d.connection));
    Ok(match ours.filter_map(|d| d.needed).max() {
        Some(Push::StdinClosed) => Ruling::pass("it left by itself when stdin closed"),
        Some(Push::Term) => Ruling::partial("it stayed when stdin closed and left on SIGTERM", fix),
        Some(Push::Kill) => {
            Ruling::fail("it stayed when stdin closed, ignored SIGTERM and had to be killed", fix)
        }
        None => Ruling::unseen("it was gone before it could be asked to leave"),
    })
}
