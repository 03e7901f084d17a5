//! The call that shows a proven hole again, as a command line that is ready to run.

use serde_json::{Value, json};

use crate::check::Finding;
use crate::evidence::{Evidence, Exchange};
use crate::probe::Send;
use crate::scrub::SCRATCH;
use crate::target::Target;

/// `None` where nothing is proven, or no call of a tool shows it.
pub(super) fn command(evidence: &Evidence, finding: &Finding) -> Option<String> {
    finding.proof.as_ref()?;
    let x = finding.seen_in.iter().find_map(|id| evidence.exchange(*id))?;
    let tool = called(x)?;
    let arguments = x.arguments().cloned().unwrap_or_else(|| json!({}));
    let mut words = vec!["proofmark".to_owned(), "call".to_owned()];
    words.extend(["--tool".to_owned(), quoted(tool)]);
    words.extend(["--arguments".to_owned(), quoted(&arguments.to_string())]);
    words.extend(target(&evidence.target)?);
    Some(words.join(" "))
}

fn called(x: &Exchange) -> Option<&str> {
    match &x.send {
        Send::Request { method, params, .. } if method == "tools/call" => {
            params.as_ref()?.get("name").and_then(Value::as_str)
        }
        Send::Request { .. }
        | Send::Notification { .. }
        | Send::Raw { .. }
        | Send::Http { .. }
        | Send::Aside { .. }
        | Send::Listen { .. } => None,
    }
}

/// What the run kept secret is left for the reader to fill in.
fn target(target: &Target) -> Option<Vec<String>> {
    let pairs = |flag: &str, of: Vec<String>| -> Vec<String> {
        of.into_iter().flat_map(|pair| [flag.to_owned(), quoted(&pair)]).collect()
    };
    match target {
        Target::Stdio { command, args, env, .. } => {
            let mut words = pairs("--env", env.iter().map(|(k, v)| format!("{k}={v}")).collect());
            words.push("--".to_owned());
            words.extend(std::iter::once(command).chain(args).map(|a| quoted(&planted(a))));
            Some(words)
        }
        Target::Http { url, headers } => Some(at("--url", url, pairs, headers)),
        Target::Sse { url, headers } => Some(at("--sse", url, pairs, headers)),
        Target::Source { .. } => None,
    }
}

fn at(
    flag: &str,
    url: &str,
    pairs: impl Fn(&str, Vec<String>) -> Vec<String>,
    headers: &std::collections::BTreeMap<String, String>,
) -> Vec<String> {
    let mut words = pairs("--header", headers.iter().map(|(k, v)| format!("{k}: {v}")).collect());
    words.extend([flag.to_owned(), quoted(url)]);
    words
}

/// Names of planted places as the command line takes them.
fn planted(argument: &str) -> String {
    argument
        .replace(&format!("{SCRATCH}/workspace/repo"), "{repo}")
        .replace(&format!("{SCRATCH}/workspace"), "{workspace}")
}

/// One word for a shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::{ExchangeId, Subject};
    use crate::pages;
    use crate::proof::Proof;

    #[test]
    fn the_command_line_survives_quotes_and_names_planted_places() {
        let evidence = pages::evidence(
            r#"{"tools": [{"name": "t"}], "target": {"kind": "stdio", "command": "srv", "args": ["/proofmark/workspace/repo"], "env": {"K": "[redacted env K]"}},
                "exchanges": [{"probe": "x", "tool": "t", "arguments": {"q": "it's"}, "reply": {"text": "y"}}]}"#,
        )
        .unwrap();
        let proof = Proof::Callback { token: "t".to_owned() };
        let finding = Finding::fail(Subject::Server, "", "").seen_in(ExchangeId(1));
        assert_eq!(command(&evidence, &finding), None, "nothing is proven");
        assert_eq!(
            command(&evidence, &finding.proven(proof)).unwrap(),
            r#"proofmark call --tool t --arguments '{"q":"it'\''s"}' --env 'K=[redacted env K]' -- srv '{repo}'"#
        );
    }
}
