//! Holds a value against a type and names every place where it does not fit.

use std::cmp::Reverse;

use serde_json::{Map, Value};

use super::notation::{Field, Type};
use super::violation::Violation;
use super::vocabulary::{Rule, Vocabulary};

/// Where in the message we are; rendered only when something is wrong there.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    above: Option<&'a Place<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Root,
    Field(&'a str),
    /// A key that the sender chose.
    Key(&'a str),
    Item(usize),
}

impl<'a> Place<'a> {
    pub(super) const ROOT: Place<'static> = Place { above: None, step: Step::Root };

    pub(super) fn field(&'a self, name: &'a str) -> Place<'a> {
        Place { above: Some(self), step: Step::Field(name) }
    }

    pub(super) fn item(&'a self, index: usize) -> Place<'a> {
        Place { above: Some(self), step: Step::Item(index) }
    }

    fn key(&'a self, name: &'a str) -> Place<'a> {
        Place { above: Some(self), step: Step::Key(name) }
    }

    pub(super) fn violation(&self, rule: &str, says: &str) -> Violation {
        Violation {
            pointer: self.pointer(false),
            place: self.pointer(true),
            rule: rule.to_owned(),
            says: says.to_owned(),
        }
    }

    fn pointer(&self, general: bool) -> String {
        let above = self.above.map(|above| above.pointer(general)).unwrap_or_default();
        match self.step {
            Step::Root => above,
            Step::Key(_) | Step::Item(_) if general => above + "/*",
            Step::Item(index) => format!("{above}/{index}"),
            Step::Field(name) | Step::Key(name) => {
                format!("{above}/{}", name.replace('~', "~0").replace('/', "~1"))
            }
        }
    }
}

impl Vocabulary {
    pub(super) fn check(
        &self,
        name: &str,
        value: &Value,
        at: &Place<'_>,
        found: &mut Vec<Violation>,
    ) {
        if let Some(of) = self.named(name) {
            self.conform(of, value, at, found);
        }
    }

    /// Holds one member of a message against a rule, if there is one.
    pub(super) fn check_field(
        &self,
        rule: Option<&Rule>,
        message: &Value,
        name: &str,
        at: &Place<'_>,
        found: &mut Vec<Violation>,
    ) {
        if let (Some(Rule::Type(field)), Some(members)) = (rule, message.as_object()) {
            self.conform_field(field, name, members, at, found);
        }
    }

    /// Holds the result of a request against what its method answers with.
    pub(super) fn check_result(&self, method: &str, result: &Value, found: &mut Vec<Violation>) {
        if let Some(Rule::Type(field)) = self.results.get(method) {
            self.conform(&field.of, result, &Place::ROOT.field("result"), found);
        }
    }

    fn conform(&self, of: &Type, value: &Value, at: &Place<'_>, found: &mut Vec<Violation>) {
        let fits = match (of, value) {
            (Type::Any, _) => true,
            (Type::Null, value) => value.is_null(),
            (Type::Boolean, value) => value.is_boolean(),
            (Type::Text, value) => value.is_string(),
            (Type::Number { whole, least, most }, value) => value.as_f64().is_some_and(|n| {
                (!whole || n.fract() == 0.0)
                    && least.is_none_or(|least| n >= least)
                    && most.is_none_or(|most| n <= most)
            }),
            (Type::Literal(texts), value) => is_one_of(texts, value),
            (Type::Array { of, most }, Value::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    self.conform(of, item, &at.item(index), found);
                }
                most.is_none_or(|most| items.len() <= most)
            }
            (Type::Map(of), Value::Object(members)) => {
                for (name, value) in members {
                    self.conform(of, value, &at.key(name), found);
                }
                true
            }
            (Type::Record(fields), Value::Object(members)) => {
                for field in fields {
                    self.conform_field(field, &field.name, members, at, found);
                }
                true
            }
            (Type::Array { .. } | Type::Map(_) | Type::Record(_), _) => false,
            (Type::Named(index), value) => {
                self.conform(&self.types[*index], value, at, found);
                true
            }
            (Type::Union(_), value) => {
                self.conform_either(of, value, at, found);
                true
            }
        };
        if !fits {
            found.push(wrong(value, &of.words(&self.types), at));
        }
    }

    fn conform_field(
        &self,
        field: &Field,
        name: &str,
        members: &Map<String, Value>,
        at: &Place<'_>,
        found: &mut Vec<Violation>,
    ) {
        match members.get(name) {
            Some(value) => self.conform(&field.of, value, &at.field(name), found),
            None if field.optional => {}
            None => {
                let words = field.of.words(&self.types);
                let rule = format!("missing, expected {words}");
                let says = format!("is missing, expected {words}");
                found.push(at.field(name).violation(&rule, &says));
            }
        }
    }

    /// Any alternative will do; if none does, the one that was meant tells what is wrong.
    fn conform_either(&self, of: &Type, value: &Value, at: &Place<'_>, found: &mut Vec<Violation>) {
        let mut meant = Vec::new();
        for alternative in self.alternatives(of) {
            let mut faults = Vec::new();
            self.conform(alternative, value, at, &mut faults);
            if faults.is_empty() {
                return;
            }
            match (alternative, value) {
                (Type::Record(fields), Value::Object(members)) => {
                    meant.push((Likeness::of(fields, members), faults));
                }
                (Type::Array { .. }, Value::Array(_)) => meant.push((Likeness::default(), faults)),
                (_, _) => {}
            }
        }
        if let (Some(tag), Some(members)) = (common_tag(&meant), value.as_object()) {
            let mut texts: Vec<String> = Vec::new();
            for text in meant.iter().flat_map(|(like, _)| like.expected(&tag)) {
                if !texts.contains(&text) {
                    texts.push(text);
                }
            }
            let field = Field { name: tag, of: Type::Literal(texts), optional: false };
            return self.conform_field(&field, &field.name, members, at, found);
        }
        match meant.into_iter().min_by_key(|(like, faults)| (like.rank(), faults.len())) {
            Some((_, faults)) => found.extend(faults),
            None => found.push(wrong(value, &of.words(&self.types), at)),
        }
    }

    fn alternatives<'a>(&'a self, of: &'a Type) -> Vec<&'a Type> {
        match of {
            Type::Named(index) => self.alternatives(&self.types[*index]),
            Type::Union(either) => either.iter().flat_map(|t| self.alternatives(t)).collect(),
            Type::Any
            | Type::Null
            | Type::Boolean
            | Type::Text
            | Type::Number { .. }
            | Type::Literal(_)
            | Type::Array { .. }
            | Type::Map(_)
            | Type::Record(_) => vec![of],
        }
    }
}

/// How much an object looks like a record, by the literals (`type`, `method`) that tell records apart.
#[derive(Default)]
struct Likeness {
    /// Tags with another value, and what they should have been.
    off: Vec<(String, Vec<String>)>,
    right: usize,
    missing: usize,
}

impl Likeness {
    fn of(fields: &[Field], members: &Map<String, Value>) -> Likeness {
        let mut like = Likeness::default();
        for field in fields {
            match (&field.of, members.get(&field.name)) {
                (Type::Literal(texts), Some(value)) if is_one_of(texts, value) => like.right += 1,
                (Type::Literal(texts), value) if value.is_some() || !field.optional => {
                    like.off.push((field.name.clone(), texts.clone()));
                }
                (_, None) if !field.optional => like.missing += 1,
                (_, _) => {}
            }
        }
        like
    }

    /// The smallest is the likeliest.
    fn rank(&self) -> (usize, Reverse<usize>, usize) {
        (self.off.len(), Reverse(self.right), self.missing)
    }

    fn expected(&self, tag: &str) -> Vec<String> {
        self.off.iter().filter(|(name, _)| name == tag).flat_map(|(_, t)| t.clone()).collect()
    }
}

/// The tag that rules out every alternative.
fn common_tag(meant: &[(Likeness, Vec<Violation>)]) -> Option<String> {
    let ((first, _), rest) = meant.split_first()?;
    let everywhere =
        |tag: &str| rest.iter().all(|(like, _)| like.off.iter().any(|(name, _)| name == tag));
    first.off.iter().map(|(name, _)| name).find(|name| everywhere(name)).cloned()
}

fn is_one_of(texts: &[String], value: &Value) -> bool {
    value.as_str().is_some_and(|value| texts.iter().any(|t| t == value))
}

fn wrong(value: &Value, words: &str, at: &Place<'_>) -> Violation {
    at.violation(&format!("expected {words}"), &format!("is {}, expected {words}", seen(value)))
}

/// A value in a word or two.
fn seen(value: &Value) -> String {
    const SHORT: usize = 40;
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(value) => value.to_string(),
        Value::String(text) if text.chars().count() <= SHORT => format!("{text:?}"),
        Value::String(_) => "a long string".to_owned(),
        Value::Array(items) => format!("an array of {}", items.len()),
        Value::Object(_) => "an object".to_owned(),
    }
}
