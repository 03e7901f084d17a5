//! Tools that the README still lists.

use std::collections::BTreeSet;

use crate::check::{Check, Confidence, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::readme::{Item, Kind, Readme};
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "documentation/no-stale-tools",
    title: "The README lists no tool that does not exist",
    facet: Facet::ApiDocs,
    severity: Severity::Low,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("no_stale_tools.md"),
    judge,
};

/// Words by which an entry says when there is such a tool.
const CONDITIONS: &[&str] = &[
    "requires ",
    "required to",
    "only if",
    "only when",
    "only with",
    "only available",
    "only offered",
    "available when",
    "available if",
    "available with",
    "when enabled",
    "if enabled",
    "enabled by",
    "enabled with",
    "disabled",
    "opt-in",
    "optional tool",
    "experimental",
    "deprecated",
    "removed",
    "no longer",
    "planned",
    "coming soon",
    " --",
];
/// So many lines under a heading speak of it as a whole.
const BEGINNING: usize = 4;

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let readme = match Readme::beside_tools(evidence) {
        Ok(readme) => readme,
        Err(why) => return vec![Finding::unseen(Subject::Server, why)],
    };
    let listed = evidence.inventory.tools.iter().filter(|t| readme.about(&t.name).next().is_some());
    let listed = listed.count();
    let gone = gone(evidence, &readme);
    // One alone is no list.
    if listed == 0 || (listed == 1 && gone.is_empty()) {
        return Vec::new();
    }
    if gone.is_empty() {
        return vec![Finding::pass(Subject::Server, format!("tools listed that exist: {listed}"))];
    }
    let names: Vec<&str> = gone.iter().map(String::as_str).collect();
    let says = format!("listed among the tools, but not offered: {}", quote(&names.join(", ")));
    let fix = "remove them from the README, or say there what makes the server offer them";
    let share = listed as f64 / (listed + gone.len()) as f64;
    // Options and credentials can hide tools, so this is no certain fault.
    vec![
        Finding::partial(Subject::Server, Grade::new(share), says, fix)
            .confidence(Confidence::Medium),
    ]
}

fn gone(evidence: &Evidence, readme: &Readme) -> BTreeSet<String> {
    let inventory = &evidence.inventory;
    let known = |name: &str| {
        inventory.tools.iter().any(|t| t.name == name || t.title.as_deref() == Some(name))
            || inventory.prompts.iter().any(|p| p.name == name)
            || inventory.resources.iter().any(|r| r.name == name)
    };
    let company = |item: &Item| readme.company_of_tools(item);
    let strange = readme.strangers(None, &known, &company);
    let listed = strange.into_iter().filter(|item| !is_conditional(readme, item));
    // A list of one tool and its parameters is still a list about that tool.
    let parameter =
        |name: &str| inventory.tools.iter().any(|t| t.parameters().any(|(p, _)| p == name));
    // "Installation" beside a tool is a heading, "Notes" an entry; where tools are written so, a tool.
    let capital = |name: &str| name.starts_with(|c: char| c.is_ascii_uppercase());
    let written_so = inventory.tools.iter().any(|t| capital(&t.name));
    let tool_like = |name: &String| !parameter(name) && (written_so || !capital(name));
    let mut gone: BTreeSet<String> =
        listed.map(|item| item.head.clone()).filter(tool_like).collect();
    gone.extend(readme.configured_strangers(&known));
    gone
}

/// Whether it, or a heading above it, says what makes the server offer it, or that it is gone.
fn is_conditional(readme: &Readme, item: &Item) -> bool {
    let says = |text: &str| {
        let text = text.to_lowercase();
        CONDITIONS.iter().any(|c| text.contains(c))
    };
    // Under a heading much may stand; an entry is about its tool alone.
    let own = match item.kind {
        Kind::Heading { .. } => readme.text_of(item).lines().take(BEGINNING).collect(),
        Kind::Entry | Kind::Row => readme.text_of(item).to_owned(),
    };
    let headings = readme.items.iter().filter(|i| matches!(i.kind, Kind::Heading { .. }));
    says(&own) || headings.filter(|h| h.span.contains(&item.span.start)).any(|h| says(&h.head))
}
