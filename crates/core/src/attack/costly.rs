//! Short texts that cost far more than their length, in growing sizes.

use serde_json::{Value, json};

use super::strain::Strain;

/// Twice for each letter, cubes and squares: each shows at its own size before it hurts.
const SIZES: &[usize] = &[22, 24, 26, 28, 60, 400, 1_200, 3_600];
const BRIEF: &[usize] = &[22, 24, 26, 28, 30];
const LONG: &[usize] = &[400, 3_200];

macro_rules! strain {
    ($name:literal, $make:expr) => {
        Strain {
            name: $name,
            sizes: SIZES,
            brief: BRIEF,
            hostile: $make,
            control: ordinary,
            half: Some(half),
            ahead: None,
        }
    };
}

/// Runs that a pattern splits in many ways, with an end that fits none; brackets that never close.
pub(crate) const STRAINS: &[Strain] = &[
    strain!("letters", |n| run('a', n)),
    strain!("capitals", |n| run('A', n)),
    strain!("digits", |n| run('1', n)),
    strain!("spaces", |n| run(' ', n)),
    strain!("brackets", |n| json!("(".repeat(n))),
    strain!("square brackets", |n| json!("[".repeat(n))),
    // What compares a text with itself finds no end in one that is the same all along.
    Strain {
        sizes: LONG,
        brief: LONG,
        ..strain!("a long run of letters", |n| json!("a".repeat(n)))
    },
];

/// Brackets within brackets, all closed, for who reads formulas.
pub(crate) const NESTED: Strain = strain!("nested brackets", |n| {
    let levels = (n - 1) / 2;
    json!(format!("{}1{}", "(".repeat(levels), ")".repeat(levels)))
});

/// A pattern of the caller's that has two ways for each letter, of whatever text, and fits in none.
pub(crate) const PATTERN: Strain = Strain {
    name: "pattern",
    sizes: &[14, 16, 18, 20, 21, 22, 23, 24, 25, 26, 27, 28],
    brief: &[18, 20, 21, 22, 23, 24, 25, 26, 27, 28],
    hostile: |n| json!(format!("^(.|.){{{n}}}\u{1}")),
    control: |n| json!(format!("^(.|\u{1}){{{n}}}\u{1}")),
    half: Some(|n| n - 3),
    ahead: Some(|n| n + 1),
};

/// What that pattern goes through.
pub(crate) fn letters() -> Value {
    json!("a".repeat(40))
}

fn run(of: char, length: usize) -> Value {
    json!(format!("{}~", of.to_string().repeat(length - 1)))
}

fn ordinary(length: usize) -> Value {
    json!("Some plain words here, ".chars().cycle().take(length).collect::<String>())
}

/// Three letters less of what doubles with each; half of all else.
fn half(size: usize) -> usize {
    if size < 30 { size - 3 } else { size / 2 }
}
