//! A conversation: all that was said in one revision, on whichever connection.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Door, Due, Kind, Level, Named, Requirement, Ruling};
use crate::evidence::{
    Anomaly, Departure, Evidence, Exchange, ExchangeId, Frame, Handshake, Incoming, Link, Reply,
    ServerInfo,
};
use crate::probe::{Connection, Send, Side};
use crate::response::quote;
use crate::revision::Revision;
use crate::target::Transport;

/// `Err` is a ruling too, reached early: what was needed is not there.
pub type Judgement = Result<Ruling, Ruling>;

static NO_HANDSHAKE: Handshake = Handshake {
    revision: Revision::NEWEST_HANDSHAKE,
    answered: String::new(),
    supported: Vec::new(),
    server: ServerInfo { name: None, version: None, title: None },
    capabilities: Value::Null,
    instructions: None,
    exchange: ExchangeId(0),
};

/// The evidence of one revision.
#[derive(Debug)]
pub struct Conversation<'a> {
    pub evidence: &'a Evidence,
    pub revision: Revision,
    /// Empty where we were turned away.
    pub handshake: &'a Handshake,
    pub door: Door,
    exchanges: Vec<&'a Exchange>,
    /// Connections that spoke another revision, or none.
    foreign: BTreeSet<u32>,
    own: BTreeSet<u32>,
    on_main: bool,
}

impl<'a> Conversation<'a> {
    /// One for every revision in which a session came about, oldest first.
    pub fn all(evidence: &'a Evidence) -> Vec<Conversation<'a>> {
        let main = evidence.handshake.as_ref();
        let spoken = evidence.links.iter().filter_map(|l| l.handshake.as_ref());
        let revisions: BTreeSet<Revision> = spoken.chain(main).map(|h| h.revision).collect();
        revisions.into_iter().filter_map(|r| Conversation::of_revision(evidence, r)).collect()
    }

    /// What was said at the door of a server that let us in to no session. The revision is a guess,
    /// except on the transport that only one has.
    pub fn at_the_door(evidence: &'a Evidence) -> Option<Conversation<'a>> {
        let door = Door::of(evidence).filter(|door| *door != Door::Open)?;
        let revision = match evidence.conditions.transport {
            Transport::Sse => Revision::V2024_11_05,
            Transport::Stdio | Transport::Http | Transport::None => {
                evidence.conditions.pinned.unwrap_or(Revision::NEWEST_HANDSHAKE)
            }
        };
        Some(Conversation {
            evidence,
            revision,
            handshake: &NO_HANDSHAKE,
            door,
            exchanges: within_session(evidence).collect(),
            foreign: BTreeSet::new(),
            own: BTreeSet::new(),
            on_main: true,
        })
    }

    fn of_revision(evidence: &'a Evidence, revision: Revision) -> Option<Conversation<'a>> {
        let here = |link: &&Link| link.handshake.as_ref().is_some_and(|h| h.revision == revision);
        let main = evidence.handshake.as_ref().filter(|h| h.revision == revision);
        let links: Vec<&Link> = evidence.links.iter().filter(here).collect();
        let handshake = main.or_else(|| links.first()?.handshake.as_ref())?;
        let sides: BTreeSet<Side> = links.iter().map(|l| l.side).collect();
        let exchanges = within_session(evidence).filter(|x| match &x.on {
            Connection::Main => main.is_some(),
            Connection::Side(side) => sides.contains(side),
        });
        let own: BTreeSet<u32> = links.iter().map(|l| l.connection).collect();
        let foreign = evidence.links.iter().map(|l| l.connection).filter(|c| !own.contains(c));
        Some(Conversation {
            evidence,
            revision,
            handshake,
            door: Door::Open,
            exchanges: exchanges.collect(),
            foreign: foreign.collect(),
            own,
            on_main: main.is_some(),
        })
    }

    pub fn transport(&self) -> Transport {
        self.evidence.conditions.transport
    }

    /// Everything asked in this revision, in plan order.
    pub fn exchanges(&self) -> impl Iterator<Item = &'a Exchange> {
        self.exchanges.iter().copied()
    }

    pub fn of(&self, probe: &str) -> impl Iterator<Item = &'a Exchange> {
        self.exchanges().filter(move |x| x.probe == probe)
    }

    /// The call of a probe with this label, if the server had its say on it.
    pub fn asked(&self, probe: &str, label: &str) -> Result<&'a Exchange, Ruling> {
        let found = self.of(probe).find(|x| x.label == label);
        let x = found.ok_or_else(|| Ruling::unseen(format!("{}: not asked", self.bare(label))))?;
        match &*x.reply {
            Reply::Skipped { why } => Err(Ruling::unseen(why.to_string())),
            Reply::Result { .. }
            | Reply::Error { .. }
            | Reply::Malformed { .. }
            | Reply::Silence
            | Reply::TimedOut { .. }
            | Reply::Disconnected => Ok(x),
        }
    }

    /// The same for a label that carries the revision.
    pub fn put(&self, probe: &str, what: &str) -> Result<&'a Exchange, Ruling> {
        self.asked(probe, &super::sides::tagged(what, self.revision))
    }

    /// What such a label says besides.
    pub fn name<'x>(&self, x: &'x Exchange) -> &'x str {
        self.bare(&x.label)
    }

    fn bare<'x>(&self, label: &'x str) -> &'x str {
        label.strip_suffix(self.revision.as_str()).map_or(label, str::trim_end)
    }

    /// The result of a call that should succeed.
    pub fn result(&self, probe: &str, label: &str) -> Result<(&'a Exchange, &'a Value), Ruling> {
        let x = self.asked(probe, label)?;
        match x.result() {
            Some(value) => Ok((x, value)),
            None => Err(Ruling::unseen(format!("{label}: {}", self.shown(x))).seen_in(x.id)),
        }
    }

    /// Whether the connection of this call ended before the last call of its probe: what the server
    /// kept in memory may be gone.
    pub fn was_lost_after(&self, x: &Exchange) -> bool {
        let last = self.of(&x.probe).map(|later| later.started).max().unwrap_or(x.started);
        let same = |connection| {
            let mut links = self.evidence.links.iter();
            match links.find(|l| l.connection == connection) {
                Some(link) => x.on == Connection::Side(link.side),
                None => x.on == Connection::Main,
            }
        };
        let meanwhile = x.started..=last;
        let mut ends = self.evidence.departures.iter();
        ends.any(|d| d.unexpected && meanwhile.contains(&d.at) && same(d.connection))
    }

    /// Whether this connection belongs to the conversation.
    pub fn includes(&self, connection: u32) -> bool {
        self.own.contains(&connection) || self.on_main && !self.foreign.contains(&connection)
    }

    /// What the server started by itself.
    pub fn incoming(&self) -> impl Iterator<Item = &'a Incoming> {
        self.evidence.incoming.iter().filter(|i| self.includes(i.connection))
    }

    /// What the wire noticed.
    pub fn anomalies(&self) -> impl Iterator<Item = &'a Anomaly> {
        self.evidence.anomalies.iter().filter(|a| self.includes(a.connection))
    }

    /// The messages that answered this call, those of a batch one by one.
    pub fn messages(&self, x: &Exchange) -> Vec<Value> {
        let parsed = self.evidence.received(x).filter_map(Frame::message);
        parsed
            .flat_map(|message: Value| match message.as_array() {
                Some(messages) => messages.clone(),
                None => vec![message],
            })
            .collect()
    }

    /// Whether a capability is declared, e.g. `tools` or `resources/subscribe`. A flag counts when
    /// it is true.
    pub fn declares(&self, path: &str) -> bool {
        let mut at = &self.handshake.capabilities;
        for key in path.split('/') {
            match at.get(key) {
                Some(next) => at = next,
                None => return false,
            }
        }
        at.as_bool() != Some(false)
    }

    /// Without this capability the requirement does not apply.
    pub fn needs(&self, capability: &str) -> Result<(), Ruling> {
        match self.declares(capability) {
            true => Ok(()),
            false => Err(Ruling::not_applicable(format!("`{capability}` is not declared"))),
        }
    }

    /// Judges an answer by what the table says is due in this revision.
    pub fn answered(&self, row: &Requirement, x: &Exchange) -> Ruling {
        let Some(due) = row.due(self.revision) else {
            return Ruling::not_testable("the table names no answer for this revision");
        };
        let fix = format!("answer with {}", due.wanted());
        let says = format!("{}: {}", self.name(x), self.shown(x));
        let ruling = match self.kinds(x) {
            Err(ruling) => ruling,
            Ok(kinds) => {
                let met = |wanted: &[Kind]| kinds.iter().any(|k| wanted.contains(k));
                match (met(&due.full), met(&due.partial), self.wrong_status(due, x)) {
                    (true, _, None) => Ruling::pass(says),
                    (true, _, Some(status)) => {
                        let says = format!("{says}, but with HTTP status {status}");
                        match row.level(self.revision) {
                            Some(Level::Must) => Ruling::fail(says, fix),
                            Some(
                                Level::JsonRpc | Level::Schema | Level::Should | Level::Information,
                            )
                            | None => Ruling::partial(says, fix),
                        }
                    }
                    (false, true, _) => Ruling::partial(says, fix),
                    (false, false, _) => Ruling::fail(says, fix),
                }
            }
        };
        ruling.seen_in(x.id)
    }

    /// Every label of a probe judged by the table; the worst counts.
    pub fn all_answered(&self, row: &Requirement, probe: &str) -> Ruling {
        let rulings = self.of(probe).map(|x| match self.asked(probe, &x.label) {
            Ok(x) => self.answered(row, x),
            Err(ruling) => ruling,
        });
        Ruling::worst(rulings).unwrap_or_else(|| Ruling::unseen("not asked"))
    }

    fn wrong_status(&self, due: &Due, x: &Exchange) -> Option<u16> {
        let status = x.http.as_ref()?.status;
        (self.transport() == Transport::Http && due.status.is_some_and(|s| s != status))
            .then_some(status)
    }

    /// The kinds an answer counts as.
    fn kinds(&self, x: &Exchange) -> Result<Vec<Kind>, Ruling> {
        let named = |n| Ok(vec![Kind::Named(n)]);
        let refused = x.http.as_ref().is_some_and(|h| h.status >= 400);
        match &*x.reply {
            Reply::Error { code, .. } => Ok(vec![Kind::Code(*code), Kind::Named(Named::Error)]),
            Reply::Result { .. } if x.reply.is_tool_error() => named(Named::ToolError),
            Reply::Result { .. } => named(Named::Result),
            Reply::Malformed { .. } | Reply::Silence if refused => {
                Ok(vec![Kind::Named(Named::Refused), Kind::Named(Named::Error)])
            }
            Reply::Silence => named(Named::Silence),
            Reply::TimedOut { .. } if self.lived_on(x) => named(Named::Silence),
            Reply::Malformed { .. } => Ok(Vec::new()),
            Reply::Disconnected if self.died_of(x) => Ok(Vec::new()),
            Reply::TimedOut { .. } | Reply::Disconnected | Reply::Skipped { .. } => {
                Err(Ruling::unseen(x.reply.why_unseen().unwrap_or_default()))
            }
        }
    }

    /// A later call on the same connection was answered.
    pub fn lived_on(&self, x: &Exchange) -> bool {
        self.exchanges().any(|later| {
            later.id > x.id
                && later.on == x.on
                && matches!(*later.reply, Reply::Result { .. } | Reply::Error { .. })
        })
    }

    /// The server ended during this call.
    pub fn died_of(&self, x: &Exchange) -> bool {
        self.evidence.departures.iter().any(|d| d.unexpected && d.during == Some(x.id))
    }

    /// After this frame, and not before, the server answered nothing any more and was started anew.
    pub fn hung_on(&self, x: &Exchange) -> bool {
        let connection =
            |x: &Exchange| Some(self.evidence.frames.get(x.frames.first()?.0 as usize)?.connection);
        let Some(ours) = connection(x) else { return false };
        let hung = |x: &Exchange| matches!(*x.reply, Reply::TimedOut { .. });
        let answered =
            |x: &Exchange| matches!(*x.reply, Reply::Result { .. } | Reply::Error { .. });
        let beside = self.evidence.transcript.iter().filter(|y| connection(y) == Some(ours));
        let (before, after): (Vec<&Exchange>, Vec<&Exchange>) = beside.partition(|y| y.id < x.id);
        let gone = |d: &Departure| d.unexpected && d.connection == ours;
        hung(x)
            && !before.last().is_some_and(|y| hung(y))
            && !after.into_iter().any(answered)
            && self.evidence.departures.iter().any(gone)
    }

    /// An ordinary request of this kind, on another connection or earlier on this one, gets the very
    /// same error: the fault lies elsewhere.
    pub fn fails_anyway(&self, x: &Exchange, method: &str) -> bool {
        let ordinary = |y: &&Exchange| {
            y.id != x.id && y.probe != x.probe && matches!(y.send, Send::Request { .. })
        };
        let mut asked = self.exchanges().filter(|y| y.send.method() == Some(method));
        asked.any(|y| ordinary(&y) && y.reply == x.reply)
    }

    /// Where the reaction is left open: what it was, and whether the server survived it.
    pub fn survived(&self, x: &Exchange) -> Ruling {
        let says = format!("{}: {}", self.name(x), self.shown(x));
        let fix = "answer what you cannot read with an error and go on reading";
        // It may have answered first.
        if self.died_of(x) {
            return Ruling::fail(says, fix).seen_in(x.id);
        }
        match &*x.reply {
            Reply::TimedOut { .. } if self.hung_on(x) => Ruling::fail(says, fix),
            Reply::TimedOut { .. } if self.lived_on(x) => Ruling::pass(says),
            Reply::TimedOut { .. } | Reply::Disconnected | Reply::Skipped { .. } => {
                Ruling::unseen(says)
            }
            Reply::Result { .. }
            | Reply::Error { .. }
            | Reply::Malformed { .. }
            | Reply::Silence => Ruling::pass(says),
        }
        .seen_in(x.id)
    }

    /// What came back, in a few words.
    pub fn shown(&self, x: &Exchange) -> String {
        let status = x.http.as_ref().map(|h| format!(", HTTP {}", h.status)).unwrap_or_default();
        let then = if self.died_of(x) { ", then the server died of it" } else { "" };
        match &*x.reply {
            Reply::Error { code, message, .. } => {
                format!("error {code} \"{}\"{then}", quote(message))
            }
            Reply::Result { value } if x.reply.is_tool_error() => {
                format!("a result with isError \"{}\"", quote(&tool_text(value)))
            }
            Reply::Result { .. } => format!("a result{then}"),
            Reply::Malformed { why, .. } => format!("a broken answer, {}{status}", quote(why)),
            Reply::Silence => format!("silence{status}"),
            Reply::TimedOut { after_ms } => format!("no answer within {after_ms} ms"),
            Reply::Disconnected if self.died_of(x) => "the server died of it".to_owned(),
            Reply::Disconnected => "the connection ended".to_owned(),
            Reply::Skipped { why } => why.to_string(),
        }
    }
}

/// Documents that were fetched beside the session are no part of what was said in it.
fn within_session(evidence: &Evidence) -> impl Iterator<Item = &Exchange> {
    evidence.transcript.iter().filter(|x| !matches!(x.send, Send::Aside { .. }))
}

fn tool_text(value: &Value) -> String {
    Reply::Result { value: value.clone() }.text()
}

impl Due {
    fn wanted(&self) -> String {
        let kinds: Vec<String> = self.full.iter().map(ToString::to_string).collect();
        match self.status {
            Some(status) => format!("{} (over HTTP with status {status})", kinds.join(" or ")),
            None => kinds.join(" or "),
        }
    }
}
