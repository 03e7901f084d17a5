//! Changes to which messages are said, and deeds beside them.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use super::edit::filled;
use super::when::{Heard, When};
use crate::mode::Act;
use crate::rpc::{self, Refusal};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) enum Action {
    /// An error takes the place of the message.
    Refuse {
        code: i64,
        #[serde(default = "no_reason")]
        message: String,
    },
    /// A result takes the place of the message.
    Answer(Value),
    /// The message is not said.
    Silence,
    /// The message is said twice.
    Twice,
    /// The message is spread over lines.
    Lines,
    /// Says this first.
    Before(Value),
    /// Says this last.
    After(Value),
    /// Says only this.
    Instead(Value),
    /// Writes this first, whatever it is.
    Raw(String),
    /// Writes to stderr.
    Complain(String),
    /// Waits this many milliseconds first.
    Delay(u64),
    /// Waits this many milliseconds before what follows in the list is done.
    Pause(u64),
    Exit(i32),
}

fn no_reason() -> String {
    "this server is a mutant".to_owned()
}

impl Action {
    /// The acts with this change, or `None` where it finds nothing to change.
    pub(super) fn apply(&self, when: &When, heard: &Heard, acts: &[Act]) -> Option<Vec<Act>> {
        let id = || heard.at("/id").filter(|id| id.is_string() || id.is_number());
        let first = |act: Act| Some([&[act], acts].concat());
        let last = |act: Act| Some([acts, &[act]].concat());
        match self {
            Action::Refuse { code, message } => {
                let refusal = Refusal::new(*code, message.as_str());
                replace(when, acts, &|_| vec![Act::Say(rpc::error(id(), refusal.clone()))])
            }
            Action::Answer(result) => {
                let id = id().cloned().unwrap_or_default();
                let said = rpc::result(&id, filled(result, heard));
                replace(when, acts, &|_| vec![Act::Say(said.clone())])
            }
            Action::Silence => replace(when, acts, &|_| Vec::new()),
            Action::Twice => replace(when, acts, &|said| vec![Act::Say(said.clone()); 2]),
            Action::Lines => replace(when, acts, &|said| vec![Act::Raw(format!("{said:#}"))]),
            Action::Before(message) => first(Act::Say(filled(message, heard))),
            Action::After(message) => last(Act::Say(filled(message, heard))),
            Action::Instead(message) => Some(vec![Act::Say(filled(message, heard))]),
            Action::Raw(text) => first(Act::Raw(text.clone())),
            Action::Complain(text) => first(Act::Complain(text.clone())),
            Action::Delay(time) => first(Act::Wait(Duration::from_millis(*time))),
            Action::Pause(time) => last(Act::Wait(Duration::from_millis(*time))),
            Action::Exit(code) => Some(vec![Act::Exit(*code)]),
        }
    }
}

/// Puts other acts in the place of every message that is meant.
fn replace(when: &When, acts: &[Act], by: &dyn Fn(&Value) -> Vec<Act>) -> Option<Vec<Act>> {
    let meant = |act: &Act| matches!(act, Act::Say(said) if when.selects(said));
    acts.iter().any(meant).then(|| {
        let mut changed = Vec::new();
        for act in acts {
            if let Act::Say(said) = act
                && when.selects(said)
            {
                changed.extend(by(said));
            } else {
                changed.push(act.clone());
            }
        }
        changed
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Action;
    use crate::mode::Act;
    use crate::mutant::when::{Heard, When};

    fn played(action: &str, said: &[&Value]) -> Option<Vec<Act>> {
        #[derive(serde::Deserialize)]
        struct Row {
            act: Action,
        }
        let row: Row = toml::from_str(&format!("act = {action}")).expect("the action parses");
        let heard = Heard::new(Some(&json!({ "id": 7, "method": "ping" })), None);
        let acts: Vec<Act> = said.iter().map(|said| Act::Say((*said).clone())).collect();
        row.act.apply(&When::default(), &heard, &acts)
    }

    #[test]
    fn each_action_changes_what_is_said() {
        let pong = json!({ "jsonrpc": "2.0", "id": 7, "result": {} });
        let log = json!({ "jsonrpc": "2.0", "method": "x" });
        let say =
            |messages: &[&Value]| Some(messages.iter().map(|m| Act::Say((*m).clone())).collect());
        assert_eq!(played("'silence'", &[&log, &pong]), say(&[&log]));
        assert_eq!(played("'twice'", &[&pong]), say(&[&pong, &pong]));
        let extra = "{ before = { jsonrpc = '2.0', method = 'x' } }";
        assert_eq!(played(extra, &[&pong]), say(&[&log, &pong]));
        let answer = json!({ "jsonrpc": "2.0", "id": 7, "result": { "of": 7 } });
        assert_eq!(played("{ answer = { of = '$/id' } }", &[&pong]), say(&[&answer]));
        let refused = played("{ refuse = { code = -1, message = 'no' } }", &[&pong]);
        let no = json!({ "jsonrpc": "2.0", "id": 7, "error": { "code": -1, "message": "no" } });
        assert_eq!(refused, say(&[&no]));
    }

    #[test]
    fn where_nothing_is_said_nothing_can_be_replaced() {
        assert_eq!(played("'silence'", &[]), None);
        assert_eq!(played("{ refuse = { code = -1 } }", &[&json!({ "method": "x" })]), None);
    }
}
