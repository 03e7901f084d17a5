//! Where the source raises a suspicion and a probe proves the hole, one finding tells both.

use super::{Class, Confidence, Finding, Judged, Outcome, Standing};
use crate::evidence::{Spot, Subject};

/// Gives proven findings the line of the source, and takes away the suspicions that led there.
pub(super) fn join(judged: &mut [Judged]) {
    let (mut joined, mut tried) = (Vec::new(), Vec::new());
    for lead in judged.iter().flat_map(leads) {
        let about = |wanted: fn(&Finding) -> bool| {
            judged
                .iter()
                .filter(|j| j.check.class == Some(lead.class))
                .any(|j| j.findings.iter().any(|f| wanted(f) && same(&f.subject, &lead.subject)))
        };
        if about(is_proven) {
            joined.push(lead);
        } else if about(|f| f.outcome() == Outcome::Pass) {
            tried.push(lead);
        }
    }
    for j in judged {
        let class = j.check.class;
        for finding in j.findings.iter_mut().filter(|f| is_proven(f) && f.source.is_none()) {
            let lead = joined
                .iter()
                .find(|l| class == Some(l.class) && same(&finding.subject, &l.subject));
            finding.source = lead.map(|l| l.at.clone());
        }
        j.findings.retain(|f| !is_lead(f) || !joined.iter().any(|l| l.is(f)));
        for finding in j.findings.iter_mut().filter(|f| is_lead(f) && tried.iter().any(|l| l.is(f)))
        {
            finding.confidence = Confidence::Low;
            finding.says.push_str("; probes of the running server did not prove it");
        }
    }
}

struct Lead {
    class: Class,
    subject: Subject,
    at: Spot,
}

impl Lead {
    fn is(&self, finding: &Finding) -> bool {
        finding.class == Some(self.class)
            && finding.subject == self.subject
            && finding.source.as_ref() == Some(&self.at)
    }
}

fn leads(judged: &Judged) -> impl Iterator<Item = Lead> {
    judged.findings.iter().filter(|f| is_lead(f)).filter_map(|f| {
        Some(Lead { class: f.class?, subject: f.subject.clone(), at: f.source.clone()? })
    })
}

fn is_lead(finding: &Finding) -> bool {
    finding.class.is_some()
        && finding.source.is_some()
        && finding.outcome() == Outcome::Fail
        && finding.standing() == Standing::Suspected
}

fn is_proven(finding: &Finding) -> bool {
    finding.outcome() == Outcome::Fail && finding.standing() == Standing::Proven
}

/// The same tool, and the same parameter where both name one.
fn same(a: &Subject, b: &Subject) -> bool {
    match (a, b) {
        (Subject::Param { tool: t, pointer: p }, Subject::Param { tool: u, pointer: q }) => {
            t == u && (p == q || p.starts_with(&format!("{q}/")) || q.starts_with(&format!("{p}/")))
        }
        _ if a.tool().is_some() => a.tool() == b.tool(),
        _ => a == b,
    }
}
