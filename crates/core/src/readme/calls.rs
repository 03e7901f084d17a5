//! Calls written out: `name(a, b)`, `name(a="x")`, `name(a: str)`.

use super::Readme;

/// Longer ones are no calls but brackets that nobody closed.
const LONGEST: usize = 2_000;
/// What a server gets from its framework, and no client sends.
const OWN: &[&str] = &["ctx", "context", "self", "cls"];

impl Readme {
    /// What stands between the brackets wherever the name is written as a call.
    pub fn signatures(&self, name: &str) -> impl Iterator<Item = &str> {
        let inside = |c: char| c.is_alphanumeric() || c == '_';
        self.text.match_indices(name).filter_map(move |(at, _)| {
            let alone = !self.text[..at].chars().next_back().is_some_and(inside);
            let rest = self.text[at + name.len()..].strip_prefix('(').filter(|_| alone)?;
            closed(rest)
        })
    }

    /// The arguments that calls of this name give by name: `a="x"`, or with a type, `a: str`.
    pub fn named_arguments(&self, name: &str) -> impl Iterator<Item = &str> {
        self.signatures(name).flat_map(pieces).filter_map(argument)
    }
}

/// The characters that stand outside of quotes and of brackets opened before.
fn outside(text: &str) -> impl Iterator<Item = (usize, char)> {
    let (mut depth, mut quote) = (0_usize, None);
    text.char_indices().take(LONGEST).filter(move |(_, c)| {
        let free = quote.is_none() && depth == 0;
        match (quote, *c) {
            (Some(open), c) => quote = Some(open).filter(|open| *open != c),
            (None, c @ ('"' | '\'')) => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, _) => {}
        }
        free
    })
}

/// Up to the bracket that closes what is open.
fn closed(text: &str) -> Option<&str> {
    outside(text).find(|(_, c)| *c == ')').map(|(at, _)| &text[..at])
}

/// Split at commas.
fn pieces(text: &str) -> Vec<&str> {
    let mut start = 0;
    let mut found = Vec::new();
    for (at, _) in outside(text).filter(|(_, c)| *c == ',') {
        found.push(&text[start..at]);
        start = at + 1;
    }
    found.push(&text[start..]);
    found
}

fn argument(piece: &str) -> Option<&str> {
    let piece = piece.trim();
    let end = piece.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
    let (name, rest) = piece.split_at(end);
    let rest = rest.trim_start_matches('?').trim_start();
    let given = rest.strip_prefix('=').is_some_and(|r| !r.starts_with(['=', '>']));
    let typed = rest.strip_prefix(':').is_some_and(|r| !r.starts_with([':', '/']));
    let own = OWN.contains(&name) || rest.contains("Context");
    let named = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    (named && (given || typed) && !own).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Vec<String> {
        let readme = Readme::parse(&format!("```python\n{text}\n```\n"));
        readme.named_arguments("go_on").map(str::to_owned).collect()
    }

    #[test]
    fn arguments_are_told_from_values() {
        assert_eq!(named("go_on(a=\"x, b=1\", c=[1, 2])"), ["a", "c"]);
        assert_eq!(named("go_on(a: list[str], b: int = Field(d=1, e=2)) -> dict"), ["a", "b"]);
        assert_eq!(
            named("go_on(ctx: Context, mcp: Context, \"a\", 1, x == y, b)"),
            Vec::<&str>::new()
        );
        assert_eq!(
            named("go_on({a: 1}) go_on(https://x) xgo_on(a=1) go_on(a="),
            Vec::<&str>::new()
        );
    }
}
