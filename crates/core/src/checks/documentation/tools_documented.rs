//! Tools that the README does not mention.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject, Tool};
use crate::readme::{Readme, holds_word};

pub(super) const CHECK: Check = Check {
    id: "documentation/tools-documented",
    title: "The README names every tool",
    facet: Facet::ApiDocs,
    severity: Severity::Low,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("tools_documented.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    if evidence.tools().next().is_none() {
        return Vec::new();
    }
    let readme = match Readme::of(evidence) {
        Ok(readme) => readme,
        Err(why) => return vec![Finding::unseen(Subject::Server, why)],
    };
    let prefix = prefix(evidence);
    // What is on its way out is left out of many READMEs on purpose.
    let wanted = evidence.tools().filter(|t| !t.is_deprecated() || readme.names(&t.name));
    let verdicts = wanted.map(|tool| {
        let subject = Subject::tool_named(&tool.name);
        let spelt = readme.misspelt_set_off(&tool.name);
        if readme.names(&tool.name) || (spelt.is_none() && is_titled(&readme, tool)) {
            Finding::pass(subject, "named in the README")
        } else if let Some(name) = otherwise(&readme, tool, prefix) {
            let says = format!("the README calls it `{name}`");
            let fix = format!("write `{}` in the README: a client takes no other name", tool.name);
            Finding::partial(subject, Grade::new(0.5), says, fix)
        } else {
            let fix = format!(
                "describe `{}` in the README: what it does, its parameters, an example",
                tool.name
            );
            Finding::fail(subject, "not named in the README", fix)
        }
    });
    verdicts.collect()
}

/// By a title of several words. The first heading is the title of the server.
fn is_titled(readme: &Readme, tool: &Tool) -> bool {
    let of_server = |title: &str| {
        readme.headings.first().is_some_and(|first| holds_word(first, &title.to_lowercase()))
    };
    tool.title.as_ref().is_some_and(|t| t.contains(' ') && !of_server(t) && readme.names(t))
}

/// Another spelling, or the name without what all names begin with.
fn otherwise<'a>(readme: &'a Readme, tool: &'a Tool, prefix: &str) -> Option<&'a str> {
    let rest = tool.name.strip_prefix(prefix).filter(|r| !prefix.is_empty() && readme.names(r));
    readme.misspelt(&tool.name).or(rest)
}

/// `API-` of `API-get-user`, where all of several names share it.
fn prefix(evidence: &Evidence) -> &str {
    let names: Vec<&str> = evidence.tools().map(|t| t.name.as_str()).collect();
    let first = names.first().copied().unwrap_or_default();
    let shared = &first[..first.find(['_', '-']).map_or(0, |at| at + 1)];
    if names.len() > 2 && names.iter().all(|n| n.starts_with(shared)) { shared } else { "" }
}
