//! Credentials that everybody with the source has.

use crate::check::{Check, Class, Confidence, Facet, Finding, Revisions, Severity};
use crate::coded;
use crate::evidence::{Embedded, Evidence, Subject};

pub(super) const CHECK: Check = Check {
    id: "security/secrets-in-source",
    title: "No credential is written into the source",
    facet: Facet::SourceCode,
    severity: Severity::High,
    class: Some(Class::SecretLeak),
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("secrets_in_source.md"),
    judge,
};

const FIX: &str =
    "revoke it, since it is in the history for good, and read its successor from the environment";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    match coded::code(evidence) {
        Err(why) => vec![Finding::unseen(Subject::Server, why)],
        Ok(code) if code.secrets.is_empty() => vec![coded::absent(code, "no credential was found")],
        Ok(code) => code.secrets.iter().map(suspicion).collect(),
    }
}

/// The shape of an issuer is surer than a name.
fn suspicion(secret: &Embedded) -> Finding {
    let subject = Subject::File { file: secret.at.file.clone(), line: Some(secret.at.line) };
    let says = format!("{} of {} characters", secret.kind, secret.characters);
    let sure = if secret.kind == "named secret" { Confidence::Low } else { Confidence::Medium };
    Finding::fail(subject, says, FIX).at(&secret.at).confidence(sure).suspected()
}
