//! What errors look like, for those who must handle them.

use std::sync::LazyLock;

use regex::Regex;

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

/// What an error looks like where it is quoted: its class, its code, its beginning, a status with
/// its name.
static FORM: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        &[
            r"(?-u:\b)[A-Z][A-Za-z]*[a-z](?:Error|Exception)(?-u:\b)",
            r"(?-u:\b)[Ee]rror: [^ ]",
            r"(?-u:\b)ERR_[A-Z]",
            r"(?:^|[^0-9.])-32[0-9]{3}(?-u:\b)",
            r"(?-u:\b)Code: [0-9]",
            r"(?-u:\b)[45][0-9]{2} [A-Z][a-z]+",
        ]
        .join("|"),
    )
    .ok()
});
/// When it comes to one.
static CONDITION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let comes = r"(?-u:\b)(?:fails|throws|raises|reject(?:s|ed)|refuse[sd])(?-u:\b)";
    Regex::new(&format!(r"{comes}[^.\n]{{0,40}}(?-u:\b)(?:if|when|unless|with)(?-u:\b)")).ok()
});

fn judge(evidence: &Evidence) -> Vec<Finding> {
    let readme = match Readme::of(evidence) {
        Ok(readme) => readme,
        Err(why) => return vec![Finding::unseen(Subject::Server, why)],
    };
    vec![if readme.has_heading(HEADINGS) || shows(&readme) {
        Finding::pass(Subject::Server, "errors are shown")
    } else if mentions(&readme) {
        let says = "errors are mentioned, but not shown";
        Finding::partial(Subject::Server, Grade::new(0.5), says, FIX)
    } else {
        Finding::fail(Subject::Server, "nothing shows what an error looks like", FIX)
    }]
}

/// In a block, or set off within the text.
fn shows(readme: &Readme) -> bool {
    let in_code = |text: &str| IN_CODE.iter().any(|w| text.contains(w));
    let mut set_off = readme.marked.iter().chain(readme.code.iter().map(|c| &c.text));
    readme.code.iter().any(|c| in_code(&c.text))
        || FORM.as_ref().is_some_and(|form| set_off.any(|text| form.is_match(text)))
}

/// In words, or as what an entry is about: "**Timeout errors**: raise the limit".
fn mentions(readme: &Readme) -> bool {
    let prose = readme.prose.to_lowercase();
    let kind = |text: &String| {
        let text = text.trim_end_matches([':', '.']).to_lowercase();
        text.ends_with(" error") || text.ends_with(" errors")
    };
    IN_TEXT.iter().any(|w| prose.contains(w))
        || CONDITION.as_ref().is_some_and(|condition| condition.is_match(&prose))
        || readme.marked.iter().any(kind)
}

const FIX: &str = "show one failing call with its answer, and list the errors a caller should expect and what to do about each";
