//! What a request over HTTP is answered with: address, verbs, media types, status of errors.

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::{Exchange, Reply};
use crate::probes::http::{PLAIN, PROBE};
use crate::probes::revisions;
use crate::spec::{Conversation, Door, Judgement, Requirement, Ruling, Visit, jammed, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/http-endpoint",
    title: "One address takes POST and GET and answers in a media type clients read",
    facet: Facet::Protocol,
    severity: Severity::High,
    class: None,
    requirements: &[
        rule("HTTP-01", one_address),
        jammed("HTTP-02", media),
        rule("HTTP-07", get),
        rule("HTTP-11", strangers),
        rule("HTTP-33", error_status),
    ],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &PROBE],
    page: include_str!("http_endpoint.md"),
    judge: by_rules,
};

const FIX_GET: &str =
    "answer GET with `text/event-stream`, or with 405 if the server never speaks first";

fn one_address(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let post = talk.visit(PROBE.id, PLAIN)?;
    let get = talk.visit(PROBE.id, "GET")?;
    let says = format!("POST answered {}, GET {}", post.status(), get.status());
    let lost = post.status() == 404 || get.status() == 404 && !talk.revision.is_stateless();
    Ok(match lost {
        true => Ruling::fail(says, "serve POST and GET under the same path"),
        false => Ruling::pass(says),
    }
    .seen_in(get.x.id))
}

fn media(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let visit = match talk.door {
        Door::Open | Door::Locked => talk.visit(PROBE.id, PLAIN)?,
        Door::Jammed => opening(talk)?,
    };
    if !visit.is_success() {
        return Err(Ruling::unseen(format!("{PLAIN}: {}", visit.shown())).seen_in(visit.x.id));
    }
    let says = match visit.media() {
        "" => "a request was answered without a content type".to_owned(),
        media => format!("a request was answered as {media}"),
    };
    let media = visit.media().to_ascii_lowercase();
    let proper = ["application/json", "text/event-stream"].contains(&media.as_str());
    let fix = "name `application/json` or `text/event-stream` as the content type of the answer";
    Ok(match proper {
        true => Ruling::pass(says),
        false => Ruling::fail(says, fix),
    }
    .seen_in(visit.x.id))
}

/// The question that opens a session, where its answer is a message.
fn opening<'a>(talk: &Conversation<'a>) -> Result<Visit<'a>, Ruling> {
    let spoke = |x: &&Exchange| matches!(&*x.reply, Reply::Malformed { raw, .. } if raw.contains("\"jsonrpc\""));
    let answered = talk.exchanges().filter(spoke);
    let mut visits = answered.filter_map(|x| Some(Visit { x, facts: x.http.as_ref()? }));
    visits.next().ok_or_else(|| Ruling::unseen("no message came to a request"))
}

fn get(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let visit = talk.visit(PROBE.id, "GET")?;
    let says = format!("GET answered {} {}", visit.status(), visit.media());
    let says = says.trim_end();
    Ok(match visit.status() {
        405 => Ruling::pass(says),
        200 if visit.stream().is_some() => Ruling::pass(says),
        // Rules about sessions and streams may stand in the way.
        400 | 401 | 403 | 404 | 406 | 409 => Ruling::partial(says, FIX_GET),
        _ => Ruling::fail(says, FIX_GET),
    }
    .seen_in(visit.x.id))
}

fn strangers(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let labels = ["only JSON accepted", "only HTML accepted", "sent as plain text"];
    record(talk, &labels)
}

fn error_status(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    record(talk, &["unknown method"])
}

/// Nothing is due here: what was seen is written down.
fn record(talk: &Conversation<'_>, labels: &[&str]) -> Judgement {
    let visits = labels.iter().map(|label| talk.visit(PROBE.id, label));
    let visits: Vec<Visit<'_>> = visits.collect::<Result<_, _>>()?;
    let shown = labels.iter().zip(&visits).map(|(label, v)| format!("{label}: {}", v.shown()));
    let ruling = Ruling::pass(shown.collect::<Vec<_>>().join("; "));
    Ok(visits.iter().fold(ruling, |ruling, v| ruling.seen_in(v.x.id)))
}
