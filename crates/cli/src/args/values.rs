//! How single values of the command line are read; each error says what was expected.

use std::path::{Path, PathBuf};
use std::time::Duration;

use proofmark_core::check::Topic;
use proofmark_core::checks;
use proofmark_core::evidence::{ClientCapabilities, TokenKind};
use proofmark_core::spec;
use proofmark_live::Lookup;
use proofmark_live::judge::Dialect;

use crate::nearest::did_you_mean;

/// Where events go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Events {
    Stderr,
    File(PathBuf),
}

pub(crate) fn events(text: &str) -> Result<Events, String> {
    match text.split_once(':') {
        None if text == "jsonl" => Ok(Events::Stderr),
        Some(("jsonl", path)) if !path.is_empty() => Ok(Events::File(PathBuf::from(path))),
        Some(_) | None => Err("expected `jsonl`, or `jsonl:FILE`".to_owned()),
    }
}

/// `10`, `2.5s`, `500ms`, `3m`, `1h`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let expected = || "expected seconds, or a number with ms, s, m or h, e.g. 500ms".to_owned();
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let number: f64 = text[..split].trim().parse().map_err(|_| expected())?;
    let unit = match text[split..].trim() {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(expected()),
    };
    let time = Duration::try_from_secs_f64(number * unit).map_err(|_| expected())?;
    if time < Duration::from_millis(1) || time > Duration::from_secs(7 * 24 * 3600) {
        return Err("expected a time between 1ms and a week".to_owned());
    }
    Ok(time)
}

/// `openai:MODEL` or `anthropic:MODEL`.
pub(crate) fn judge(text: &str) -> Result<(Dialect, String), String> {
    let expected = || "expected openai:MODEL or anthropic:MODEL".to_owned();
    let (service, model) = text.split_once(':').ok_or_else(expected)?;
    let dialect = Dialect::ALL.into_iter().find(|d| d.name() == service).ok_or_else(expected)?;
    if model.is_empty() { Err(expected()) } else { Ok((dialect, model.to_owned())) }
}

/// `0.15,0.60`: US dollars for a million tokens, sent and received.
pub(crate) fn prices(text: &str) -> Result<(f64, f64), String> {
    let expected = || "expected two prices such as 0.15,0.60".to_owned();
    let (sent, received) = text.split_once(',').ok_or_else(expected)?;
    let price = |text: &str| {
        text.trim().parse::<f64>().ok().filter(|p| p.is_finite() && *p >= 0.0).ok_or_else(expected)
    };
    Ok((price(sent)?, price(received)?))
}

/// `1048576`, `64KiB`, `32MiB`, `1G`: always powers of 1024.
pub(crate) fn size(text: &str) -> Result<usize, String> {
    let expected = || "expected bytes, or a number with KiB, MiB or GiB, e.g. 32MiB".to_owned();
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let number: usize = text[..split].trim().parse().map_err(|_| expected())?;
    let unit: usize = match text[split..].trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        _ => return Err(expected()),
    };
    match number.checked_mul(unit) {
        Some(bytes) if (1024..=4 << 30).contains(&bytes) => Ok(bytes),
        Some(_) | None => Err("expected a size between 1KiB and 4GiB".to_owned()),
    }
}

pub(crate) fn rate(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(rate) if rate.is_finite() && rate > 0.0 => Ok(rate),
        Ok(_) | Err(_) => Err("expected calls per second, a number above 0".to_owned()),
    }
}

pub(crate) fn header(text: &str) -> Result<(String, String), String> {
    let token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    match text.split_once(':') {
        Some((name, value)) if !name.is_empty() && name.chars().all(token) => {
            Ok((name.to_owned(), value.trim().to_owned()))
        }
        Some(_) | None => Err("expected 'Name: value', e.g. 'X-Api-Key: secret'".to_owned()),
    }
}

/// `KIND=NAME`, the kind of a token and the environment variable that holds it.
pub(crate) fn token(text: &str) -> Result<(TokenKind, String), String> {
    let (kind, name) = text.split_once('=').unwrap_or((text, ""));
    let known = TokenKind::ALL.into_iter().find(|k| k.as_str() == kind);
    match known.filter(|_| !name.trim().is_empty()) {
        Some(kind) => Ok((kind, name.trim().to_owned())),
        None => Err(format!(
            "expected KIND=NAME with the name of an environment variable; kinds are {}",
            TokenKind::ALL.map(TokenKind::as_str).join(", ")
        )),
    }
}

pub(crate) fn variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        Some(_) | None => Err("expected NAME=value".to_owned()),
    }
}

/// Where advisories lie: something on disk, or a service.
pub(crate) fn lookup(text: &str) -> Result<Lookup, String> {
    if text.starts_with("http://") || text.starts_with("https://") {
        return Ok(Lookup::Service(text.to_owned()));
    }
    match Path::new(text).exists() {
        true => Ok(Lookup::Path(PathBuf::from(text))),
        false => {
            Err("there is no such file or directory; docs/supply-chain.md says where to get one"
                .to_owned())
        }
    }
}

pub(crate) fn glob(text: &str) -> Result<String, String> {
    globset::Glob::new(text)
        .map(|_| text.to_owned())
        .map_err(|e| format!("not a pattern: {}; expected e.g. 'read_*'", e.kind()))
}

/// A check of the catalogue, or a whole topic.
pub(crate) fn selection(text: &str) -> Result<String, String> {
    if Topic::parse(text).is_some() || checks::find(text).is_some() {
        return Ok(text.to_owned());
    }
    let ids = checks::all().into_iter().map(|c| c.id);
    let known = ids.chain(Topic::ALL.iter().map(|t| t.as_str()));
    let hint = did_you_mean(text, known);
    Err(format!("no such check or topic{hint}; `proofmark checks` lists them"))
}

/// A section of the requirement table, or one requirement.
pub(crate) fn section(text: &str) -> Result<String, String> {
    let wanted = text.to_ascii_uppercase();
    let known = || spec::requirements().iter().flat_map(|r| [r.section(), r.id.as_str()]);
    if known().any(|k| k == wanted) {
        return Ok(wanted);
    }
    let hint = did_you_mean(&wanted, known());
    Err(format!("no such section or requirement{hint}; docs/requirements.md lists them"))
}

/// The arguments of a tool.
pub(crate) fn object(text: &str) -> Result<serde_json::Value, String> {
    match serde_json::from_str(text) {
        Ok(value @ serde_json::Value::Object(_)) => Ok(value),
        Ok(_) => Err("arguments are a JSON object, such as '{\"path\": \"notes.md\"}'".to_owned()),
        Err(e) => {
            Err(format!("not JSON: {e}; write an object, such as '{{\"path\": \"notes.md\"}}'"))
        }
    }
}

pub(crate) fn capabilities(text: &str) -> Result<ClientCapabilities, String> {
    let mut declared = match text {
        "all" => return Ok(ClientCapabilities::ALL),
        _ => ClientCapabilities::NONE,
    };
    if text == "none" {
        return Ok(declared);
    }
    for word in text.split(',').map(str::trim) {
        match word {
            "roots" => declared.roots = true,
            "sampling" => declared.sampling = true,
            "elicitation" => declared.elicitation = true,
            _ => {
                return Err(format!(
                    "`{word}` is no client capability; expected all, none, or a list of roots, sampling, elicitation"
                ));
            }
        }
    }
    Ok(declared)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_and_without_unit() {
        assert_eq!(duration("10"), Ok(Duration::from_secs(10)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("2.5s"), Ok(Duration::from_millis(2500)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        for wrong in ["", "ten", "5 days", "-1", "0", "NaN", "1e400", "99999h"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_are_powers_of_1024() {
        assert_eq!(size("32MiB"), Ok(32 << 20));
        assert_eq!(size("64k"), Ok(64 << 10));
        assert_eq!(size("2048"), Ok(2048));
        for wrong in ["", "12", "1TiB", "99999999999999999999", "9999999G", "x"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn headers_need_a_name_and_a_colon() {
        assert_eq!(header("X-A: b: c"), Ok(("X-A".to_owned(), "b: c".to_owned())));
        for wrong in ["X-A", ": b", "X A: b"] {
            assert!(header(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn capabilities_are_all_none_or_a_list() {
        assert_eq!(capabilities("all"), Ok(ClientCapabilities::ALL));
        assert_eq!(capabilities("none"), Ok(ClientCapabilities::NONE));
        let some = capabilities("roots, sampling").unwrap();
        assert!(some.roots && some.sampling && !some.elicitation);
        assert!(capabilities("tools").unwrap_err().contains("`tools` is no client capability"));
    }

    #[test]
    fn events_go_to_stderr_or_to_a_file() {
        assert_eq!(events("jsonl"), Ok(Events::Stderr));
        assert_eq!(events("jsonl:a/b.jsonl"), Ok(Events::File("a/b.jsonl".into())));
        assert!(events("jsonl:").is_err());
        assert!(events("xml").is_err());
    }
}
