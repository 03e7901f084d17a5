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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks;
    use crate::proof::Proof;

    fn judged(id: &str, findings: Vec<Finding>) -> Judged {
        let check = checks::find(id).unwrap();
        Judged { check, findings, ruled: Vec::new() }
    }

    fn lead(tool: &str, line: u32) -> Finding {
        let at = Spot { file: "s.py".to_owned(), line };
        let subject = Subject::param(tool, "/file");
        Finding::fail(subject, "reaches os.system", "x")
            .at(&at)
            .class(Class::CommandInjection)
            .suspected()
    }

    #[test]
    fn a_proof_takes_the_line_and_the_suspicion_goes() {
        let proof = Proof::Quoted { text: "x".to_owned(), rule: "y".to_owned() };
        let subject = |tool| Subject::param(tool, "/file");
        let proven = Finding::fail(subject("run"), "ran", "x").proven(proof);
        let withstood = Finding::pass(subject("walk"), "nothing came of it");
        let mut all = [
            judged("security/command-injection", vec![proven, withstood]),
            judged(
                "security/input-in-source",
                vec![lead("run", 5), lead("walk", 7), lead("sit", 9)],
            ),
        ];
        join(&mut all);
        assert_eq!(all[0].findings[0].source.as_ref().map(|s| s.line), Some(5));
        let left: Vec<(Option<&str>, Confidence)> =
            all[1].findings.iter().map(|f| (f.subject.tool(), f.confidence)).collect();
        assert_eq!(left, [(Some("walk"), Confidence::Low), (Some("sit"), Confidence::High)]);
        assert!(all[1].findings[0].says.contains("did not prove it"));
    }
}
