//! The findings a case expects, one per line:
//! `fail read_file: part of what it says`, `pass get_time`, `partial 0.5 add: …`,
//! `unseen server: reason`, each with `suspected` or `proven` before it where that matters;
//! or `none` alone when the check does not apply.

use std::fmt;

use crate::check::{Finding, Grade, Outcome, Standing};

/// One expected finding.
#[derive(Debug, Clone, PartialEq)]
pub struct Expected {
    /// `None`: any standing.
    pub standing: Option<Standing>,
    pub verdict: Verdict,
    /// As a subject is displayed: `server`, `read_file`, `read_file /path`.
    pub subject: String,
    /// A part of what the finding says.
    pub says: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict {
    Pass,
    Fail,
    /// A grade strictly between fail and pass.
    Partial(f64),
    Unseen,
}

impl Verdict {
    fn of(finding: &Finding) -> Verdict {
        match (finding.outcome(), finding.grade) {
            (Outcome::Unseen, _) | (_, None) => Verdict::Unseen,
            (Outcome::Pass, _) => Verdict::Pass,
            (Outcome::Fail, Some(grade)) if grade == Grade::FAIL => Verdict::Fail,
            (Outcome::Fail, Some(grade)) => Verdict::Partial(grade.value()),
        }
    }

    fn meets(self, other: Verdict) -> bool {
        match (self, other) {
            (Verdict::Partial(a), Verdict::Partial(b)) => (a - b).abs() < 0.005,
            (a, b) => a == b,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Pass => f.write_str("pass"),
            Verdict::Fail => f.write_str("fail"),
            Verdict::Partial(grade) => write!(f, "partial {grade:.2}"),
            Verdict::Unseen => f.write_str("unseen"),
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.standing {
            Some(Standing::Suspected) => f.write_str("suspected ")?,
            Some(Standing::Proven) => f.write_str("proven ")?,
            Some(Standing::Observed) | None => {}
        }
        write!(f, "{} {}", self.verdict, self.subject)?;
        match &self.says {
            Some(says) => write!(f, ": …{says}…"),
            None => Ok(()),
        }
    }
}

/// A finding as a case would write it.
pub(super) fn line_of(finding: &Finding) -> String {
    let standing = match finding.standing() {
        Standing::Suspected => "suspected ",
        Standing::Proven => "proven ",
        Standing::Observed => "",
    };
    format!("{standing}{} {}: {}", Verdict::of(finding), finding.subject, finding.says)
}

pub(super) fn parse(block: &str) -> Result<Vec<Expected>, String> {
    let lines: Vec<&str> = block.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    match lines.as_slice() {
        [] => Err("no finding expected; write `none` if the check does not apply".to_owned()),
        ["none"] => Ok(Vec::new()),
        lines => lines.iter().map(|l| parse_line(l)).collect(),
    }
}

fn parse_line(line: &str) -> Result<Expected, String> {
    let (head, says) = match line.split_once(": ") {
        Some((head, says)) => (head, Some(says.trim_matches(['…', ' ']).to_owned())),
        None => (line, None),
    };
    let mut words = head.split(' ').filter(|w| !w.is_empty()).peekable();
    let standing = match words.peek() {
        Some(&"suspected") => Some(Standing::Suspected),
        Some(&"proven") => Some(Standing::Proven),
        Some(_) | None => None,
    };
    if standing.is_some() {
        words.next();
    }
    let verdict = match words.next() {
        Some("pass") => Verdict::Pass,
        Some("fail") => Verdict::Fail,
        Some("unseen") => Verdict::Unseen,
        Some("partial") => {
            let grade = words.next().and_then(|w| w.parse::<f64>().ok());
            Verdict::Partial(grade.ok_or_else(|| {
                format!("`{line}`: expected a grade after `partial`, e.g. `partial 0.5 read_file`")
            })?)
        }
        Some(_) | None => {
            return Err(format!(
                "`{line}`: expected `pass`, `fail`, `partial GRADE` or `unseen`, then a subject"
            ));
        }
    };
    let subject = words.collect::<Vec<_>>().join(" ");
    if subject.is_empty() {
        return Err(format!("`{line}` names no subject; write `server`, a tool, or `tool /param`"));
    }
    Ok(Expected { standing, verdict, subject, says })
}

/// Every expectation is met by a finding of its own, and none is left over.
pub(super) fn all_met(expected: &[Expected], found: &[&Finding]) -> bool {
    let mut left: Vec<&Finding> = found.to_vec();
    // The more a line says, the fewer findings can meet it: those choose first.
    let mut lines: Vec<&Expected> = expected.iter().collect();
    lines.sort_by_key(|e| std::cmp::Reverse(e.says.as_ref().map_or(0, String::len)));
    let met = lines.iter().all(|e| match left.iter().position(|f| is_met(e, f)) {
        Some(at) => {
            left.remove(at);
            true
        }
        None => false,
    });
    met && left.is_empty()
}

fn is_met(expected: &Expected, finding: &Finding) -> bool {
    expected.verdict.meets(Verdict::of(finding))
        && expected.subject == finding.subject.to_string()
        && match expected.standing {
            Some(standing) => finding.standing() == standing,
            // A line that does not say `suspected` promises a finding that counts.
            None => finding.standing() != Standing::Suspected,
        }
        && expected.says.as_ref().is_none_or(|part| finding.says.contains(part.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::Subject;

    #[test]
    fn a_line_reads_back_as_it_was_written() {
        let read = parse("suspected fail read_file /path: …quotes the payload…").unwrap();
        assert_eq!(read[0].to_string(), "suspected fail read_file /path: …quotes the payload…");
        assert_eq!(read[0].subject, "read_file /path");
    }

    #[test]
    fn a_line_without_verdict_or_subject_is_refused_with_the_way_out() {
        assert!(parse("good read_file").unwrap_err().contains("expected `pass`"));
        assert!(parse("pass").unwrap_err().contains("names no subject"));
        assert!(parse("partial read_file").unwrap_err().contains("expected a grade"));
        assert!(parse("").unwrap_err().contains("`none`"));
    }

    #[test]
    fn findings_left_over_or_missing_do_not_meet_the_case() {
        let pass = Finding::pass(Subject::Server, "fine");
        let expected = parse("pass server").unwrap();
        assert!(all_met(&expected, &[&pass]));
        assert!(!all_met(&expected, &[&pass, &pass]));
        assert!(!all_met(&expected, &[]));
        assert!(all_met(&parse("none").unwrap(), &[]));
    }

    #[test]
    fn a_suspicion_does_not_meet_a_line_that_promises_a_failure() {
        let suspicion = Finding::fail(Subject::Server, "odd", "look").suspected();
        assert!(!all_met(&parse("fail server").unwrap(), &[&suspicion]));
        assert!(all_met(&parse("suspected fail server").unwrap(), &[&suspicion]));
    }
}
