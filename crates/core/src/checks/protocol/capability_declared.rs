//! What a server offers it declares, and what it declares it offers.

use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::evidence::Reply;
use crate::probes::{features, listings, revisions};
use crate::spec::listing::items;
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/capability-declared",
    title: "What the server offers is declared, and what it declares is there",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[
        rule("TOOL-01", tools),
        rule("TOOL-02", tools),
        rule("RES-01", resources),
        rule("RES-18", resources),
        rule("PROMPT-01", prompts),
        rule("COMP-01", completions),
    ],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &listings::PROBE, &features::PROBE],
    page: include_str!("capability_declared.md"),
    judge: by_rules,
};

const UNDECLARED: &str = "declare the capability, so that clients ask for it";
const MISSING: &str = "answer the method of a declared capability, with an empty list if need be";

fn tools(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    listed(talk, "tools", "tools/list")
}

fn resources(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    listed(talk, "resources", "resources/list")
}

fn prompts(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    listed(talk, "prompts", "prompts/list")
}

fn listed(talk: &Conversation<'_>, capability: &str, method: &'static str) -> Judgement {
    let asked = talk.exchanges().filter(|x| x.send.method() == Some(method));
    let heard = asked.filter(|x| x.reply.why_unseen().is_none());
    // An answer tells more than a refusal, should there be both.
    let Some(x) = heard.min_by_key(|x| x.result().is_none()) else {
        return Err(Ruling::unseen(format!("{method}: not answered")));
    };
    let empty = x.result().is_some_and(|page| items(method, page).next().is_none());
    let shown = talk.shown(x);
    let ruling = match (talk.declares(capability), x.result().is_some()) {
        (true, true) => Ruling::pass(format!("`{capability}` is declared, {method} answers")),
        (false, false) => Ruling::pass(format!("`{capability}` is neither declared nor there")),
        (false, true) if empty => Ruling::partial(
            format!("{method} answers an empty list, and `{capability}` is not declared"),
            UNDECLARED,
        ),
        (false, true) => Ruling::fail(
            format!("{method} answers, and `{capability}` is not declared"),
            UNDECLARED,
        ),
        (true, false) if talk.revision.is_stateless() => {
            let says = format!("`{capability}` is declared, {method}: {shown}");
            // The method may be there, and what it needs is not.
            let other = matches!(*x.reply, Reply::Error { code, .. } if code != -32601);
            if other { Ruling::unseen(says) } else { Ruling::fail(says, MISSING) }
        }
        // Before the stateless revision only the other direction is written.
        (true, false) => {
            Ruling::partial(format!("`{capability}` is declared, {method}: {shown}"), MISSING)
        }
    };
    Ok(ruling.seen_in(x.id))
}

fn completions(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let x = talk.put(features::PROBE.id, features::COMPLETE)?;
    let unknown = matches!(*x.reply, Reply::Error { code: -32601, .. });
    let shown = talk.shown(x);
    let ruling = match (talk.declares("completions"), &*x.reply) {
        (true, _) if unknown => {
            Ruling::partial(format!("`completions` is declared, completion: {shown}"), MISSING)
        }
        (true, Reply::Result { .. } | Reply::Error { .. }) => {
            Ruling::pass("`completions` is declared and there")
        }
        (false, Reply::Error { .. }) => Ruling::pass("`completions` is neither declared nor there"),
        (false, Reply::Result { .. }) => Ruling::fail(
            "completion/complete answers, and `completions` is not declared",
            UNDECLARED,
        ),
        (
            _,
            Reply::Malformed { .. }
            | Reply::Silence
            | Reply::TimedOut { .. }
            | Reply::Disconnected
            | Reply::Skipped { .. },
        ) => Ruling::unseen(shown),
    };
    Ok(ruling.seen_in(x.id))
}
