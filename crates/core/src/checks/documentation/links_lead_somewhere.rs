//! Links in the README that lead nowhere.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::readme::Readme;
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "documentation/links-lead-somewhere",
    title: "Links within the README and to its neighbours lead somewhere",
    facet: Facet::Readme,
    severity: Severity::Info,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("links_lead_somewhere.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let readme = match Readme::of(evidence) {
        Ok(readme) => readme,
        Err(why) => return vec![Finding::unseen(Subject::Server, why)],
    };
    let around = evidence.source.as_ref().and_then(|s| s.around.as_ref());
    let anchors = readme.links.iter().filter(|l| l.starts_with('#')).count();
    // Where only the package is at hand, its neighbours can't be looked at.
    let files = around.map_or(0, |_| readme.relative_links().len());
    let mut dead: Vec<String> = readme.dead_anchors().iter().map(|a| format!("#{a}")).collect();
    dead.extend(around.into_iter().flat_map(|a| a.dead_links.iter().cloned()));
    let all = anchors + files;
    if all == 0 {
        return Vec::new();
    }
    if dead.is_empty() {
        return vec![Finding::pass(Subject::Server, format!("links that lead somewhere: {all}"))];
    }
    let says = format!("{} of {all} links lead nowhere: {}", dead.len(), quote(&dead.join(", ")));
    let fix = "correct the path or the anchor; an anchor is its heading in lower case, with - for spaces and without punctuation";
    let share = all.saturating_sub(dead.len()) as f64 / all as f64;
    vec![Finding::partial(Subject::Server, Grade::new(share), says, fix)]
}
