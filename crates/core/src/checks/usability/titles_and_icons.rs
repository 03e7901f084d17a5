//! What people see of a tool.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject, Tool};
use crate::response::quote;
use crate::revision::Revision;

pub(super) const CHECK: Check = Check {
    id: "usability/titles-and-icons",
    title: "Tools have a title for people",
    facet: Facet::Practice,
    severity: Severity::Info,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("titles_and_icons.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    // Older revisions have titles only among the annotations, the first none at all.
    if evidence.revision().is_some_and(|r| r < Revision::V2025_03_26) {
        return Vec::new();
    }
    let all = evidence.tools().count();
    if all == 0 {
        return Vec::new();
    }
    let bare: Vec<&str> =
        evidence.tools().filter(|t| !is_titled(t)).map(|t| t.name.as_str()).collect();
    let icons = evidence.tools().filter(|t| t.raw.get("icons").is_some()).count();
    let titled = all - bare.len();
    if bare.is_empty() {
        return vec![Finding::pass(
            Subject::Server,
            format!("titles: {titled} of {all}, icons: {icons}"),
        )];
    }
    let says = format!(
        "{titled} of {all} tools have a title, {icons} an icon; no title: {}",
        quote(&bare.join(", "))
    );
    let fix = "add `title`, a short name for people such as \"Search notes\"; an icon in `icons` helps in long lists";
    vec![Finding::partial(Subject::Server, Grade::share(titled, all), says, fix)]
}

fn is_titled(tool: &Tool) -> bool {
    let among_hints = tool.annotations.as_ref().and_then(|a| a.get("title")?.as_str());
    tool.title.as_deref().or(among_hints).is_some_and(|title| !title.trim().is_empty())
}
