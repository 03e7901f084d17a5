//! Numbers within their bounds.

use serde_json::{Map, Value};

use super::described;
use super::meaning::Hint;
use crate::probe::words;

/// The number whose turn it is; nothing when the bounds exclude each other.
pub(super) fn number(
    schema: &Map<String, Value>,
    hint: Hint<'_>,
    whole: bool,
    turn: usize,
) -> Option<Value> {
    let bounds = Bounds::of(schema, whole);
    let multiple = schema.get("multipleOf").and_then(Value::as_f64).filter(|s| *s > 0.0);
    // A whole number on a grid of fractions must be on both.
    let step = match multiple {
        Some(step) if whole && step.fract() != 0.0 => whole_multiple(step),
        Some(step) => Some(step),
        None => whole.then_some(1.0),
    };
    let wish = natural(hint, whole) + hint.index as f64 * step.unwrap_or(1.0);
    let mut found: Vec<Value> = Vec::new();
    for value in bounds.candidates(wish, step).into_iter().filter_map(|v| json(v, whole)) {
        if !found.contains(&value) {
            found.push(value);
        }
    }
    // Bounds beyond what a float can count are at least legal themselves.
    let exact = ["minimum", "maximum"].iter().filter_map(|key| schema.get(*key));
    found.extend(exact.filter(|v| v.is_i64() || v.is_u64()).filter(|v| bounds.is_huge(v)).cloned());
    found.get(turn % found.len().max(1)).cloned()
}

fn json(value: f64, whole: bool) -> Option<Value> {
    if whole || value.fract() == 0.0 {
        // Beyond 2^53 a float no longer counts in ones.
        let exact = value.abs() < 9_007_199_254_740_992.0;
        return exact.then(|| Value::from(value as i64));
    }
    serde_json::Number::from_f64(value).map(Value::Number)
}

fn whole_multiple(step: f64) -> Option<f64> {
    (1..=1_000).map(|k| on_grid(f64::from(k), step)).find(|v| v.fract() == 0.0)
}

/// `count` steps, free of the dust of binary fractions.
fn on_grid(count: f64, step: f64) -> f64 {
    let text = step.to_string();
    let decimals = text.split_once('.').map_or(0, |(_, after)| after.len()).min(15);
    format!("{:.decimals$}", count * step).parse().unwrap_or(count * step)
}

struct Bounds {
    low: f64,
    high: f64,
    /// The bound itself is excluded.
    above_low: bool,
    below_high: bool,
}

impl Bounds {
    fn of(schema: &Map<String, Value>, whole: bool) -> Bounds {
        let at = |key: &str| schema.get(key).and_then(Value::as_f64);
        // Draft 4 wrote the exclusive bounds as flags.
        let flag = |key: &str| schema.get(key).and_then(Value::as_bool).unwrap_or(false);
        let mut bounds = Bounds {
            low: at("minimum").unwrap_or(f64::NEG_INFINITY),
            high: at("maximum").unwrap_or(f64::INFINITY),
            above_low: flag("exclusiveMinimum"),
            below_high: flag("exclusiveMaximum"),
        };
        if let Some(low) = at("exclusiveMinimum").filter(|low| *low >= bounds.low) {
            (bounds.low, bounds.above_low) = (low, true);
        }
        if let Some(high) = at("exclusiveMaximum").filter(|high| *high <= bounds.high) {
            (bounds.high, bounds.below_high) = (high, true);
        }
        if whole {
            bounds.tighten_to_whole();
        }
        bounds
    }

    fn tighten_to_whole(&mut self) {
        if self.low.is_finite() {
            let up = self.low.ceil();
            self.low = if self.above_low && up == self.low { up + 1.0 } else { up };
            self.above_low = false;
        }
        if self.high.is_finite() {
            let down = self.high.floor();
            self.high = if self.below_high && down == self.high { down - 1.0 } else { down };
            self.below_high = false;
        }
    }

    fn contains(&self, value: f64) -> bool {
        let above = if self.above_low { value > self.low } else { value >= self.low };
        let below = if self.below_high { value < self.high } else { value <= self.high };
        above && below
    }

    fn is_huge(&self, bound: &Value) -> bool {
        bound.as_f64().is_some_and(|b| b.abs() >= 9_007_199_254_740_992.0 && self.contains(b))
    }

    fn candidates(&self, wish: f64, step: Option<f64>) -> Vec<f64> {
        let middle = (self.low + self.high) / 2.0;
        // Small steps from the bounds, for narrow ranges.
        let (near_low, near_high) = (self.low + 1.0, self.high - 1.0);
        let quarter = self.low + (self.high - self.low) / 4.0;
        let wishes = [
            wish,
            self.low,
            near_low,
            self.high,
            near_high,
            middle,
            quarter,
            wish + 1.0,
            wish + 2.0,
            0.0,
            1.0,
            wish * 2.0,
            -1.0,
            10.0,
            100.0,
        ];
        let nearby = |v: f64| match step {
            Some(step) => [on_grid((v / step).ceil(), step), on_grid((v / step).floor(), step)],
            None => [v, v],
        };
        let finite = wishes.into_iter().filter(|v| v.is_finite());
        finite.flat_map(nearby).filter(|v| self.contains(*v)).collect()
    }
}

/// What people would write there: by the words of the name.
const NATURAL: &[(f64, &[&str])] = &[
    (52.52, &["latitude", "lat"]),
    (13.405, &["longitude", "lon", "lng", "long"]),
    (2024.0, &["year"]),
    (8080.0, &["port"]),
    (0.5, &["threshold", "ratio", "temperature", "probability", "similarity", "score", "opacity"]),
    (0.9, &["topp"]),
    (50.0, &["percent", "percentage", "quality", "progress"]),
    (1000.0, &["timeout", "milliseconds", "ms"]),
    (1_715_774_400.0, &["timestamp", "epoch", "unix"]),
    (0.0, &["offset", "skip", "index", "cursor", "indent"]),
    (30.0, &["age"]),
    (19.99, &["price", "amount", "cost", "total", "budget"]),
    (2.0, &["quantity", "qty", "copies", "decimals", "precision", "digits", "exponent"]),
    (300.0, &["width", "height"]),
    (12.0, &["font size", "fontsize"]),
    (100.0, &["size", "tokens", "length", "chars", "characters", "bytes", "zoom"]),
    (
        1.0,
        &[
            "page", "depth", "id", "number", "level", "version", "step", "steps", "start", "from",
            "row", "col", "column", "line", "priority", "month", "day",
        ],
    ),
    (
        5.0,
        &[
            "limit",
            "per page",
            "perpage",
            "page size",
            "pagesize",
            "batch size",
            "count",
            "max",
            "top",
            "k",
            "n",
            "end",
            "stop",
            "to",
            "results",
            "lines",
            "rows",
            "hours",
            "days",
            "minutes",
        ],
    ),
    (440.0, &["frequency", "hz"]),
];

fn natural(hint: Hint<'_>, whole: bool) -> f64 {
    if is_wait(hint.name) {
        return if whole { 1.0 } else { 0.5 };
    }
    let said = described::number(hint.about);
    let range = described::range(hint.about);
    let guess = said.unwrap_or_else(|| by_name(hint.name));
    range.map_or(guess, |(low, high)| guess.clamp(low, high))
}

/// The telling word of a name is its last: `image_width` is a width.
fn by_name(name: &str) -> f64 {
    let words = words(name);
    let of = |word: &str| NATURAL.iter().find(|(_, names)| names.contains(&word));
    let pair = words.windows(2).find_map(|two| of(&two.join(" ")));
    pair.or_else(|| words.iter().rev().find_map(|word| of(word))).map_or(3.0, |(value, _)| *value)
}

/// A duration: the shortest will do, or the sample outlasts our patience.
pub(super) fn is_wait(name: &str) -> bool {
    words(name).iter().any(|w| {
        matches!(w.as_str(), "duration" | "delay" | "wait" | "sleep" | "seconds" | "interval")
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(schema: Value, name: &str) -> Option<Value> {
        let whole = schema["type"] == "integer";
        let about = schema["description"].as_str().unwrap_or_default();
        number(schema.as_object().unwrap(), Hint { name, about, index: 0 }, whole, 0)
    }

    #[test]
    fn bounds_and_steps_are_kept() {
        let x = |schema| of(schema, "x");
        assert_eq!(x(json!({"type": "integer", "minimum": 10, "multipleOf": 7})), Some(json!(14)));
        assert_eq!(
            x(json!({"type": "integer", "exclusiveMinimum": 4, "maximum": 5})),
            Some(json!(5))
        );
        assert_eq!(
            x(json!({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1})),
            Some(json!(0.5))
        );
        assert_eq!(
            x(json!({"type": "integer", "minimum": 5, "exclusiveMinimum": true})),
            Some(json!(6))
        );
        assert_eq!(x(json!({"type": "integer", "minimum": 3, "maximum": 2})), None);
        assert_eq!(
            x(json!({"type": "number", "multipleOf": 0.1, "maximum": 0.3})),
            Some(json!(0.3))
        );
    }

    #[test]
    fn names_suggest_values() {
        assert_eq!(of(json!({"type": "integer"}), "maxResults"), Some(json!(5)));
        assert_eq!(of(json!({"type": "number"}), "latitude"), Some(json!(52.52)));
        assert_eq!(of(json!({"type": "integer"}), "duration"), Some(json!(1)));
        assert_eq!(of(json!({"type": "number"}), "duration"), Some(json!(0.5)));
        assert_eq!(of(json!({"type": "integer"}), "page_size"), Some(json!(5)));
    }

    #[test]
    fn descriptions_suggest_better_ones() {
        let said = json!({"type": "integer", "description": "Rating between 1 and 2"});
        assert_eq!(of(said, "rating"), Some(json!(2)));
        let said = json!({"type": "integer", "description": "Rows to return (default: 20)"});
        assert_eq!(of(said, "limit"), Some(json!(20)));
    }
}
