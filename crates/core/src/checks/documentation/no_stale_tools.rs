//! Tools that the README still lists.

use crate::check::{Check, Confidence, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::readme::Readme;
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

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let readme = match Readme::beside_tools(evidence) {
        Ok(readme) => readme,
        Err(why) => return vec![Finding::unseen(Subject::Server, why)],
    };
    let listed = evidence.inventory.tools.iter().filter(|t| readme.about(&t.name).next().is_some());
    let listed = listed.count();
    if listed < 2 {
        return Vec::new();
    }
    let inventory = &evidence.inventory;
    let known = |name: &str| {
        inventory.tools.iter().any(|t| t.name == name || t.title.as_deref() == Some(name))
            || inventory.prompts.iter().any(|p| p.name == name)
            || inventory.resources.iter().any(|r| r.name == name)
    };
    let gone: Vec<String> = readme.strangers(None, &known).into_iter().collect();
    if gone.is_empty() {
        return vec![Finding::pass(Subject::Server, format!("tools listed that exist: {listed}"))];
    }
    let says = format!("listed among the tools, but not offered: {}", quote(&gone.join(", ")));
    let fix = "remove them from the README, or say there what makes the server offer them";
    let share = listed as f64 / (listed + gone.len()) as f64;
    // Options and credentials can hide tools, so this is no certain fault.
    vec![
        Finding::partial(Subject::Server, Grade::new(share), says, fix)
            .confidence(Confidence::Medium),
    ]
}
