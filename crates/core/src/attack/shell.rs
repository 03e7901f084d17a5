//! Texts that break out of a word of a command line.

use super::{Delay, Form, Nonce, Pair};
use crate::evidence::Profile::{Deep, Quick, Standard};
use crate::proof::Oracle;

/// The shell has to multiply and to join.
macro_rules! echo {
    () => {
        "echo «L»$((«M»))«R»"
    };
}
/// What is printed may be lost, so a file appears as well; one inside the other, since what parts two
/// commands is what filters look for.
macro_rules! x {
    () => {
        concat!(echo!(), "$(touch «F»/«L»$((«M»))«R»)")
    };
}

/// How a text breaks out of a command line. The first closes every kind of quote in turn and
/// comments out the rest.
pub(crate) const FORMS: &[Form] = &[
    Form::new("semicolon", Quick, concat!("«V»;", x!(), " #';", x!(), " #\";", x!(), " #"), ran),
    Form::new("substitution", Quick, concat!("«V»$(", x!(), ")"), ran),
    Form::new("newline, plain words", Standard, "«V»\nseq -s «L» 7 9\n", |n| {
        Some(Oracle::computed(format!("7{0}8{0}9", n.left)))
    }),
    // Short, and without a slash.
    Form::computed("words", Quick, concat!("«V»;", echo!())),
    Form::computed("single quote", Quick, concat!("«V»';", echo!(), ";'")),
    Form::computed("double quote", Quick, concat!("«V»\";", echo!(), ";\"")),
    Form::new("newline", Standard, concat!("«V»\n", x!(), "\n"), ran),
    Form::computed("pipe", Standard, concat!("«V»|", echo!())),
    Form::new("option", Standard, "--output=«F»/docs/«L»«R»", option),
    // What packs and unpacks runs what it is told to.
    Form::new(
        "option that runs",
        Standard,
        "--use-compress-program=cp /dev/null «F»/docs/«L»«R»",
        option,
    ),
    // What searches runs what it is told to for all that it finds.
    Form::new("option that runs for each", Standard, "-exec seq -s «L» 7 9 ; -quit", |n| {
        Some(Oracle::computed(format!("7{0}8{0}9", n.left)))
    }),
    Form::new("option that reads", Standard, "--file=«O»", |_| {
        Some(Oracle::Planted { canary: "outside-file".to_owned() })
    }),
    Form::new("no blanks", Standard, "«V»';touch${IFS}«F»/«L»$((«M»))«R»;'", |n| {
        Some(n.appears())
    }),
    Form::new("backticks", Deep, concat!("«V»`", x!(), "`"), ran),
    Form::computed("and", Deep, concat!("«V»&&", echo!())),
    Form::computed("or", Deep, concat!("«V»||", echo!())),
    Form::computed("background", Deep, concat!("«V»&", echo!(), "&")),
    Form::new("single quote, file", Deep, concat!("«V»';", x!(), ";'"), ran),
    Form::new("double quote, file", Deep, concat!("«V»\";", x!(), ";\""), ran),
    Form::new("single quote, newline", Deep, concat!("«V»'\n", x!(), "\n'"), ran),
    Form::new("alone", Deep, concat!("$(", x!(), ")"), ran),
    Form::computed("Windows", Deep, "«V»&for /f %i in ('set /a «M»') do @echo «L»%i«R»"),
];

/// What searches takes the one for an option that says what to look for, and the other for none at all:
/// whoever looks for the words finds both or neither.
pub(crate) const OPTIONS: &[Pair] = &[Pair::failing(
    "option that names the pattern",
    Standard,
    "--regexp=«V»«A»",
    "--regxpe=«V»«A»",
)];

/// What the shell prints may be lost, so it also leaves a file whose name it has to compute.
fn ran(n: &Nonce<'_>) -> Option<Oracle> {
    Some(Oracle::Any { of: vec![n.computed(), n.appears()] })
}

/// A text that begins with a dash is an option to a program that is given it bare.
fn option(n: &Nonce<'_>) -> Option<Oracle> {
    // Not in the workspace itself: a tool that keeps files there by their last name makes one, too.
    Some(Oracle::Effect { path: format!("{}/docs/{}{}", n.folder(), n.left, n.right) })
}

pub(crate) const SLOW: &[Delay] = &[
    Delay {
        name: "sleep",
        ms: 600,
        slow: "«V»;sleep 0.6 #';sleep 0.6 #\";sleep 0.6 #",
        fast: "«V»;sleep 0.0 #';sleep 0.0 #\";sleep 0.0 #",
    },
    Delay {
        name: "substituted sleep", ms: 600, slow: "«V»$(sleep 0.6)", fast: "«V»$(sleep 0.0)"
    },
];
