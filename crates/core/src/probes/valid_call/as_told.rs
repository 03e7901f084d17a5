//! One more try for a tool that has not worked: with the examples that descriptions give, and with
//! what the tools answered that they name ("as list_items shows it").

use serde_json::Value;

use super::chain::why_failed;
use super::{AS_TOLD, PROBE, fell_short, step, working};
use crate::arguments::{Context, Fill, described, places_of, sample};
use crate::evidence::{Evidence, Exchange, Tool};
use crate::harvest::{Sense, is_wrapper, singular};
use crate::probe::{Call, Risk, words};
use crate::response::Trouble;
use crate::seed::Seed;

const LONGEST: usize = 60;

pub(super) fn call(evidence: &Evidence, tool: &Tool, seed: Seed) -> Option<Call> {
    let sent: Vec<&Exchange> = evidence.of_tool(PROBE.id, &tool.name).collect();
    let missed = || working(evidence, &tool.name).is_some_and(fell_short);
    // A password is wrong until the one is given that the description tells.
    let untold = || {
        let told = |(name, _): (&str, &Value)| beside_its_name(tool, &format!("/{name}")).is_some();
        working(evidence, &tool.name).is_none() && tool.parameters().any(told)
    };
    let failed = why_failed(evidence, tool).is_some()
        || missed()
        || misses_a_word(evidence, tool)
        || untold();
    if sent.iter().any(|x| x.label == AS_TOLD) || !failed {
        return None;
    }
    let context = Context { as_told: true, ..Context::of(evidence, &tool.name) };
    let mut arguments = sample(&tool.input_schema, &context, seed.part(&tool.name), Fill::Typical)?;
    for (n, pointer) in places_of(&arguments).into_iter().enumerate() {
        if let (Some(value), Some(place)) =
            (beside_its_name(tool, &pointer), arguments.pointer_mut(&pointer))
        {
            *place = like(place, Value::String(value))?;
            continue;
        }
        let told = described(tool, &pointer);
        let source =
            named(evidence, tool, &told).or_else(|| named_alone(evidence, tool)).or_else(|| {
                // Longer texts are contents, and no names of things.
                let guessed = match arguments.pointer(&pointer) {
                    Some(Value::String(text)) => {
                        text.len() <= LONGEST && !told.contains(text) && !is_said(tool, text)
                    }
                    Some(Value::Number(n)) => n.is_u64(),
                    Some(_) | None => false,
                };
                // What a refusal misses is most often named first.
                let missed = || (n == 0).then(|| lists_missed(evidence, tool)).flatten();
                guessed.then(|| lists(evidence, tool, &pointer).or_else(missed)).flatten()
            });
        // Whoever lists may still be asked.
        if source.is_some_and(|source| is_pending(evidence, source)) {
            return None;
        }
        let listed = source.and_then(|source| first_of(evidence, source, &pointer));
        if let (Some(value), Some(place)) = (listed, arguments.pointer_mut(&pointer)) {
            *place = like(place, value)?;
        }
    }
    let is_new = !sent.iter().any(|x| x.arguments() == Some(&arguments));
    is_new.then(|| Call::tool(&tool.name, AS_TOLD, arguments))
}

/// "For trying out: user "demo", password "demo"", "such as sku T-100 with code 5519".
fn beside_its_name(tool: &Tool, pointer: &str) -> Option<String> {
    let name = pointer.strip_prefix('/').filter(|name| !name.contains('/'))?;
    let about = tool.description.as_deref()?;
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    step::places(about, name).find_map(|at| {
        let rest = about[at + name.len()..].trim_start_matches([' ', ':', '=']);
        let quoted = rest.chars().next().filter(|c| ['"', '\'', '`'].contains(c));
        let value = match quoted {
            Some(mark) => rest[1..].split_once(mark)?.0,
            None => {
                let end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
                Some(&rest[..end]).filter(|word| word.contains(|c: char| c.is_ascii_digit()))?
            }
        };
        (!value.is_empty() && value.len() <= LONGEST).then(|| value.to_owned())
    })
}

/// The tool that is named by what is said of this one, which takes one thing alone: "unpacks the token
/// that `pack` returned".
fn named_alone<'a>(evidence: &'a Evidence, tool: &Tool) -> Option<&'a Tool> {
    let alone = tool.parameters().count() == 1;
    named(evidence, tool, tool.description.as_deref().filter(|_| alone)?)
}

/// Whether a tool has not worked, whatever it says, and another one has what it asks for.
fn misses_a_word(evidence: &Evidence, tool: &Tool) -> bool {
    let tried = evidence.of_tool(PROBE.id, &tool.name).any(|x| x.reply.is_tool_error());
    tried && working(evidence, &tool.name).is_none() && named_alone(evidence, tool).is_some()
}

/// The tool that a description names.
fn named<'a>(evidence: &'a Evidence, tool: &Tool, about: &str) -> Option<&'a Tool> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let mut words = about.split(|c: char| !is_word(c));
    words.find_map(|w| evidence.tools().find(|t| t.name == w && t.name != tool.name))
}

/// Whether the tool itself gives this value as an example.
fn is_said(tool: &Tool, text: &str) -> bool {
    tool.description.as_deref().is_some_and(|d| d.contains(text))
}

/// A tool that needs nothing and lists what this parameter asks for: `course` of `list_courses`, or
/// of a table with such a column.
fn lists<'a>(evidence: &'a Evidence, tool: &Tool, pointer: &str) -> Option<&'a Tool> {
    let thing = thing(pointer)?;
    let lists = || listings(evidence, tool);
    let told = |t: &&'a Tool| {
        let answer = working(evidence, &t.name).map(|x| x.reply.text()).unwrap_or_default();
        columns(answer.lines().next().unwrap_or_default()).iter().any(|c| is_of(c, &thing))
    };
    lists().find(|t| is_of(&t.name, &thing)).or_else(|| lists().find(told))
}

/// A tool that lists what a refusal says is not there: "no such booking", and `list_bookings`.
fn lists_missed<'a>(evidence: &'a Evidence, tool: &Tool) -> Option<&'a Tool> {
    let refusal = why_failed(evidence, tool)?;
    let missed = Trouble::of(&refusal) == Trouble::NotFound;
    let about = |t: &&Tool| Sense::of(evidence, t).noun.last().is_some_and(|n| is_of(&refusal, n));
    listings(evidence, tool).find(about).filter(|_| missed)
}

/// The other tools that need nothing and only read.
fn listings<'a>(evidence: &'a Evidence, tool: &Tool) -> impl Iterator<Item = &'a Tool> {
    let reads = |t: &&Tool| {
        t.name != tool.name
            && evidence.risk_of(&t.name) == Risk::Reads
            && t.required().next().is_none()
    };
    evidence.tools().filter(reads)
}

/// What the parameter at a pointer asks for: `photo` of `/photo_id`.
fn thing(pointer: &str) -> Option<String> {
    let name = pointer.split('/').rfind(|part| part.parse::<u32>().is_err())?;
    let mut words = words(name).into_iter().map(|w| singular(&w));
    words.find(|w| !["id", "name", "key", "code", "no", "number", "the"].contains(&w.as_str()))
}

fn columns(line: &str) -> Vec<&str> {
    if !line.contains('|') {
        return Vec::new();
    }
    line.trim().trim_matches('|').split('|').map(str::trim).collect()
}

fn is_of(text: &str, thing: &str) -> bool {
    words(text).iter().any(|w| singular(w) == thing)
}

/// The first value of the column about this thing, else of the first one.
fn in_table(text: &str, thing: &str) -> Option<String> {
    let mut lines = text.lines().map(columns).filter(|cells| !cells.is_empty()).peekable();
    // The names of columns have no digits in them: what has is a row already.
    let is_head = |cells: &[&str]| !cells.iter().any(|c| c.contains(|c: char| c.is_ascii_digit()));
    let head = lines.next_if(|cells| is_head(cells)).unwrap_or_default();
    let at = head.iter().position(|c| is_of(c, thing)).unwrap_or(0);
    let rule = |cells: &Vec<&str>| cells.iter().all(|c| c.chars().all(|c| "-+: ".contains(c)));
    let row = lines.find(|cells| !rule(cells))?;
    row.get(at)?.split(',').next().map(|cell| cell.trim().to_owned()).filter(|c| !c.is_empty())
}

/// The first word that looks like an id: letters, a dash and digits.
fn id_in(text: &str) -> Option<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let looks = |word: &&str| {
        let joined = word.find(['-', '_']).is_some_and(|at| at > 0 && at + 1 < word.len());
        let capital = word.chars().next().is_some_and(|c| c.is_ascii_alphabetic());
        joined && capital && word.chars().any(|c| c.is_ascii_digit()) && word.len() <= 40
    };
    text.split(|c: char| !is_part(c)).find(looks).map(str::to_owned)
}

fn is_pending(evidence: &Evidence, tool: &Tool) -> bool {
    let pending = |x: &Exchange| x.reply.is_pending();
    evidence.of_tool(PROBE.id, &tool.name).any(pending)
}

/// The first thing that a listing names, as the place at this pointer would ask for it.
fn first_of(evidence: &Evidence, tool: &Tool, pointer: &str) -> Option<Value> {
    let answer = working(evidence, &tool.name)?;
    // A text that is merely wrapped is easier to read as it is.
    let structured = answer.result()?.get("structuredContent").filter(|s| !is_wrapper(s)).cloned();
    let text = answer.reply.text();
    let json = structured.or_else(|| serde_json::from_str(&text).ok());
    match json {
        Some(value) => member(&value, pointer.rsplit('/').next().unwrap_or_default()),
        None => {
            let table = in_table(&text, &thing(pointer).unwrap_or_default());
            table.or_else(|| first_cell(&text)).or_else(|| id_in(&text)).map(Value::String)
        }
    }
}

/// Of the first record the member of that name, else one that names it, else the first.
fn member(value: &Value, name: &str) -> Option<Value> {
    match value {
        Value::Array(items) => items.first().and_then(|item| member(item, name)),
        Value::Object(map) => {
            let inner = map.values().find(|v| v.is_array() || v.is_object());
            let scalar = |v: &&Value| v.is_string() || v.is_number();
            let own = map.get(name).filter(scalar);
            let usual = || ["id", "name", "key"].iter().find_map(|k| map.get(*k)).filter(scalar);
            let first = || map.values().find(scalar);
            match (own.or_else(usual), inner) {
                (Some(value), _) => Some(value.clone()),
                (None, Some(inner)) => member(inner, name),
                (None, None) => first().cloned(),
            }
        }
        Value::String(_) | Value::Number(_) => Some(value.clone()),
        Value::Null | Value::Bool(_) => None,
    }
}

/// The first word of the first line that has one of its own before a separator, or looks like an id.
fn first_cell(text: &str) -> Option<String> {
    let cell = |line: &str| {
        let line = line.trim_start_matches(['-', '*', '•', ' ']);
        let word = line.split([' ', '\t', ':', '|', ',', ';']).next()?;
        let rest = line[word.len()..].trim_start_matches(' ');
        let apart = rest.is_empty() || rest.starts_with(['|', '\t', ':', ',', ';', '-']);
        let coded = word.contains(|c: char| c.is_ascii_digit() || c == '-' || c == '_');
        let named = word.chars().any(char::is_alphanumeric) && (apart || coded);
        named.then(|| word.to_owned())
    };
    text.lines().take(20).find_map(cell)
}

/// In the type of what stands there.
fn like(there: &Value, value: Value) -> Option<Value> {
    match (there, &value) {
        (Value::String(_), Value::Number(n)) => Some(Value::String(n.to_string())),
        (Value::Number(_), Value::String(text)) => serde_json::from_str(text).ok(),
        (_, _) => Some(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages;

    fn retried(answer: &str, about: &str, refusal: &str) -> Option<Value> {
        let snippet = serde_json::json!({
            "tools": [{"name": "list_plants"}, {"name": "get_plant", "description": "One plant.",
                "inputSchema": {"type": "object", "required": ["sku"], "properties":
                    {"sku": {"type": "string", "description": about}}}}],
            "exchanges": [
                {"probe": "valid-call", "tool": "list_plants", "label": "typical", "reply": {"text": answer}},
                {"probe": "valid-call", "tool": "get_plant", "label": "typical", "arguments": {"sku": "x"},
                 "reply": {"tool_error": refusal}}]
        });
        let evidence = pages::evidence(&snippet.to_string()).expect("a snippet");
        let call = call(&evidence, &evidence.inventory.tools[1], Seed(1))?;
        call.send.params()?.pointer("/arguments/sku").cloned()
    }

    #[test]
    fn the_tool_that_a_description_names_gives_the_value() {
        let about = "SKU from list_plants";
        let of = |answer: &str| retried(answer, about, "no such plant");
        assert_eq!(of("FRN-01 | Fern | 9\nLAV-01 | Lavender | 3"), Some("FRN-01".into()));
        assert_eq!(of("atlas: 3 files\nbeacon: 2 files"), Some("atlas".into()));
        assert_eq!(of("mon-web Shop front: up"), Some("mon-web".into()));
        assert_eq!(of(r#"[{"name": "Fern", "sku": "F-1"}]"#), Some("F-1".into()));
        assert_eq!(of(r#"{"plants": [{"id": 7, "name": "Fern"}]}"#), Some("7".into()));
    }

    #[test]
    fn what_lists_such_things_gives_one_without_being_named() {
        let table = "driver | plant code\n-------+------\ndr-ama | FRN-1, LAV-2";
        assert_eq!(in_table(table, "plant"), Some("FRN-1".to_owned()));
        assert_eq!(id_in("Harbour at six is filed as PH-0031."), Some("PH-0031".to_owned()));
        assert_eq!(thing("/photo_id"), Some("photo".to_owned()));
        assert_eq!(thing("/id"), None);
    }

    #[test]
    fn what_a_refusal_misses_is_taken_from_its_list() {
        let of = |refusal: &str| retried("BK1 Fern\nBK2 Lavender", "", refusal);
        assert_eq!(of("there is no such plant"), Some("BK1".into()));
        assert_ne!(of("no such customer"), Some("BK1".into()));
    }

    #[test]
    fn an_example_is_sent_where_what_was_planted_is_refused() {
        let told = retried("none", "Name of the sheet, e.g. printers.md", "no such sheet");
        assert_eq!(told, Some("printers.md".into()));
        assert_eq!(retried("none", "e.g. printers.md", "401 unauthorized"), None);
    }
}
