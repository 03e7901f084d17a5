//! From the rubric as written to one that scoring can trust: every rule a file must keep.

mod curve;

use std::collections::BTreeSet;
use std::ops::Range;

use toml::Spanned;

use super::error::{At, Problem};
use super::format::{RawArea, RawBand, RawPart, RawRubric};
use super::{Area, Band, Cap, Curve, Measure, Part, Rubric};
use crate::check::Facet;

pub(super) fn rubric(raw: RawRubric) -> Result<Rubric, At> {
    if *raw.decimals.get_ref() > 3 {
        return Err(value(&raw.decimals, "decimals", "0 to 3"));
    }
    let bands = bands(raw.band)?;
    let span = raw.area.span();
    let areas = raw.area.into_inner();
    distinct("area", areas.iter().map(|a| &a.id))?;
    let counted: Vec<_> =
        areas.iter().filter(|a| *a.weight.get_ref() != 0.0).map(|a| (&a.id, &a.weight)).collect();
    if counted.is_empty() {
        return Err(empty(span, "the rubric", "area with a weight", "one", "`weight = 100`"));
    }
    sum_to_100("the areas", &counted)?;
    Ok(Rubric {
        id: name(raw.id, "id")?,
        version: name(raw.version, "version")?,
        title: name(raw.title, "title")?,
        decimals: raw.decimals.into_inner(),
        unobserved: raw.unobserved,
        inapplicable: raw.inapplicable,
        coverage_floor: within(&raw.coverage_floor, "coverage_floor")?,
        blockers: known_facets(raw.blockers)?,
        bands,
        areas: areas.into_iter().map(area).collect::<Result<_, _>>()?,
    })
}

fn bands(raw: Spanned<Vec<RawBand>>) -> Result<Vec<Band>, At> {
    let span = raw.span();
    let mut bands: Vec<Band> = Vec::new();
    for band in raw.into_inner() {
        let (level_at, at_at) = (band.level.span(), band.at.span());
        let at = within(&band.at, "at")?;
        let level = name(band.level, "level")?;
        if let Some(above) = bands.last().filter(|above| at >= above.at) {
            let (above, above_at) = (above.level.clone(), above.at);
            return Err(At::new(at_at, Problem::BandOrder { level, at, above, above_at }));
        }
        if bands.iter().any(|b| b.level == level) {
            return Err(At::new(level_at, Problem::Twice { what: "band", id: level }));
        }
        bands.push(Band { level, at });
    }
    match bands.last() {
        Some(last) if last.at != 0.0 => {
            Err(At::new(span, Problem::BandGap { level: last.level.clone(), at: last.at }))
        }
        Some(_) if bands.len() > 1 => Ok(bands),
        // With one level alone, nothing could be withheld from a server that was hardly seen.
        Some(_) | None => {
            let example = "`PASS` at 75 and `FAIL` at 0";
            Err(empty(span, "the rubric", "levels to tell apart", "two `[[band]]`", example))
        }
    }
}

fn area(raw: RawArea) -> Result<Area, At> {
    if *raw.weight.get_ref() != 0.0 {
        positive(&raw.weight)?;
    }
    let of = format!("area `{}`", raw.id.get_ref());
    if raw.part.is_empty() {
        let example = "an `[[area.part]]` with `weight = 100`";
        return Err(empty(raw.id.span(), &of, "parts", "one", example));
    }
    distinct("part", raw.part.iter().map(|p| &p.id))?;
    let weights: Vec<_> = raw.part.iter().map(|p| (&p.id, &p.weight)).collect();
    sum_to_100(&format!("the parts of {of}"), &weights)?;
    let curve = curve::optional(raw.curve, 100.0)?;
    if let (Curve::Penalty(_), span) = &curve {
        return Err(curve::misfit(
            span.clone(),
            "penalty",
            "counts failures, but an area has the mean of its parts",
            "put it on a part with `measure = \"failures\"`, or use `steps` or `ramp` here",
        ));
    }
    Ok(Area {
        id: name(raw.id, "id")?,
        title: name(raw.title, "title")?,
        weight: raw.weight.into_inner(),
        not_applicable_for: raw.not_applicable_for,
        info_for: raw.info_for,
        curve: curve.0,
        parts: raw.part.into_iter().map(part).collect::<Result<_, _>>()?,
    })
}

fn part(raw: RawPart) -> Result<Part, At> {
    let out_of = match &raw.out_of {
        None => 100.0,
        Some(points) => positive(points)?,
    };
    let (curve, span) = curve::optional(raw.curve, out_of)?;
    curve::fits(&curve, raw.measure, span)?;
    let cap = match raw.cap {
        None => None,
        Some(cap) => {
            let span = cap.curve.span();
            let curve = curve::any(cap.curve, out_of)?;
            curve::fits(&curve, raw.measure, span)?;
            Some(Cap { severity: cap.severity, curve })
        }
    };
    Ok(Part {
        facets: facets(raw.facets, raw.id.get_ref())?,
        id: name(raw.id, "id")?,
        title: name(raw.title, "title")?,
        weight: positive(&raw.weight)?,
        per: raw.per,
        measure: raw.measure,
        curve,
        cap,
        required: raw.required,
        at_least: raw.at_least.map(|n| within(&n, "at_least")).transpose()?,
    })
}

fn facets(raw: Spanned<Vec<Spanned<String>>>, part: &str) -> Result<Vec<Facet>, At> {
    if raw.get_ref().is_empty() {
        let of = format!("part `{part}`");
        return Err(empty(raw.span(), &of, "facets", "one", "`facets = [\"tool-success\"]`"));
    }
    known_facets(raw.into_inner())
}

fn known_facets(raw: Vec<Spanned<String>>) -> Result<Vec<Facet>, At> {
    let mut facets = Vec::new();
    for item in raw {
        let span = item.span();
        let name = item.into_inner();
        match Facet::parse(&name) {
            None => return Err(At::new(span, Problem::UnknownFacet { name })),
            Some(facet) if facets.contains(&facet) => {
                return Err(At::new(span, Problem::Twice { what: "facet", id: name }));
            }
            Some(facet) => facets.push(facet),
        }
    }
    Ok(facets)
}

fn distinct<'a>(
    what: &'static str,
    ids: impl Iterator<Item = &'a Spanned<String>>,
) -> Result<(), At> {
    let mut seen = BTreeSet::new();
    for id in ids {
        if !seen.insert(id.get_ref()) {
            return Err(At::new(id.span(), Problem::Twice { what, id: id.get_ref().clone() }));
        }
    }
    Ok(())
}

fn sum_to_100(of: &str, weights: &[(&Spanned<String>, &Spanned<f64>)]) -> Result<(), At> {
    for (_, weight) in weights {
        positive(weight)?;
    }
    let sum: f64 = weights.iter().map(|(_, w)| *w.get_ref()).sum();
    match weights.last() {
        Some((_, last)) if (sum - 100.0).abs() > 1e-6 => {
            let keys: Vec<String> =
                weights.iter().map(|(id, _)| format!("`{}`", id.get_ref())).collect();
            let sum = (sum * 1e6).round() / 1e6;
            let problem = Problem::Weights { of: of.to_owned(), sum, keys: keys.join(", ") };
            Err(At::new(last.span(), problem))
        }
        Some(_) | None => Ok(()),
    }
}

fn name(raw: Spanned<String>, key: &str) -> Result<String, At> {
    if raw.get_ref().trim().is_empty() {
        let problem = Problem::Value {
            key: key.to_owned(),
            found: "empty".to_owned(),
            expected: "a text".to_owned(),
        };
        return Err(At::new(raw.span(), problem));
    }
    Ok(raw.into_inner())
}

fn within(raw: &Spanned<f64>, key: &str) -> Result<f64, At> {
    let number = *raw.get_ref();
    if (0.0..=100.0).contains(&number) { Ok(number) } else { Err(value(raw, key, "0 to 100")) }
}

fn positive(raw: &Spanned<f64>) -> Result<f64, At> {
    let number = *raw.get_ref();
    if number > 0.0 && number <= 100.0 {
        Ok(number)
    } else {
        Err(value(raw, "weight", "a number over 0, up to 100"))
    }
}

fn value<T: ToString>(raw: &Spanned<T>, key: &str, expected: &str) -> At {
    let problem = Problem::Value {
        key: key.to_owned(),
        found: raw.get_ref().to_string(),
        expected: expected.to_owned(),
    };
    At::new(raw.span(), problem)
}

fn empty(
    span: Range<usize>,
    of: &str,
    what: &'static str,
    least: &'static str,
    example: &'static str,
) -> At {
    At::new(span, Problem::Empty { of: of.to_owned(), what, least, example })
}
