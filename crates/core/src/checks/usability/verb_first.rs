//! Tool names that say what is done.

use crate::check::{Check, Confidence, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::probe::{Risk, words};
use crate::response::quote;

pub(super) const CHECK: Check = Check {
    id: "usability/verb-first",
    title: "Tool names say what is done",
    facet: Facet::Practice,
    severity: Severity::Info,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("verb_first.md"),
    judge,
};

/// Verbs besides those that tell of a risk.
const VERBS: &str = "activate add aggregate analyze annotate answer apply archive ask assign attach \
    authenticate authorize browse build calculate call cancel capture change chat check click clone \
    close collect combine commit compare compile complete compose compress compute configure connect convert \
    copy count crawl create deploy detect diagnose diff disable disconnect download drag draw edit embed \
    enable encode encrypt estimate evaluate execute expand explain explore export extract fetch fill \
    filter find finish fix flush follow format generate get give go grep handle hash highlight hover \
    import index init insert inspect install invoke join launch link lint list load locate lock log \
    lookup manage map mark measure merge migrate modify monitor move navigate normalize notify open \
    optimize order parse paste pause perform pin ping plan play plot post predict press preview print \
    process produce profile provision publish pull push put query rank read rebuild receive recommend \
    record redo refresh register release reload remove rename render reorder replace reply report \
    request research reset resize resolve restart restore resume retrieve retry return review rollback \
    rotate run sample save scan schedule score scrape screenshot scroll search see select send serve \
    set setup share show shut sign simulate skip solve sort split start stat stop store stream subscribe \
    suggest summarize switch sync tag take tell test toggle tokenize track trace train transcribe \
    transfer transform translate trigger trim type undo unlock unpin unsubscribe unzip update upgrade \
    upload upsert use validate verify view visit vote wait watch write zip accept adjust append approve auto block branch checkout confirm customize decode \
    decrypt define describe dial display dismiss drop duplicate emulate extend fork gzip hide identify \
    increment interact kill learn like listen match minimize mute observe pack patch poll \
    prepare prevent prompt protect purge reason recall reject relate remember remind rerank respond \
    revoke scaffold seek sequence snapshot spawn step submit survey swap tail think trash unpack unprotect \
    unsend verify warn";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    if let Some(why) = evidence.why_no_tools() {
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let names: Vec<(&str, Vec<String>)> =
        evidence.tools().map(|t| (t.name.as_str(), words(&t.name))).collect();
    if names.is_empty() {
        return Vec::new();
    }
    let verbs: Vec<&str> = VERBS.split_whitespace().collect();
    let known = |word: &str| verbs.contains(&word) || Risk::of_word(word).is_some();
    let is_verb = |word: &String| known(word) || word.strip_prefix("re").is_some_and(known);
    // Some begin with the server's name, others end with the verb.
    let without: Vec<&str> =
        names.iter().filter(|(_, words)| !words.iter().any(is_verb)).map(|(n, _)| *n).collect();
    let told = names.len() - without.len();
    if without.is_empty() {
        return vec![Finding::pass(Subject::Server, format!("all {told} names have a verb"))];
    }
    let says =
        format!("{told} of {} names have a verb; not {}", names.len(), quote(&without.join(", ")));
    let fix = "begin each name with what is done, such as `list_`, `create_` or `search_`, and then to what";
    let grade = Grade::share(told, names.len());
    vec![Finding::partial(Subject::Server, grade, says, fix).confidence(Confidence::Low)]
}
