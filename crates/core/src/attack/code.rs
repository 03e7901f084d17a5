//! Texts that an interpreter takes for code.

use super::{Form, Nonce, escaped};
use crate::evidence::Profile::{Deep, Quick, Standard};
use crate::proof::Oracle;

/// For what is run and shows nothing: a file appears whose name had to be computed.
macro_rules! path {
    () => {
        "'«F»/«L»%d«R»'%(«M»)"
    };
}

/// Taking the builtins away confines nothing: every object leads to its class, and on. Neither do
/// filters of words: what they look for is joined when it runs.
macro_rules! builtins {
    () => {
        "[c for c in ().__class__.__base__.__subclasses__() if c.__name__=='catch_warnings'][0]()._module.__builtins__"
    };
}

macro_rules! process {
    () => {
        "(m=>(p=>p.getBuiltinModule?p.getBuiltinModule(m):p.mainModule['req'+'uire'](m))(globalThis['pro'+'cess']??this.constructor.constructor('return pro'+'cess')()))"
    };
}

/// A text that is built around a product: a calculator does not build texts, an echo does not
/// multiply.
pub(crate) const FORMS: &[Form] = &[
    Form::computed("Python", Quick, "'«L»%d«R»'%(«M»)"),
    Form::computed("JavaScript", Quick, "'«L»'+(«M»)+'«R»'"),
    Form::new("Python, file", Standard, concat!("open(", path!(), ",'w')"), |n| Some(n.appears())),
    Form::new(
        "Python, without builtins",
        Standard,
        concat!(builtins!(), "['op'+'en'](", path!(), ",'w')"),
        |n| Some(n.appears()),
    ),
    Form::new("Python, reaching out", Standard, "__import__('os').environ['«N»']", escaped),
    Form::new(
        "JavaScript, file",
        Standard,
        concat!(process!(), "('f'+'s').writeFileSync('«F»/«L»'+(«M»)+'«R»','')"),
        |n| Some(n.appears()),
    ),
    // What names a field stands behind a dot, and nothing but a name may begin there.
    Form::new(
        "JavaScript, behind a name",
        Standard,
        concat!("«W»,", process!(), "('f'+'s').writeFileSync('«F»/«L»'+(«M»)+'«R»','')"),
        |n| Some(n.appears()),
    ),
    Form::new("JavaScript, reaching out", Standard, "process.env.«N»", escaped),
    Form::new("Python, number", Standard, "sum(map(ord,'«L»«R»'))*«M»", number),
    Form::new(
        "JavaScript, number",
        Standard,
        "[...'«L»«R»'].reduce((s,c)=>s+c.charCodeAt(),0)*«M»",
        number,
    ),
    Form::computed("within quotes", Standard, "«L»'+'%d'%(«M»)+'«R»"),
    Form::computed("within quotes, JavaScript", Standard, "«L»'+(«M»)+'«R»"),
    Form::computed("within double quotes", Standard, "«L»\"+'%d'%(«M»)+\"«R»"),
    Form::computed("within double quotes, JavaScript", Deep, "«L»\"+(«M»)+\"«R»"),
    Form::new("statements", Deep, concat!("import os\nopen(", path!(), ",'w').close()"), |n| {
        Some(n.appears())
    }),
    Form::computed("Ruby", Deep, "'«L»'+(«M»).to_s+'«R»'"),
    Form::computed("PHP", Deep, "'«L»'.(«M»).'«R»'"),
    Form::computed("Lua", Deep, "'«L»'..(«M»)..'«R»'"),
];

/// For what only gives numbers: one that has to be made of letters, which no calculator does.
fn number(n: &Nonce<'_>) -> Option<Oracle> {
    let letters: u64 = n.left.bytes().chain(n.right.bytes()).map(u64::from).sum();
    Some(Oracle::computed((letters * n.a * n.b).to_string()))
}
