//! Listings that never end, and items that are not what they should be.

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, ListState, Listing, Subject};
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "protocol/listing-ends",
    title: "Listings end, and every item has the shape of its kind",
    facet: Facet::Protocol,
    severity: Severity::Medium,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("listing_ends.md"),
    judge,
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_unseen() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let listings = &evidence.inventory.listings;
    let offered: Vec<&Listing> =
        listings.iter().filter(|l| l.state != ListState::NotOffered).collect();
    let wrong: Vec<String> = offered.iter().filter_map(|l| problem(l)).collect();
    let failed = offered.iter().find_map(|l| match &l.state {
        ListState::Failed { why } => Some(format!("{} gave no list: {}", l.method, quote(why))),
        ListState::Complete
        | ListState::NotOffered
        | ListState::Loop { .. }
        | ListState::Capped { .. } => None,
    });
    let mut finding = match (wrong.is_empty(), failed, offered.is_empty()) {
        (false, _, _) => Finding::fail(
            Subject::Server,
            wrong.join("; "),
            "give each page a new `nextCursor` and the last page none; list only items with all required fields",
        ),
        (true, Some(why), _) => Finding::unseen(Subject::Server, why),
        (true, None, true) => return Vec::new(),
        (true, None, false) => {
            let methods: Vec<&str> = offered.iter().map(|l| l.method.as_str()).collect();
            Finding::pass(Subject::Server, format!("complete: {}", methods.join(", ")))
        }
    };
    finding.seen_in = offered.iter().flat_map(|l| &l.pages).copied().collect();
    vec![finding]
}

fn problem(listing: &Listing) -> Option<String> {
    let method = &listing.method;
    let endless = match &listing.state {
        ListState::Loop { cursor } => {
            Some(format!("{method} comes back to cursor \"{}\"", quote(cursor)))
        }
        ListState::Capped { pages } => Some(format!("{method} had not ended after {pages} pages")),
        ListState::Complete | ListState::NotOffered | ListState::Failed { .. } => None,
    };
    endless.or_else(|| {
        let bad = listing.malformed.first()?;
        let name = ["name", "uri", "uriTemplate"]
            .iter()
            .find_map(|key| bad.raw.get(*key)?.as_str())
            .map(|name| format!(" (\"{}\")", quote(name)))
            .unwrap_or_default();
        let others = match listing.malformed.len() - 1 {
            0 => String::new(),
            n => format!(", and {n} more"),
        };
        Some(format!("{method} item {}{name}: {}{others}", bad.index, bad.why))
    })
}
