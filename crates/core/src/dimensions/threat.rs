//! Attacks: which calls carry one, and whether it got anywhere. A recorded suite planted nothing, so
//! what a server lets through is told by its own words; that is a verdict of this evaluation and
//! never a proof.

use super::case::{Case, unescaped};
use super::category::Category;
use super::outcome::Outcome;
use super::words;

/// Whether the call is an attack, by intent or by what it carries.
pub(super) fn is_hostile(case: &Case, category: Category) -> bool {
    category == Category::Security
        || case.texts().iter().any(|text| {
            words::ESCAPE.are_in(text)
                || words::SQL_ATTACK.are_in(text)
                || words::MARKUP_ATTACK.are_in(text)
                || words::SHELL_ATTACK.are_in(text)
        })
}

/// Whether doing as asked does harm: in a search, an attack is a text like any other.
pub(super) fn is_dangerous(case: &Case) -> bool {
    case.proven.unwrap_or_else(|| words::WRITING.are_in(&case.tool))
}

/// Whether the answer itself shows that a path led out of bounds: it names the way out, or it
/// holds what only the system's files hold. Where there was an oracle, only proof counts.
pub(super) fn got_through(case: &Case, outcome: Outcome) -> bool {
    if let Some(proven) = case.proven {
        return proven;
    }
    if outcome != Outcome::Answered {
        return false;
    }
    // Once for JSON in a text, once for the text itself.
    let reply = unescaped(&unescaped(case.said.text()));
    if words::SYSTEM_CONTENT.are_in(&reply) {
        return true;
    }
    let system =
        |text: &str| words::SYSTEM_PLACE.are_in(text) && !words::TEMPORARY_PLACE.are_in(text);
    let texts = case.texts();
    let asked = |is: &dyn Fn(&str) -> bool| texts.iter().any(|text| is(text));
    let climbs = |text: &str| words::CLIMB.are_in(text);
    (asked(&climbs) && climbs(&reply)) || (asked(&system) && system(&reply))
}
