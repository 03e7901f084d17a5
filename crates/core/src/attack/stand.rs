//! Where attacks are made that may leave the server in another state: in a process of their own, so
//! that nothing else is seen through it.

use serde_json::{Map, Value};

use crate::evidence::{ClientCapabilities, Evidence, Exchange, Reply, Tool};
use crate::probe::{Connection, Side};
use crate::probes::{benign, claims, valid_call};
use crate::proof::json_in;

/// What is done where: the numbers tell the processes apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stand {
    /// What is stored is stored as usual.
    State = 40,
    /// Objects may have members that nobody gave them.
    Polluted = 41,
}

impl Stand {
    /// `None` as long as ordinary use has not been seen, and what is claimed of it not been looked into:
    /// for that, nothing may have been changed there.
    pub fn connection(self, evidence: &Evidence) -> Option<Connection> {
        let claims = evidence.of(claims::PROBE.id).any(|x| x.reply.is_pending());
        if claims || !is_use_seen(evidence) {
            return None;
        }
        self.fresh(evidence)
    }

    /// Where nobody has been before.
    pub fn fresh(self, evidence: &Evidence) -> Option<Connection> {
        let handshake = Some(evidence.revision()?);
        let client = ClientCapabilities::ALL;
        Some(Connection::Side(Side { handshake, client, number: self as u8 }))
    }
}

/// Whether ordinary use has been seen to its end, so that what works is known.
pub fn is_use_seen(evidence: &Evidence) -> bool {
    evidence.of(benign::PROBE.id).next().is_some_and(|x| !x.reply.is_pending())
}

/// Ordinary arguments of a tool, from a call that worked or else the benign one.
pub fn ordinary<'a>(evidence: &'a Evidence, tool: &'a Tool) -> Option<&'a Exchange> {
    let benign = || evidence.of_tool(benign::PROBE.id, &tool.name).find(|x| x.control.is_none());
    let valid =
        || evidence.of_tool(valid_call::PROBE.id, &tool.name).find(|x| x.arguments().is_some());
    valid_call::working(evidence, &tool.name).or_else(benign).or_else(valid)
}

/// Pointers to the objects within a value, itself included.
pub fn objects(value: &Value) -> Vec<String> {
    fn collect(value: &Value, at: &str, into: &mut Vec<String>) {
        match value {
            Value::Object(map) => {
                into.push(at.to_owned());
                for (name, inner) in map {
                    let name = name.replace('~', "~0").replace('/', "~1");
                    collect(inner, &format!("{at}/{name}"), into);
                }
            }
            Value::Array(items) => {
                items.first().iter().for_each(|v| collect(v, &format!("{at}/0"), into))
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    let mut found = Vec::new();
    collect(value, "", &mut found);
    found
}

/// The arguments with members added to the object at a pointer.
pub fn with_members(arguments: &Value, pointer: &str, more: Map<String, Value>) -> Option<Value> {
    let mut arguments = arguments.clone();
    arguments.pointer_mut(pointer)?.as_object_mut()?.extend(more);
    Some(arguments)
}

/// The values of an answer that is JSON, as it stands or within a text, by their last name.
pub fn members(reply: &Reply) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    each_member(reply, &mut |_, name, value| found.push((name.to_owned(), value.clone())));
    found
}

/// Shows each of them, with the way that leads to what it is a member of.
pub fn each_member(reply: &Reply, show: &mut dyn FnMut(&str, &str, &Value)) {
    fn walk(value: &Value, way: &mut String, show: &mut dyn FnMut(&str, &str, &Value)) {
        let here = way.len();
        match value {
            Value::Object(map) => {
                for (name, inner) in map {
                    show(way, name, inner);
                    way.push('/');
                    way.push_str(name);
                    walk(inner, way, show);
                    way.truncate(here);
                }
            }
            Value::Array(items) => {
                way.push_str("/-");
                items.iter().for_each(|item| walk(item, way, show));
                way.truncate(here);
            }
            Value::String(text) => {
                json_in(text).iter().for_each(|inner| walk(inner, way, show));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    if let Reply::Result { value } = reply {
        walk(value, &mut String::new(), show);
    }
}
