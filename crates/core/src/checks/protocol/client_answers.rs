//! What tools make of the answers they ask for: a no, and a form filled in wrongly.

use super::client_requests::is_request;
use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{Exchange, Incoming, Reply};
use crate::probe::Connection;
use crate::probes::profiles::{NO, PROBE, WRONG};
use crate::probes::{features, revisions, valid_call};
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/client-answers",
    title: "Tools that ask take a no, and no answer that their form does not allow",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[rule("S2C-09", declined), rule("S2C-12", checked)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &valid_call::PROBE, &features::PROBE, &PROBE],
    page: include_str!("client_answers.md"),
    judge: by_rules,
};

/// What the server asked for during this call.
fn asked<'a>(talk: &Conversation<'a>, x: &Exchange) -> Vec<&'a Incoming> {
    let links = &talk.evidence.links;
    let here = |i: &Incoming| {
        let own = |l: &crate::evidence::Link| Connection::Side(l.side) == x.on;
        links.is_empty() || links.iter().any(|l| l.connection == i.connection && own(l))
    };
    let time = x.started.0..=x.started.0 + x.took.0;
    let during = |i: &Incoming| here(i) && time.contains(&i.at.0);
    talk.incoming().filter(|i| is_request(i) && during(i)).collect()
}

/// Whether the call itself asked, as far as one can tell: many servers ask for the roots on their own
/// account, a while after they are connected, and whatever is under way then did not make them.
fn surely_asks(asked: &[&Incoming]) -> bool {
    asked.iter().any(|i| i.method != "roots/list")
}

/// Calls of tools under this label, during which the client was asked for something.
fn asking<'a>(talk: &Conversation<'a>, label: &str) -> Vec<&'a Exchange> {
    let calls = talk.of(PROBE.id).filter(|x| x.subject.tool().is_some());
    calls.filter(|x| x.label.starts_with(label) && !asked(talk, x).is_empty()).collect()
}

fn declined(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "end the call with a result that says what is missing when the client says no";
    let rulings = asking(talk, NO).into_iter().filter_map(|x| {
        let says = format!("{} {}: {}", x.subject, x.label, talk.shown(x));
        let ruling = match &*x.reply {
            Reply::Result { .. } | Reply::Error { .. } if !surely_asks(&asked(talk, x)) => {
                return None;
            }
            Reply::Result { .. } | Reply::Error { .. } => {
                Ruling::pass("calls end when the client says no")
            }
            // Over HTTP a stream that ends without an answer.
            Reply::Malformed { .. } | Reply::TimedOut { .. } => Ruling::fail(says, fix),
            Reply::Disconnected if talk.died_of(x) => Ruling::fail(says, fix),
            Reply::Silence | Reply::Disconnected | Reply::Skipped { .. } => Ruling::unseen(says),
        };
        Some(ruling.seen_in(x.id))
    });
    Ruling::worst(rulings)
        .ok_or_else(|| Ruling::not_testable("nothing was asked of a client that says no"))
}

/// Refused, asked again, or taken for no answer at all: what comes then is what a no gives.
fn checked(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let is_form = |i: &Incoming| {
        i.method == "elicitation/create"
            && i.params.as_ref().is_some_and(|p| p.get("requestedSchema").is_some())
    };
    let fix = "check what was filled in against the schema of the form, and ask again or refuse";
    let rulings = asking(talk, WRONG).into_iter().filter_map(|x| {
        let forms = asked(talk, x).into_iter().filter(|i| is_form(i)).count();
        let no = asking(talk, NO).into_iter().find(|no| no.subject == x.subject);
        let result = x.result().filter(|_| !x.reply.is_tool_error());
        let says = format!("{} {}: {}", x.subject, x.label, talk.shown(x));
        let ruling = match (forms, result) {
            (0, _) => return None,
            (1, Some(result)) => match no.map(|no| no.result() == Some(result)) {
                Some(true) => Ruling::pass("a wrong answer is taken for none"),
                Some(false) => Ruling::fail(says, fix),
                None => Ruling::unseen(format!("{}: no other answer to compare", x.subject)),
            },
            (_, _) if matches!(*x.reply, Reply::Result { .. } | Reply::Error { .. }) => {
                Ruling::pass("a wrong answer is refused, or asked for again")
            }
            (_, _) => Ruling::unseen(says),
        };
        Some(ruling.seen_in(x.id))
    });
    Ruling::worst(rulings).ok_or_else(|| Ruling::not_testable("no form was there to fill in"))
}
