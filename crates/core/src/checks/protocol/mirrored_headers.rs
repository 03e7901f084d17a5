//! Parameters that travel as HTTP headers too, and schemas that refer to the network.

use std::collections::BTreeSet;

use serde_json::Value;

use super::tool_schemas::refers_away;
use crate::check::{Check, Facet, Revisions, Severity, by_rules};
use crate::probe::words;
use crate::probes::{listings, revisions};
use crate::spec::grammar::is_token;
use crate::spec::mirrored::{KEY, Mirrored, mirrored};
use crate::spec::{Conversation, Judgement, Requirement, Ruling, rule};

pub(super) const CHECK: Check = Check {
    id: "protocol/mirrored-headers",
    title: "Parameters mirrored as headers follow the rules, and schemas stay off the network",
    facet: Facet::ModernProtocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[rule("TOOL-28", proper), rule("TOOL-29", harmless), rule("TOOL-30", local)],
    revisions: Revisions::All,
    needs: &[&revisions::PROBE, &listings::PROBE],
    page: include_str!("mirrored_headers.md"),
    judge: by_rules,
};

fn judged(
    talk: &Conversation<'_>,
    good: &str,
    fix: &str,
    flaw: impl Fn(&Mirrored<'_>, &mut BTreeSet<String>) -> Option<String>,
) -> Judgement {
    let listed = talk.listing("tools/list")?;
    if listed.items.iter().all(|tool| mirrored(tool).is_empty()) {
        return Ok(Ruling::pass(format!("no parameter has `{KEY}`")));
    }
    listed.every(good, fix, |tool| {
        let mut seen = BTreeSet::new();
        let of = |m: &Mirrored<'_>| Some(format!("{}: {}", m.path, flaw(m, &mut seen)?));
        mirrored(tool).iter().find_map(of)
    })
}

fn proper(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix =
        "mirror only plain integers, strings and booleans, each under a header name of its own";
    judged(talk, "mirrored headers follow the rules", fix, |m, seen| {
        let kind = m.schema.get("type").and_then(Value::as_str);
        match m.header.as_str() {
            None => Some(format!("`{KEY}` is not a string")),
            Some(name) if !is_token(name) => Some(format!("{name:?} is no header name")),
            Some(name) if !seen.insert(name.to_ascii_lowercase()) => {
                Some(format!("`{name}` is used twice"))
            }
            Some(_) if !m.plain => Some("it is not reached through `properties` alone".to_owned()),
            Some(_) if !matches!(kind, Some("integer" | "string" | "boolean")) => {
                Some("its type is not integer, string or boolean".to_owned())
            }
            Some(_) => None,
        }
    })
}

const SECRET: [&str; 8] =
    ["password", "passwd", "secret", "token", "credential", "credentials", "apikey", "ssn"];

fn harmless(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let fix = "leave secrets in the body: headers are logged on the way";
    judged(talk, "nothing secret is mirrored", fix, |m, _| {
        let words = words(m.path.rsplit('/').next().unwrap_or_default());
        let key = words.windows(2).any(|w| matches!(w, [a, b] if a == "api" && b == "key"));
        (key || words.iter().any(|w| SECRET.contains(&w.as_str())))
            .then(|| "it looks like a secret".to_owned())
    })
}

fn local(talk: &Conversation<'_>, _: &Requirement) -> Judgement {
    let away = |tool: &&&Value| {
        ["inputSchema", "outputSchema"].iter().filter_map(|k| tool.get(*k)).any(refers_away)
    };
    let listed = talk.listing("tools/list")?;
    match listed.items.iter().find(away) {
        None => Ok(Ruling::pass("no schema refers to another document")),
        // Who validates by such a schema has to do without it, or break the rule.
        Some(_) => Ok(Ruling::partial(
            "a schema refers to another document, which nobody may fetch by himself",
            "put what the schema refers to under its own `$defs`",
        )),
    }
}
