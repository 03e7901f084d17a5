//! Regular expressions whose classes are ASCII. The Unicode tables behind `\w`, `\d`, `\s` and
//! `\b` take longer to compile than reading a whole run, and error texts need none of them.

use regex::{Error, Regex};

/// Compiles a pattern; all but its classes is Unicode as ever.
pub(crate) fn ascii(pattern: &str) -> Result<Regex, Error> {
    let mut plain = String::with_capacity(pattern.len() * 2);
    let mut in_brackets = false;
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                let class = chars.next().unwrap_or('\\');
                plain.push_str(&escaped(class, in_brackets));
                continue;
            }
            '[' => in_brackets = true,
            ']' => in_brackets = false,
            _ => {}
        }
        plain.push(c);
    }
    Regex::new(&plain)
}

fn escaped(class: char, in_brackets: bool) -> String {
    let range = match class.to_ascii_lowercase() {
        'w' => "0-9A-Za-z_",
        'd' => "0-9",
        's' => r"\t-\r\x20",
        'b' if !in_brackets => return format!(r"(?-u:\{class})"),
        _ => return format!("\\{class}"),
    };
    match (class.is_ascii_uppercase(), in_brackets) {
        (true, _) => format!("[^{range}]"),
        (false, false) => format!("[{range}]"),
        (false, true) => range.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_mean_their_ascii_part_inside_and_outside_brackets() {
        let is_match = |pattern: &str, text: &str| ascii(pattern).unwrap().is_match(text);
        assert!(is_match(r"^\w+\s\d\d\b", "room\t42."));
        assert!(is_match(r"^[\w.-]+$", "a-b.c_9"));
        assert!(is_match(r"^[^\s:]+\S\W$", "ab!"));
        assert!(is_match(r"^[\S]$", "x") && !is_match(r"^[\S]$", " "));
        assert!(is_match(r"\(\[\d\]\)\\", r"([7])\"));
        assert!(!is_match(r"^\w$", "é") && !is_match(r"^\d$", "٣"));
    }

    #[test]
    fn everything_else_stays_unicode() {
        assert!(ascii("(?i)^ÉTÉ.[^a]$").unwrap().is_match("été不存"));
    }
}
