//! XML whose entities lead to files, to addresses, or to more than memory holds.

use crate::attack::entity::FORMS;
use crate::attack::{Attack, deliver_where, gets_through, nothing_else, openness};
use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange, Tool};
use crate::probe::{Call, Lane, Probe};
use crate::probes::benign::Tried;
use crate::probes::{benign, valid_call};
use crate::proof::Proof;
use crate::seed::Seed;
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "security/xxe",
    title: "XML entities lead nowhere",
    facet: Facet::Injection,
    severity: Severity::High,
    class: Some(Class::Xxe),
    requirements: &[served("SEC-07"), served("TOOL-24")],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &benign::PROBE, &PROBE],
    page: include_str!("xxe.md"),
    judge,
};

const PROBE: Probe = Probe { id: "xxe", hostile: true, lane: Lane::Shared, plan };

fn plan(evidence: &Evidence, seed: Seed) -> Vec<Call> {
    let profile = evidence.conditions.profile;
    deliver_where(evidence, seed, PROBE.id, FORMS, |tool, tried, form| {
        form.least <= profile && (form.name == FORMS[0].name || takes_xml(tool, tried))
    })
}

/// By its name, what stands there, what is said of it, or what is said to a word that is none.
fn takes_xml(tool: &Tool, tried: &Tried<'_>) -> bool {
    let (place, about) = (&tried.place, tool.description.as_deref().unwrap_or_default());
    let said = [
        place.pointer.as_str(),
        about,
        &openness::of_parameter(tool, &place.pointer),
        &tried.word.reply.text(),
    ];
    let said = said.join(" ").to_lowercase();
    place.text.trim_start().starts_with('<')
        || ["xml", "svg", "rss", "atom feed", "soap", "saml", "opml", "well-formed", "doctype"]
            .iter()
            .any(|word| said.contains(word))
}

const ATTACK: Attack = Attack {
    probe: PROBE.id,
    hole,
    suspicion: nothing_else,
    reached: gets_through,
    clean: "no entity led anywhere",
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    ATTACK.judge(evidence)
}

fn hole(evidence: &Evidence, x: &Exchange, proof: Proof) -> Finding {
    let says = match &proof {
        Proof::PlantedContent { .. } => {
            "the parser put a file of the machine in place of an entity"
        }
        Proof::Callback { .. } => "the parser visited the address of an entity",
        Proof::Computed { .. }
        | Proof::SideEffect { .. }
        | Proof::Differential { .. }
        | Proof::Timing { .. }
        | Proof::Amplified { .. }
        | Proof::Contradiction { .. }
        | Proof::Quoted { .. } => "a document of one kilobyte became twelve megabytes",
    };
    let fix = "turn off DTDs and external entities in the parser (`defusedxml`, `resolve_entities=False`, `disallow-doctype-decl`)";
    let finding = Finding::fail(x.subject.clone(), says, fix);
    let fetches = matches!(proof, Proof::Callback { .. }) && visits_any(evidence, x);
    if fetches { finding } else { finding.proven(proof) }
}

/// Whether a bare address in the same place was visited too: then it was not the parser.
fn visits_any(evidence: &Evidence, x: &Exchange) -> bool {
    let bare = |y: &&Exchange| y.subject == x.subject && y.label.starts_with("plain");
    let came = |y: &Exchange| y.oracle.as_ref().is_some_and(|o| o.proof(evidence, y).is_some());
    evidence.of("ssrf").find(bare).is_some_and(came)
}
