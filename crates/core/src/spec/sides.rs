//! Which further connections a protocol run opens: every revision on its own, and some bare ones.

use crate::evidence::{Evidence, Profile, Subject};
use crate::probe::{Call, Connection, Send, Side};
use crate::revision::Revision;
use crate::target::Transport;

/// The sides on which each revision is tried. A pinned or quick run keeps to one.
pub fn tried(evidence: &Evidence) -> Vec<Side> {
    let Some(main) = evidence.revision() else { return Vec::new() };
    let one = evidence.conditions.pinned.is_some() || evidence.conditions.profile == Profile::Quick;
    let wanted = |r: &Revision| match one {
        true => *r == main,
        // A server that did not take the stateless offer at first is not asked again.
        false => !r.is_stateless() || main.is_stateless(),
    };
    let carried = |r: &Revision| match evidence.conditions.transport {
        Transport::Sse => !r.is_stateless(),
        Transport::Stdio | Transport::Http | Transport::None => true,
    };
    Revision::ALL.into_iter().filter(wanted).filter(carried).map(Side::speaking).collect()
}

/// The sides that turned out to speak the revision they were opened for.
pub fn spoken(evidence: &Evidence) -> Vec<(Revision, Connection)> {
    let answered = |side: &Side| {
        let link = evidence.links.iter().rev().find(|l| l.side == *side)?;
        let revision = link.handshake.as_ref()?.revision;
        (side.handshake == Some(revision)).then_some((revision, Connection::Side(*side)))
    };
    tried(evidence).iter().filter_map(answered).collect()
}

/// The same calls in every revision that is spoken, by name.
pub fn on_each<N: AsRef<str>>(
    evidence: &Evidence,
    calls: impl Fn(Revision) -> Vec<(N, Send)>,
) -> Vec<Call> {
    let planned = |(revision, connection): (Revision, Connection)| {
        let call = move |(name, send): (N, Send)| {
            Call::new(Subject::Server, tagged(name.as_ref(), revision), send).on(connection)
        };
        calls(revision).into_iter().map(call).collect::<Vec<Call>>()
    };
    spoken(evidence).into_iter().flat_map(planned).collect()
}

/// A label of its own for each revision.
pub fn tagged(what: &str, revision: Revision) -> String {
    format!("{what} {revision}")
}
