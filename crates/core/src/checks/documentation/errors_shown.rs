//! What errors look like, for those who must handle them.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Evidence, Subject};
use crate::readme::Readme;

pub(super) const CHECK: Check = Check {
    id: "documentation/errors-shown",
    title: "The README shows what errors look like",
    facet: Facet::Examples,
    severity: Severity::Info,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("errors_shown.md"),
    judge,
};

const HEADINGS: &[&str] =
    &["error", "exception", "failure", "status code", "fehler", "erreur", "エラー", "错误"];
const IN_CODE: &[&str] =
    &["isError", "\"error\"", "Error:", "error:", "raise ", "except ", "catch (", "try {"];
const IN_TEXT: &[&str] =
    &["iserror", "error code", "error message", "returns an error", "error response", "fails with"];

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let readme = match Readme::of(evidence) {
        Ok(readme) => readme,
        Err(why) => return vec![Finding::unseen(Subject::Server, why)],
    };
    let prose = readme.prose.to_lowercase();
    let in_code = readme.code.iter().any(|c| IN_CODE.iter().any(|w| c.text.contains(w)));
    vec![if readme.has_heading(HEADINGS) || in_code {
        Finding::pass(Subject::Server, "errors are shown")
    } else if IN_TEXT.iter().any(|w| prose.contains(w)) {
        let says = "errors are mentioned, but not shown";
        Finding::partial(Subject::Server, Grade::new(0.5), says, FIX)
    } else {
        Finding::fail(Subject::Server, "nothing shows what an error looks like", FIX)
    }]
}

const FIX: &str = "show one failing call with its answer, and list the errors a caller should expect and what to do about each";
