//! Whether a message says what was expected, what came, and what to do.

use std::sync::LazyLock;

use serde_json::Value;

use super::Fault;
use crate::pattern::Test;
use crate::probes::wrong_input::Kind;

macro_rules! words {
    ($($name:ident = $pattern:literal;)+) => {
        $(static $name: LazyLock<Option<Test>> = LazyLock::new(|| Test::new($pattern));)+

        #[cfg(test)]
        pub(super) fn every_pattern_compiles() -> bool {
            [$($name.is_some()),+].into_iter().all(|compiled| compiled)
        }
    };
}

words! {
    REQUIRED = r"required|missing|mandatory|must (be|have|contain|include|provide)|needs?\b|\bexpected|undefined|not (provided|given|supplied|set|found in)|cannot be (empty|blank|undefined|null)|no \S+ (was )?(provided|given)|without|必|缺";
    DEMAND = r"\bexpected|must|should|has to|needs? to|required|is not|not an?\b|not of|valid|only|invalid[ _]type|cannot be|can't be|want|type";
    TYPE = r"\b(strings?|texts?|str|string_type|integers?|int|numbers?|numeric|floats?|booleans?|bool|arrays?|lists?|objects?|dict(ionary|ionaries)?|mapping|null|none|one of|dates?|ur[il]s?|enum|options?|sequence|tuple|struct|i32|i64|u32|u64|f64|usize)\b";
    RANGE = r"at (least|most)|minimum|maximum|\bmin\b|\bmax\b|greater|less|between|positive|negative|more than|fewer|longer|shorter|too (long|short|big|small|large|many|few)|[<>]=?|range|exceed|limit|up to";
    PATTERN = r"pattern|regex|match|format|must|\bexpected|should|allowed|only|e\.g\.|such as|consist|contain";
    FILLED = r"empty|blank|at least|required|must|non-?empty|minimum|fewer|shorter|length|too (short|small|few)|>=|missing";
    SURPLUS = r"unrecogni[sz]ed|not (permitted|allowed|\bexpected|recogni[sz]ed|supported)|additional propert|unexpected|unknown|extra|unsupported|no such|does not (accept|take|have)|got an unexpected";
    FORMAT = r"valid|format|\bexpected|must|should|e\.g\.|such as|parse|iso";
    SIZE = r"too (long|large|big)|exceed|at most|maximum|limit|longer|nametoolong";
    RECEIVED = r"received|\bgot\b|\bgiven\b|\bfound\b|\bactual|input_(type|value)|instead of|, not |\bbut\b|provided value|\bwas\b|value:";
    ABSENT = r"missing|required|undefined|not (provided|given|supplied|set)|absent|none|no \S+ (was )?(provided|given)";
    WAY_OUT = r"\b(try|use|provide|pass|specify|supply|see|check|call|choose|include|remove|omit|send|please|did you mean|for example|such as|for further information|allowed|available|one of|options are|list_\w+|instead)\b|e\.g\.|valid \w+ (are|is)\b|expected one of";
}

fn says(rule: &LazyLock<Option<Test>>, text: &str) -> bool {
    rule.as_ref().is_some_and(|rule| rule.is_match(text))
}

pub(super) fn says_expected(text: &str, fault: &Fault<'_>) -> bool {
    let text = text.to_lowercase();
    match fault.kind {
        Kind::MissingRequired => says(&REQUIRED, &text),
        Kind::WrongType | Kind::AsText | Kind::Null => {
            says(&DEMAND, &text) && says(&TYPE, &text) || says_option(&text, fault)
        }
        Kind::OutOfEnum => says_option(&text, fault),
        Kind::OutOfRange => says(&RANGE, &text) || says_bound(&text, fault),
        Kind::PatternViolated => says(&PATTERN, &text),
        Kind::Empty => says(&FILLED, &text) || says(&PATTERN, &text),
        Kind::InvalidFormat => says(&FORMAT, &text),
        Kind::ExtraParameter => says(&SURPLUS, &text),
        Kind::Oversized => says(&SIZE, &text),
    }
}

/// Whether any of the options stands in the text.
fn says_option(text: &str, fault: &Fault<'_>) -> bool {
    let options = fault.schema.get("enum").and_then(Value::as_array).into_iter().flatten();
    let mut options = options.chain(fault.schema.get("const")).map(plainly);
    options.any(|option| !option.is_empty() && text.contains(&option))
}

fn says_bound(text: &str, fault: &Fault<'_>) -> bool {
    const BOUNDS: &[&str] = &[
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
    ];
    BOUNDS.iter().filter_map(|key| fault.schema.get(*key)).any(|n| text.contains(&n.to_string()))
}

fn plainly(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned).to_lowercase()
}

pub(super) fn gives_received(text: &str, fault: &Fault<'_>) -> bool {
    let text = text.to_lowercase();
    match fault.kind {
        Kind::MissingRequired => says(&ABSENT, &text),
        // Its name is what came.
        Kind::ExtraParameter => text.contains(&fault.parameter.to_lowercase()),
        Kind::WrongType
        | Kind::AsText
        | Kind::Null
        | Kind::OutOfEnum
        | Kind::OutOfRange
        | Kind::PatternViolated
        | Kind::Empty
        | Kind::InvalidFormat
        | Kind::Oversized => {
            let sent = fault.sent.map(plainly).filter(|sent| sent.len() > 1);
            says(&RECEIVED, &text) || sent.is_some_and(|sent| text.contains(&sent))
        }
    }
}

pub(super) fn shows_way_out(text: &str) -> bool {
    says(&WAY_OUT, &text.to_lowercase())
}
