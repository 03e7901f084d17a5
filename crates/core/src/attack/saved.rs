//! Saved states and documents that call a function when they are read.

use super::{Form, Nonce};
use crate::evidence::Profile::{Deep, Quick, Standard};
use crate::proof::Oracle;

/// Leaves a file, whose name has to be computed, where the server works, and yields that name.
macro_rules! python {
    () => {
        "[open('«L»'+str(«M»)+'«R»','w').close(),'«L»'+str(«M»)+'«R»'][1]"
    };
}

/// Only for what stands within something else.
pub(crate) const WITHIN: &str = "JavaScript, a value";

pub(crate) const FORMS: &[Form] = &[
    Form::new(
        "YAML",
        Quick,
        concat!("«Y»: !!python/object/apply:builtins.eval [\"", python!(), "\"]"),
        ran,
    ),
    // For readers of their own making, which stumble over quotes within quotes: only what multiplies
    // says a word three times.
    Form::new(
        "YAML, a word three times",
        Standard,
        "«Y»: !!python/object/apply:operator.mul [\"«L»\", 3]",
        |n| Some(Oracle::computed(n.left.repeat(3))),
    ),
    // Called when it is shown.
    Form::computed(
        "YAML, JavaScript that is shown",
        Standard,
        concat!(
            "toString: &f !!js/function \"function(){return '«L»'+(«M»)+'«R»'}\"\n",
            "«Y»: &o {toString: *f}\ntitle: *o\nname: *o"
        ),
    ),
    Form::computed(
        "YAML, JavaScript in a list",
        Standard,
        concat!(
            "- name: &o {toString: !!js/function \"function(){return '«L»'+(«M»)+'«R»'}\"}\n",
            "  title: *o\n  id: *o\n  count: 1"
        ),
    ),
    Form::new(
        "YAML, alone",
        Standard,
        concat!("!!python/object/apply:eval [\"", python!(), "\"]"),
        ran,
    ),
    Form::computed(
        "JavaScript",
        Quick,
        "{\"sample\":\"_$$ND_FUNC$$_function(){return '«L»'+(«M»)+'«R»'}()\"}",
    ),
    // For what shows nothing.
    Form::new(
        "JavaScript, file",
        Standard,
        "{\"sample\":\"_$$ND_FUNC$$_function(){require('fs').writeFileSync('«F»/«L»'+(«M»)+'«R»','')}()\"}",
        |n| Some(n.appears()),
    ),
    // As one value of a state that is there already.
    Form::computed(WITHIN, Standard, "_$$ND_FUNC$$_function(){return '«L»'+(«M»)+'«R»'}()"),
    Form::new(
        "YAML, new",
        Deep,
        concat!("sample: !!python/object/new:eval [\"", python!(), "\"]"),
        ran,
    ),
    Form::computed(
        "YAML, JavaScript",
        Deep,
        "sample: !!js/function \"function(){return '«L»'+(«M»)+'«R»'}()\"",
    ),
    Form::new(
        "JSON, Python",
        Deep,
        concat!(
            "{\"py/reduce\":[{\"py/function\":\"builtins.eval\"},{\"py/tuple\":[\"",
            python!(),
            "\"]}]}"
        ),
        ran,
    ),
];

/// Those that travel in Base64.
pub(crate) const PACKED: &[Form] = &[
    Form::new("pickle", Quick, concat!("c__builtin__\neval\n(V", python!(), "\ntR."), ran),
    Form::computed(
        "JavaScript in Base64",
        Deep,
        "{\"sample\":\"_$$ND_FUNC$$_function(){return '«L»'+(«M»)+'«R»'}()\"}",
    ),
];

fn ran(n: &Nonce<'_>) -> Option<Oracle> {
    Some(Oracle::Any { of: vec![n.computed(), n.appears()] })
}
