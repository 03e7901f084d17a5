//! Items that several directories ask for.

use serde_json::Value;

use super::{Answer, Case, Item};
use crate::evidence::{Startup, Tool};
use crate::probes::valid_call;
use crate::render::text::count;
use crate::report::ToolVerdict;
use crate::spec::Verdict;
use crate::target::Target;

/// The longest answer that clients of both big directories take, in tokens.
const TOKENS: u32 = 25_000;
const NAME: usize = 64;

/// The first few, in one line.
pub(super) fn listed(all: &[String]) -> String {
    const SHOWN: usize = 5;
    let mut text = all.iter().take(SHOWN).cloned().collect::<Vec<_>>().join("; ");
    if all.len() > SHOWN {
        text.push_str(&format!("; and {} more", all.len() - SHOWN));
    }
    text
}

pub(super) fn comes_up(case: &Case<'_>) -> Item {
    const TITLE: &str = "The server comes up and lists tools";
    match (&case.evidence.startup, case.evidence.inventory.tools.len()) {
        (Startup::Up { .. }, 0) => Item::fail(TITLE, "it lists no tools"),
        (Startup::Up { .. }, n) => Item::pass(TITLE, format!("it lists {n}")),
        (Startup::Down { says, .. }, _) => Item::fail(TITLE, says.clone()),
        (Startup::NotTried, _) => Item::ask(TITLE, "nothing was started; give a command or a URL"),
    }
}

/// An item about every tool; nothing is said of tools that nobody saw.
pub(super) fn every_tool(
    case: &Case<'_>,
    title: &'static str,
    good: &str,
    flaw: impl Fn(&Tool) -> Option<String>,
) -> Item {
    if case.evidence.inventory.tools.is_empty() {
        return Item::ask(title, "no tools were seen");
    }
    let wrong: Vec<String> = case
        .evidence
        .tools()
        .filter_map(|tool| flaw(tool).map(|why| format!("{}: {why}", tool.name)))
        .collect();
    Item::of(title, good, &wrong)
}

pub(super) fn titles(case: &Case<'_>) -> Item {
    every_tool(case, "Every tool has a title for people", "all have one", |tool| {
        let annotated = tool.annotations.as_ref().and_then(|a| a.get("title")?.as_str());
        let title = tool.title.as_deref().or(annotated).unwrap_or_default();
        title.trim().is_empty().then(|| "no title".to_owned())
    })
}

pub(super) fn descriptions(case: &Case<'_>) -> Item {
    every_tool(case, "Every tool says what it does", "all do", |tool| {
        let said = tool.description.as_deref().unwrap_or_default();
        said.trim().is_empty().then(|| "no description".to_owned())
    })
}

/// What reads says so, and what writes says whether it destroys.
pub(super) fn safety_hints(case: &Case<'_>) -> Item {
    const TITLE: &str = "Every tool is marked as reading or as destructive";
    every_tool(case, TITLE, "all are", |tool| {
        match (tool.hint("readOnlyHint"), tool.hint("destructiveHint")) {
            (Some(true), _) | (_, Some(_)) => None,
            (Some(false), None) => Some("writes, and `destructiveHint` is missing".to_owned()),
            (None, None) => Some("neither `readOnlyHint` nor `destructiveHint`".to_owned()),
        }
    })
}

pub(super) fn names(case: &Case<'_>) -> Item {
    const TITLE: &str = "Names of tools are short and plain";
    every_tool(case, TITLE, "all are", |tool| {
        let plain = tool.name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
        match (tool.name.chars().count(), plain) {
            (n, _) if n > NAME => Some(format!("{n} letters, {NAME} are allowed")),
            (_, false) => Some("other characters than letters, digits, _ and -".to_owned()),
            (_, true) => None,
        }
    })
}

/// Annotations are claims; the run may have seen otherwise.
pub(super) fn hints_hold(case: &Case<'_>) -> Item {
    const TITLE: &str = "What tools do is what their hints say";
    if case.evidence.transcript.iter().all(|x| x.subject.tool().is_none()) {
        return Item::ask(TITLE, "no tool was called");
    }
    let lies: Vec<String> = case
        .report
        .failures()
        .filter(|f| f.check == "security/annotation-deception")
        .map(|f| format!("{}: {}", f.subject, f.says))
        .collect();
    Item::of(TITLE, "no call was seen to do otherwise", &lies)
}

pub(super) fn bounded(case: &Case<'_>) -> Item {
    const TITLE: &str = "Answers stay below 25,000 tokens";
    // Ordinary calls alone: what we stuffed in later may come back, and is not the server's doing.
    let answers = case
        .evidence
        .of(valid_call::PROBE.id)
        .filter_map(|x| Some((x.subject.tool()?, *case.evidence.answer_tokens.get(&x.id)?)));
    let largest = answers.max_by_key(|(_, tokens)| *tokens);
    match largest {
        None => Item::ask(TITLE, "no ordinary answer was counted"),
        Some((tool, n)) if n > TOKENS => Item::fail(
            TITLE,
            format!("{tool} answered with {n} tokens (o200k); page or cut long lists"),
        ),
        Some((_, n)) => Item::pass(TITLE, format!("the longest of this run had {n} (o200k)")),
    }
}

pub(super) fn working(case: &Case<'_>) -> Item {
    const TITLE: &str = "Every tool works";
    let broken: Vec<String> = case
        .report
        .tools
        .iter()
        .filter(|t| t.verdict == ToolVerdict::Broken)
        .map(|t| format!("{}: {}", t.name, t.why))
        .collect();
    if case.report.tools.is_empty() {
        return Item::ask(TITLE, "no tools were seen");
    }
    let idle = case.report.tools.iter().filter(|t| t.verdict == ToolVerdict::Unexercised).count();
    match (broken.is_empty(), idle) {
        (true, n) if n > 0 => {
            Item::ask(TITLE, format!("{} not called in this run", count(n, "tool")))
        }
        (true | false, _) => Item::of(TITLE, "all that were called do", &broken),
    }
}

pub(super) fn no_holes(case: &Case<'_>) -> Item {
    let proven: Vec<String> = case
        .report
        .failures()
        .filter(|f| f.proof.is_some())
        .map(|f| format!("{}: {}", f.check, f.subject))
        .collect();
    match case.report.score {
        None => Item::ask("No security hole is proven", "nothing was tested"),
        Some(_) => Item::of("No security hole is proven", "none was found in this run", &proven),
    }
}

pub(super) fn privacy(case: &Case<'_>) -> Item {
    const TITLE: &str = "There is a privacy policy";
    let readme = readme(case).unwrap_or_default().to_lowercase();
    let file = case.papers.names.iter().find(|n| n.to_lowercase().contains("privacy"));
    match (file, readme.contains("privacy")) {
        (Some(file), _) => Item::ask(TITLE, format!("{file} is there; is it public and complete?")),
        (None, true) => Item::ask(TITLE, "the README speaks of privacy; is the policy public?"),
        (None, false) => Item::ask(TITLE, "none was found; is one published elsewhere?"),
    }
}

pub(super) fn readme<'a>(case: &Case<'a>) -> Option<&'a str> {
    let read = case.evidence.source.as_ref().and_then(|s| s.readme.as_ref());
    let found = ["README.md", "README.rst", "README"].iter().find_map(|n| case.papers.text(n));
    read.map(|d| d.text.as_str()).or(found)
}

/// An icon in the project or in what the server says of itself.
pub(super) fn icon(case: &Case<'_>) -> Item {
    const TITLE: &str = "There is an icon";
    let drawn = |n: &&String| {
        let n = n.to_lowercase();
        (n.contains("icon") || n.contains("logo"))
            && [".png", ".svg"].iter().any(|e| n.ends_with(e))
    };
    match case.papers.names.iter().find(drawn) {
        Some(file) => Item::pass(TITLE, format!("{file} is there")),
        None => Item::ask(TITLE, "none was found in the project; is one ready to be sent in?"),
    }
}

/// The version of a paper against what the server says, and what its package says.
pub(super) fn version(case: &Case<'_>, paper: &str, version: Option<&str>) -> Item {
    const TITLE: &str = "The version is the same everywhere";
    let Some(version) = version else {
        return Item::fail(TITLE, format!("{paper} has no version"));
    };
    let source = case.evidence.source.as_ref().and_then(|s| s.package.as_ref());
    let said = [
        ("the server says", case.report.server.version.as_deref()),
        ("its package says", source.and_then(|p| p.version.as_deref())),
    ];
    let known = said.iter().any(|(_, v)| v.is_some());
    let other = said.iter().filter_map(|(who, v)| v.filter(|v| *v != version).map(|v| (who, v)));
    let wrong: Vec<String> =
        other.map(|(who, v)| format!("{paper} says {version}, {who} {v}")).collect();
    match known {
        true => Item::of(TITLE, &format!("{version} in {paper} and in the server"), &wrong),
        false => Item::ask(TITLE, format!("{paper} says {version}; the server was not asked")),
    }
}

pub(super) fn transport(case: &Case<'_>) -> Item {
    const TITLE: &str = "The server is reached over HTTPS";
    match &case.evidence.target {
        Target::Http { url, .. } | Target::Sse { url, .. } if url.starts_with("https://") => {
            Item::pass(TITLE, "it is")
        }
        Target::Http { .. } | Target::Sse { .. } => {
            Item::ask(TITLE, "this run used plain HTTP; is the public address https://?")
        }
        Target::Stdio { .. } | Target::Source { .. } => {
            Item::ask(TITLE, "this run used a local server; is there a public https:// address?")
        }
    }
}

pub(super) fn oauth(case: &Case<'_>) -> Item {
    const TITLE: &str = "Logging in follows OAuth, with metadata that says how";
    let rows = case.report.requirements.iter().filter(|r| r.id.starts_with("AUTH"));
    let verdicts = || rows.clone().map(|r| r.verdict);
    let broken: Vec<String> = rows
        .clone()
        .filter(|r| r.verdict == Verdict::Fail)
        .map(|r| format!("{}: {}", r.id, r.says))
        .collect();
    match &case.evidence.target {
        Target::Stdio { .. } | Target::Source { .. } => {
            Item::ask(TITLE, "a local server was assessed; does the public one ask for a login?")
        }
        Target::Http { .. } | Target::Sse { .. } => {
            match (broken.is_empty(), verdicts().any(|v| v == Verdict::Pass)) {
                (false, _) => Item::fail(TITLE, listed(&broken)),
                (true, true) => Item::pass(TITLE, "no requirement that was tested is broken"),
                (true, false) => Item::ask(TITLE, "the server asked for no login; is that meant?"),
            }
        }
    }
}

pub(super) fn documented(case: &Case<'_>) -> Item {
    const TITLE: &str = "The documentation shows at least three examples";
    match readme(case) {
        None => Item::ask(TITLE, "no README was read; is there documentation elsewhere?"),
        Some(text) => {
            let examples = text.matches("```").count() / 2;
            match examples >= 3 {
                true => Item::pass(TITLE, format!("the README has {examples} blocks of code")),
                false => {
                    Item::ask(TITLE, format!("the README has {examples}; are more elsewhere?"))
                }
            }
        }
    }
}

/// A text of a paper, by its path.
pub(super) fn text<'a>(value: &'a Value, pointer: &str) -> Option<&'a str> {
    value.pointer(pointer).and_then(Value::as_str).filter(|t| !t.trim().is_empty())
}

/// Nothing can be said for want of the paper: a failure where the project was looked through.
pub(super) fn without(case: &Case<'_>, title: &'static str, why: String) -> Item {
    let verdict = if case.papers.given { Answer::Fail } else { Answer::Ask };
    Item { title, verdict, says: why }
}
