//! The rules of curves: they cover every rate, never fall as the rate rises, and give all points
//! for a perfect rate. Without these a better server could get a worse score.

use std::ops::Range;

use toml::Spanned;

use super::super::error::{At, Problem};
use super::super::format::{RawCurve, RawSlope, RawStep};
use super::super::{Curve, Edge, Slope, Step};
use super::Measure;

/// The curve of an area or part, by default linear, and where it stands.
pub(super) fn optional(
    raw: Option<Spanned<RawCurve>>,
    out_of: f64,
) -> Result<(Curve, Range<usize>), At> {
    let Some(raw) = raw else { return Ok((Curve::Linear, 0..0)) };
    let span = raw.span();
    let curve = any(raw, out_of)?;
    let best = match &curve {
        Curve::Linear | Curve::Penalty(_) => 100.0,
        Curve::Steps(steps) => steps.first().map_or(0.0, |s| s.points),
        Curve::Ramp(slopes) => slopes.first().map_or(0.0, |s| s.high),
    };
    if best < 100.0 - 1e-9 {
        let what = format!("gives {} of {out_of} points for a perfect rate", best * out_of / 100.0);
        let fix = format!("let its first entry give {out_of}, or set `out_of`");
        return Err(misfit(span, curve_name(&curve), &what, &fix));
    }
    Ok((curve, span))
}

/// A curve that need not reach all points: a cap.
pub(super) fn any(raw: Spanned<RawCurve>, out_of: f64) -> Result<Curve, At> {
    let span = raw.span();
    let curve = match raw.into_inner() {
        RawCurve::Linear => Curve::Linear,
        RawCurve::Steps(steps) => Curve::Steps(read_steps(&steps, out_of, &span)?),
        RawCurve::Ramp(slopes) => Curve::Ramp(read_slopes(&slopes, out_of, &span)?),
        RawCurve::Penalty(each) if each > 0.0 && each <= out_of => {
            Curve::Penalty(100.0 * each / out_of)
        }
        RawCurve::Penalty(each) => {
            let what = format!("takes {each} points, expected over 0 and up to {out_of}");
            return Err(misfit(span, "penalty", &what, "change it, e.g. `penalty = 10`"));
        }
    };
    let edges: Vec<Edge> = match &curve {
        Curve::Steps(steps) => steps.iter().map(|s| s.from).collect(),
        Curve::Ramp(slopes) => slopes.iter().map(|s| s.from).collect(),
        Curve::Linear | Curve::Penalty(_) => return Ok(curve),
    };
    cover(curve_name(&curve), &edges, span)?;
    Ok(curve)
}

/// A penalty counts failures, everything else reads a rate.
pub(super) fn fits(curve: &Curve, measure: Measure, span: Range<usize>) -> Result<(), At> {
    match (measure, curve) {
        (Measure::Failures, Curve::Penalty(_))
        | (Measure::Mean, Curve::Linear | Curve::Steps(_) | Curve::Ramp(_)) => Ok(()),
        (Measure::Mean, Curve::Penalty(_)) => Err(misfit(
            span,
            "penalty",
            "counts failures, but the measure is the mean",
            "add `measure = \"failures\"`",
        )),
        (Measure::Failures, Curve::Linear | Curve::Steps(_) | Curve::Ramp(_)) => Err(misfit(
            span,
            curve_name(curve),
            "reads a rate, but the measure counts failures",
            "use `curve = { penalty = 10 }`, or `measure = \"mean\"`",
        )),
    }
}

pub(super) fn misfit(span: Range<usize>, curve: &'static str, what: &str, fix: &str) -> At {
    let span = (span.end > 0).then_some(span);
    At { span, problem: Problem::Curve { curve, what: what.to_owned(), fix: fix.to_owned() } }
}

fn curve_name(curve: &Curve) -> &'static str {
    match curve {
        Curve::Linear => "linear",
        Curve::Steps(_) => "steps",
        Curve::Ramp(_) => "ramp",
        Curve::Penalty(_) => "penalty",
    }
}

fn read_steps(raw: &[RawStep], out_of: f64, span: &Range<usize>) -> Result<Vec<Step>, At> {
    let mut steps: Vec<Step> = Vec::new();
    for step in raw {
        let from = edge("steps", step.at, step.above, span)?;
        let points = scaled("steps", &step.points, out_of)?;
        if steps.last().is_some_and(|better| points > better.points) {
            return Err(falling("steps", step.points.span()));
        }
        steps.push(Step { from, points });
    }
    Ok(steps)
}

fn read_slopes(raw: &[RawSlope], out_of: f64, span: &Range<usize>) -> Result<Vec<Slope>, At> {
    let mut slopes: Vec<Slope> = Vec::new();
    for slope in raw {
        let from = edge("ramp", slope.at, slope.above, span)?;
        let low = scaled("ramp", &slope.low, out_of)?;
        let high = scaled("ramp", &slope.high, out_of)?;
        if low > high || slopes.last().is_some_and(|better| high > better.low) {
            return Err(falling("ramp", slope.high.span()));
        }
        slopes.push(Slope { from, low, high });
    }
    Ok(slopes)
}

fn edge(
    curve: &'static str,
    at: Option<f64>,
    above: Option<f64>,
    span: &Range<usize>,
) -> Result<Edge, At> {
    let edge = match (at, above) {
        (Some(rate), None) => Edge::At(rate),
        (None, Some(rate)) => Edge::Above(rate),
        (Some(_), Some(_)) | (None, None) => {
            let what = "needs exactly one of `at` and `above` in each entry";
            return Err(misfit(span.clone(), curve, what, "keep one of them"));
        }
    };
    let reachable = match edge {
        Edge::At(rate) => (0.0..=100.0).contains(&rate),
        Edge::Above(rate) => (0.0..100.0).contains(&rate),
    };
    if reachable {
        return Ok(edge);
    }
    let what = format!("has an entry from {}, which no rate of 0 to 100 reaches", edge.rate());
    Err(misfit(span.clone(), curve, &what, "change or remove it"))
}

fn scaled(curve: &'static str, points: &Spanned<f64>, out_of: f64) -> Result<f64, At> {
    let number = *points.get_ref();
    if (0.0..=out_of).contains(&number) {
        return Ok(100.0 * number / out_of);
    }
    let what = format!("gives {number} points, expected 0 to {out_of}");
    Err(misfit(points.span(), curve, &what, "change them, or set `out_of`"))
}

fn falling(curve: &'static str, span: Range<usize>) -> At {
    let fix = "list entries from best to worst, and let points fall with them";
    misfit(span, curve, "gives more points for a lower rate", fix)
}

fn cover(curve: &'static str, edges: &[Edge], span: Range<usize>) -> Result<(), At> {
    if let Some(pair) = edges.windows(2).find(|pair| !pair[0].is_over(pair[1])) {
        let (upper, lower) = (pair[0].rate(), pair[1].rate());
        let what = format!("has the entry from {lower} after the one from {upper}");
        return Err(misfit(span, curve, &what, "list entries from the highest edge to the lowest"));
    }
    if edges.last() != Some(&Edge::At(0.0)) {
        let fix = "add a last entry with `at = 0`";
        return Err(misfit(span, curve, "does not say what the lowest rates get", fix));
    }
    Ok(())
}
