//! Capabilities that are declared, and whose lists do not work.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Handshake, ListState, Reply, Subject};
use crate::response::quote;
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "protocol/declared-means-there",
    title: "What the server declares is there",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[served("LIFE-25")],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("declared_means_there.md"),
    judge,
};

const LISTS: &[(&str, &str)] = &[
    ("tools", "tools/list"),
    ("resources", "resources/list"),
    ("resources", "resources/templates/list"),
    ("prompts", "prompts/list"),
];

enum Found {
    Works,
    Missing(String),
    Unseen(String),
    NotAsked,
}

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let Some(handshake) = &evidence.handshake else {
        return vec![Finding::unseen(Subject::Server, "no session was opened")];
    };
    let (mut works, mut missing, mut unseen) = (Vec::new(), Vec::new(), Vec::new());
    for (capability, method) in LISTS.iter().filter(|(c, _)| handshake.declares(c)) {
        match look(evidence, method) {
            Found::Works => works.push(*method),
            Found::Missing(why) => missing.push(format!("`{capability}` is declared, {why}")),
            Found::Unseen(why) => unseen.push(format!("{method}: {why}")),
            Found::NotAsked => {}
        }
    }
    verdict(handshake, &works, &missing, &unseen).into_iter().collect()
}

fn verdict(
    handshake: &Handshake,
    works: &[&str],
    missing: &[String],
    unseen: &[String],
) -> Option<Finding> {
    let finding = if !missing.is_empty() {
        let share = works.len() as f64 / (works.len() + missing.len()) as f64;
        Finding::partial(
            Subject::Server,
            Grade::new(share),
            missing.join("; "),
            "answer the list method of every declared capability, with an empty list if need be, or do not declare it",
        )
    } else if !unseen.is_empty() {
        Finding::unseen(Subject::Server, unseen.join("; "))
    } else if !works.is_empty() {
        Finding::pass(Subject::Server, format!("declared and there: {}", works.join(", ")))
    } else {
        return None;
    };
    Some(finding.seen_in(handshake.exchange))
}

fn look(evidence: &Evidence, method: &str) -> Found {
    match evidence.inventory.listing(method).map(|l| &l.state) {
        Some(ListState::Complete | ListState::Loop { .. } | ListState::Capped { .. }) => {
            Found::Works
        }
        Some(ListState::Failed { why }) => match last_answer(evidence, method).map(|x| &*x.reply) {
            // Any other error may be that of what the list is made from.
            Some(Reply::Error { code, message, .. }) if *code != -32601 => {
                Found::Unseen(format!("{method} answers {code}: \"{}\"", quote(message)))
            }
            Some(Reply::Error { code, message, .. }) => {
                Found::Missing(format!("{method} answers {code}: \"{}\"", quote(message)))
            }
            Some(Reply::Result { .. } | Reply::Malformed { .. }) => {
                Found::Missing(format!("{method} answers no list: {}", quote(why)))
            }
            Some(
                Reply::Silence
                | Reply::TimedOut { .. }
                | Reply::Disconnected
                | Reply::Skipped { .. },
            )
            | None => Found::Unseen(quote(why)),
        },
        Some(ListState::NotOffered) | None => Found::NotAsked,
    }
}

fn last_answer<'a>(evidence: &'a Evidence, method: &str) -> Option<&'a Exchange> {
    evidence.transcript.iter().rev().find(|x| x.send.method() == Some(method))
}
