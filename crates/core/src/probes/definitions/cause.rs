//! Why a definition is told otherwise than at first.

use super::{ALIKE, Telling};
use crate::drift::Shift;
use crate::evidence::{ClientName, Evidence, Exchange, Incoming};
use crate::probe::Connection;
use crate::revision::Revision;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// On one and the same connection, unannounced.
    Later,
    /// The same, announced, and with orders to the model that were not there.
    Ordered,
    /// On a connection that was opened just as the first.
    Start,
    /// Only clients of this name are told so.
    Name(ClientName),
    Unknown,
}

impl Cause {
    /// `None` where it is in order.
    pub fn of(
        evidence: &Evidence,
        method: &str,
        all: &[&Telling<'_>],
        t: &Telling<'_>,
    ) -> Option<Cause> {
        let here = |o: &&&Telling<'_>| o.x.on == t.x.on && o.x.id < t.x.id;
        let was_as_first =
            t.x.on == Connection::Main || all.iter().filter(here).any(|o| o.shifts.is_empty());
        if was_as_first {
            return match is_announced(evidence, method, t.x) {
                false => Some(Cause::Later),
                true => t.shifts.iter().any(Shift::brings_orders).then_some(Cause::Ordered),
            };
        }
        let Connection::Side(side) = t.x.on else { return Some(Cause::Unknown) };
        let alike = all.iter().find(|o| o.x.label.ends_with(ALIKE));
        match alike.map(|o| o.shifts == t.shifts) {
            Some(true) => Some(Cause::Start),
            None => Some(Cause::Unknown),
            Some(false) => {
                // Clients that can do less may be told so; a name is no ability.
                let own = |o: &&&Telling<'_>| name_on(evidence, o.x) == ClientName::Proofmark;
                let by_name = side.client.name != ClientName::Proofmark
                    && all.iter().filter(own).all(|o| o.shifts != t.shifts);
                by_name.then_some(Cause::Name(side.client.name))
            }
        }
    }

    pub fn told(self) -> String {
        match self {
            Cause::Later => "changed after some calls, unannounced".to_owned(),
            Cause::Ordered => "gives the model orders after some calls".to_owned(),
            Cause::Start => "is another on a later connection".to_owned(),
            Cause::Name(name) => format!("is another for the client {}", name.as_str()),
            Cause::Unknown => "is another on another connection".to_owned(),
        }
    }
}

fn name_on(evidence: &Evidence, x: &Exchange) -> ClientName {
    match x.on {
        Connection::Main => evidence.conditions.client.name,
        Connection::Side(side) => side.client.name,
    }
}

/// The connection was told that this list changes. Without a handshake, only who subscribed is told.
fn is_announced(evidence: &Evidence, method: &str, x: &Exchange) -> bool {
    let kind = method.split('/').next().unwrap_or_default();
    let notice = format!("notifications/{kind}/list_changed");
    let on = |connection: u32| {
        let link = evidence.links.iter().find(|l| l.connection == connection);
        link.map_or(Connection::Main, |l| Connection::Side(l.side))
    };
    let revision = match x.on {
        Connection::Main => evidence.revision(),
        Connection::Side(side) => side.handshake,
    };
    let stateless = revision.is_some_and(Revision::is_stateless);
    let before = |i: &Incoming| i.at.0 <= x.started.0 + x.took.0;
    let told = |i: &Incoming| i.method == notice && before(i);
    evidence.incoming.iter().any(|i| told(i) && (stateless || on(i.connection) == x.on))
}
