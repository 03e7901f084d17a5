//! Members that are not the caller's to set, and are taken over all the same.

use crate::attack::{Attack, nothing_else};
use crate::check::{Check, Class, Facet, Finding, Revisions, Severity};
use crate::evidence::{Evidence, Exchange};
use crate::probes::more_members::{PROBE, look_before};
use crate::probes::{benign, valid_call};
use crate::proof::{Oracle, Proof, becomes};
use crate::response::{Answer, quote};
use crate::spec::served;

pub(super) const CHECK: Check = Check {
    id: "security/mass-assignment",
    title: "Callers set only what is theirs to set",
    facet: Facet::Injection,
    severity: Severity::High,
    class: Some(Class::MassAssignment),
    requirements: &[served("SEC-07"), served("TOOL-24")],
    revisions: Revisions::All,
    needs: &[&valid_call::PROBE, &benign::PROBE, &PROBE],
    page: include_str!("mass_assignment.md"),
    judge,
};

const ATTACK: Attack = Attack {
    probe: PROBE.id,
    hole,
    suspicion: nothing_else,
    reached: |answer| *answer == Answer::Accepted,
    clean: "nothing was set that is not the caller's",
};

fn judge(evidence: &Evidence) -> Vec<Finding> {
    ATTACK.judge(evidence)
}

fn hole(evidence: &Evidence, x: &Exchange, proof: Proof) -> Finding {
    if !is_news(evidence, x) {
        return Finding::pass(x.subject.clone(), ATTACK.clean);
    }
    let what = match &proof {
        Proof::Computed { expected, .. } => quote(expected),
        Proof::PlantedContent { .. }
        | Proof::Callback { .. }
        | Proof::SideEffect { .. }
        | Proof::Differential { .. }
        | Proof::Timing { .. }
        | Proof::Amplified { .. }
        | Proof::Contradiction { .. }
        | Proof::Quoted { .. } => String::new(),
    };
    let says = format!("took over \"{what}\", which no caller was offered to set");
    let fix =
        "copy the members you expect one by one; never merge what a caller sent into a record";
    Finding::fail(x.subject.clone(), says, fix).proven(proof)
}

/// Whether a member shows now and did not before this attempt: one that an earlier attempt left there
/// is that one's doing.
fn is_news(evidence: &Evidence, x: &Exchange) -> bool {
    let members: &[Oracle] = match &x.oracle {
        Some(Oracle::Any { of }) => of,
        Some(one) => std::slice::from_ref(one),
        None => &[],
    };
    let before = look_before(evidence, x);
    let shows = |member: &Oracle, x: &Exchange| member.proof(evidence, x).is_some();
    // Where it stood before: what is kept as it was sent stands elsewhere.
    let there = |member: &Oracle, before: &Exchange| match member {
        Oracle::Member { name, value } => becomes(&before.reply, &x.reply, name, value),
        Oracle::Computed { .. }
        | Oracle::Planted { .. }
        | Oracle::Callback { .. }
        | Oracle::Visit {}
        | Oracle::Header { .. }
        | Oracle::Listed { .. }
        | Oracle::Effect { .. }
        | Oracle::Above { .. }
        | Oracle::Differential { .. }
        | Oracle::Timing { .. }
        | Oracle::Any { .. } => !shows(member, before),
    };
    members.iter().any(|m| shows(m, x) && before.is_none_or(|before| there(m, before)))
}
