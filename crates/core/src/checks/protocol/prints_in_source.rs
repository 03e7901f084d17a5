//! Prints into the stream that carries the protocol.

use crate::check::{Check, Facet, Finding, Revisions, Severity};
use crate::coded;
use crate::evidence::{Evidence, HabitKind};

pub(super) const CHECK: Check = Check {
    id: "protocol/prints-in-source",
    title: "The source of a server over stdio prints to stderr only",
    facet: Facet::SourceCode,
    severity: Severity::Medium,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("prints_in_source.md"),
    judge,
};

const FIX: &str = "print to stderr: `print(…, file=sys.stderr)`, `console.error`, `fmt.Fprintln(os.Stderr, …)`, `eprintln!`";

fn judge(evidence: &Evidence) -> Vec<Finding> {
    // Elsewhere standard output is nobody's.
    if coded::code(evidence).is_ok_and(|code| !code.stdio) {
        return Vec::new();
    }
    coded::suspicions(evidence, HabitKind::PrintsToStdout, "nothing prints to standard output", FIX)
}
