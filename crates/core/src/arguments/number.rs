//! Numbers within their bounds.

use serde_json::{Map, Value};

use super::meaning::Hint;
use crate::probe::words;

/// A number of the schema's kind, or nothing when its bounds exclude each other.
pub(super) fn number(schema: &Map<String, Value>, hint: Hint<'_>, whole: bool) -> Option<Value> {
    let bounds = Bounds::of(schema, whole);
    let step = schema
        .get("multipleOf")
        .and_then(Value::as_f64)
        .filter(|s| *s > 0.0)
        .or(whole.then_some(1.0));
    let wish = natural(hint) + hint.index as f64 * step.unwrap_or(1.0);
    let value = bounds.nearest(wish, step)?;
    if whole || value.fract() == 0.0 {
        // Beyond 2^53 a float no longer counts in ones.
        let exact = value.abs() < 9_007_199_254_740_992.0;
        return exact.then(|| Value::from(value as i64));
    }
    serde_json::Number::from_f64(value).map(Value::Number)
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

    fn nearest(&self, wish: f64, step: Option<f64>) -> Option<f64> {
        let middle = (self.low + self.high) / 2.0;
        let near_low = self.low + 1.0;
        let near_high = self.high - 1.0;
        let candidates = [wish, self.low, near_low, self.high, near_high, middle];
        let on_grid = |v: f64| match step {
            Some(step) => [(v / step).ceil() * step, (v / step).floor() * step],
            None => [v, v],
        };
        candidates
            .into_iter()
            .filter(|v| v.is_finite())
            .flat_map(on_grid)
            .find(|v| self.contains(*v))
    }
}

/// What people would write there.
fn natural(hint: Hint<'_>) -> f64 {
    let name = words(hint.name);
    let has = |any: &[&str]| name.iter().any(|w| any.contains(&w.as_str()));
    if has(&["latitude", "lat"]) {
        52.52
    } else if has(&["longitude", "lon", "lng"]) {
        13.405
    } else if has(&["year"]) {
        2024.0
    } else if has(&["port"]) {
        8080.0
    } else if has(&["threshold", "ratio", "temperature", "probability", "similarity", "score"]) {
        0.5
    } else if has(&["timeout"]) {
        1000.0
    } else if has(&["offset", "skip", "index", "cursor"]) {
        0.0
    } else if has(&["width", "height", "size", "tokens", "length", "chars"]) {
        100.0
    } else if has(&["limit", "count", "max", "top", "k", "n", "end", "stop", "to"]) {
        5.0
    } else if is_wait(hint.name)
        || has(&["page", "depth", "id", "level", "version", "step", "steps", "start", "from"])
    {
        1.0
    } else {
        3.0
    }
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
        number(schema.as_object().unwrap(), Hint { name, about: "", index: 0 }, whole)
    }

    #[test]
    fn bounds_and_steps_are_kept() {
        assert_eq!(
            of(json!({"type": "integer", "minimum": 10, "multipleOf": 7}), "x"),
            Some(json!(14))
        );
        assert_eq!(
            of(json!({"type": "integer", "exclusiveMinimum": 4, "maximum": 5}), "x"),
            Some(json!(5))
        );
        assert_eq!(
            of(json!({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}), "x"),
            Some(json!(0.5))
        );
        assert_eq!(
            of(json!({"type": "integer", "minimum": 5, "exclusiveMinimum": true}), "x"),
            Some(json!(6))
        );
        assert_eq!(of(json!({"type": "integer", "minimum": 3, "maximum": 2}), "x"), None);
    }

    #[test]
    fn names_suggest_values() {
        assert_eq!(of(json!({"type": "integer"}), "maxResults"), Some(json!(5)));
        assert_eq!(of(json!({"type": "number"}), "latitude"), Some(json!(52.52)));
        assert_eq!(of(json!({"type": "number"}), "duration"), Some(json!(1)));
    }
}
