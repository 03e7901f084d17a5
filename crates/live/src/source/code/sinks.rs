//! Calls that do something dangerous with what they are given, and when they do.

use proofmark_core::check::Class;
use proofmark_core::evidence::Language;
use tree_sitter::Node;

use super::call::{Given, last};
use super::flow::Analysis;
use super::syntax::{Shape, children};
use super::taint::Taint;

/// Under which circumstances a call is dangerous.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    /// Input is the first argument.
    First,
    /// Input is the argument at this place, from 0.
    At(usize),
    /// Input is the last argument.
    Last,
    /// Input is what the method is called on.
    On,
    /// The same, and nothing else is given that is: not a member of an archive.
    OnAlone,
    /// Input goes to a shell: `shell=True`, `sh -c`.
    Shell,
    /// Input stands as a word of its own where a program may take it for an option.
    Word,
    /// Input is part of the statement.
    Statement,
    /// Input decides on the host.
    Address,
    /// Unless a safe loader is named.
    Loader,
}

struct Sink {
    class: Class,
    when: When,
    /// `a.b` is that name or ends in it; `.b` is any method of that name; `b` is just that.
    names: &'static [&'static str],
}

const fn sink(class: Class, when: When, names: &'static [&'static str]) -> Sink {
    Sink { class, when, names }
}

const PROCESSES: &[&str] = &[
    "subprocess.run", "subprocess.call", "subprocess.check_call", "subprocess.check_output",
    "subprocess.Popen",
];

const PYTHON: &[Sink] = &[
    sink(Class::CommandInjection, When::First, &[
        "os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput",
        "asyncio.create_subprocess_shell", ".create_subprocess_shell", ".exec_command",
    ]),
    sink(Class::CommandInjection, When::Shell, PROCESSES),
    sink(Class::ArgumentInjection, When::Word, PROCESSES),
    sink(Class::CodeInjection, When::First, &[
        "eval", "exec", "compile", "builtins.eval", "builtins.exec", "__import__",
        "importlib.import_module",
    ]),
    sink(Class::SqlInjection, When::Statement, &[
        ".execute", ".executescript", ".executemany", ".raw", "sqlalchemy.text", "pandas.read_sql",
        ".fetch", ".fetchrow", ".fetchval",
    ]),
    sink(Class::PathTraversal, When::First, &[
        "open", "io.open", "codecs.open", "aiofiles.open", "os.open", "os.remove", "os.unlink",
        "os.rmdir", "os.mkdir", "os.makedirs", "os.listdir", "os.scandir", "os.rename", "os.symlink",
        "shutil.rmtree", "shutil.copy", "shutil.copyfile", "shutil.move", "shutil.copytree",
        "send_file", "FileResponse",
    ]),
    sink(Class::PathTraversal, When::OnAlone, &[
        ".read_text", ".read_bytes", ".write_text", ".write_bytes", ".unlink", ".open", ".iterdir",
        ".touch", ".rmdir",
    ]),
    sink(Class::Ssrf, When::Address, &[
        "requests.get", "requests.post", "requests.put", "requests.delete", "requests.head",
        "requests.patch", "httpx.get", "httpx.post", "httpx.head", "httpx.stream", "urlopen",
        "urllib.request.urlopen", "urllib.request.Request", "urllib.request.urlretrieve",
        "client.get", "client.post", "client.head", "client.put", "session.get", "session.post",
        "http.get", "http.client.HTTPConnection", "http.client.HTTPSConnection", "opener.open",
        "AsyncClient().get", "ClientSession().get", "build_opener().open",
    ]),
    sink(Class::Ssrf, When::At(1), &["requests.request", "httpx.request", "client.request", "session.request"]),
    sink(Class::UnsafeDeserialization, When::First, &[
        "pickle.loads", "pickle.load", "cPickle.loads", "dill.loads", "cloudpickle.loads",
        "marshal.loads", "jsonpickle.decode", "yaml.unsafe_load", "shelve.open", "joblib.load",
        "torch.load", "pickle.Unpickler",
    ]),
    sink(Class::UnsafeDeserialization, When::Loader, &["yaml.load", "yaml.load_all"]),
    sink(Class::Ssti, When::First, &[
        "jinja2.Template", ".from_string", "render_template_string", "mako.template.Template",
    ]),
    sink(Class::Ssti, When::On, &[".format", ".format_map"]),
    sink(Class::Xxe, When::First, &["xml.sax.parseString", "lxml.etree.fromstring", "lxml.etree.XML"]),
];

const JAVASCRIPT: &[Sink] = &[
    sink(Class::CommandInjection, When::First, &[
        "child_process.exec", "child_process.execSync", "shelljs.exec", "execa.execaCommand",
        "execa.execaCommandSync",
    ]),
    sink(Class::CommandInjection, When::Shell, &[
        "child_process.spawn", "child_process.spawnSync", "child_process.execFile",
        "child_process.execFileSync", "execa", "execa.execa", "cross-spawn",
    ]),
    sink(Class::ArgumentInjection, When::Word, &[
        "child_process.spawn", "child_process.spawnSync", "child_process.execFile",
        "child_process.execFileSync", "execa", "execa.execa", "cross-spawn",
    ]),
    sink(Class::CodeInjection, When::First, &[
        "eval", "vm.runInNewContext", "vm.runInContext", "vm.runInThisContext",
        "vm.Script", "vm.compileFunction",
    ]),
    sink(Class::CodeInjection, When::Last, &["Function"]),
    sink(Class::SqlInjection, When::Statement, &[
        ".query", ".execute", ".exec", ".prepare", ".all", ".get", ".run", ".raw", ".each",
        ".$queryRawUnsafe", ".$executeRawUnsafe", ".unsafe",
    ]),
    sink(Class::PathTraversal, When::First, &[
        "fs.readFile", "fs.readFileSync", "fs.writeFile", "fs.writeFileSync", "fs.appendFile",
        "fs.appendFileSync", "fs.createReadStream", "fs.createWriteStream", "fs.unlink",
        "fs.unlinkSync", "fs.rm", "fs.rmSync", "fs.readdir", "fs.readdirSync", "fs.open",
        "fs.openSync", "fs.copyFile", "fs.copyFileSync", "fs.rename", "fs.renameSync", "fs.mkdir",
        "fs.mkdirSync", "promises.readFile", "promises.writeFile", "promises.appendFile",
        "promises.unlink", "promises.rm", "promises.readdir", "promises.open", "promises.copyFile",
        "promises.rename", "promises.mkdir", "fs-extra.readFile", "fs-extra.writeFile", ".sendFile",
        "Bun.file", "Deno.readTextFile", "Deno.writeTextFile",
    ]),
    sink(Class::Ssrf, When::Address, &[
        "fetch", "node-fetch", "axios", "axios.get", "axios.post", "axios.put", "axios.head",
        "axios.default.get", "got", "got.get", "got.post", "http.get", "http.request", "https.get",
        "https.request", "undici.request", "undici.fetch", "needle.get", "superagent.get", "ky.get",
    ]),
    sink(Class::UnsafeDeserialization, When::First, &[
        "node-serialize.unserialize", ".unserialize", "v8.deserialize", ".deepDeserialize",
    ]),
    sink(Class::Ssti, When::First, &[
        "handlebars.compile", "Handlebars.compile", "ejs.render", "ejs.compile", "pug.render",
        "pug.compile", "nunjucks.renderString", "lodash.template", "eta.renderString",
    ]),
];

const GO: &[Sink] = &[
    sink(Class::CommandInjection, When::Shell, &["exec.Command", "exec.CommandContext"]),
    sink(Class::CommandInjection, When::First, &["exec.Command"]),
    sink(Class::CommandInjection, When::At(1), &["exec.CommandContext"]),
    sink(Class::SqlInjection, When::Statement, &[
        ".Query", ".QueryRow", ".Exec", ".QueryContext", ".QueryRowContext", ".ExecContext", ".Raw",
        ".Prepare",
    ]),
    sink(Class::PathTraversal, When::First, &[
        "os.Open", "os.OpenFile", "os.ReadFile", "os.WriteFile", "os.Create", "os.Remove",
        "os.RemoveAll", "os.ReadDir", "os.Mkdir", "os.MkdirAll", "os.Rename", "ioutil.ReadFile",
        "ioutil.WriteFile", "ioutil.ReadDir",
    ]),
    sink(Class::Ssrf, When::Address, &["http.Get", "http.Post", "http.Head", "http.PostForm"]),
    sink(Class::Ssrf, When::At(1), &["http.NewRequest"]),
    sink(Class::Ssrf, When::At(2), &["http.NewRequestWithContext"]),
];

const RUST: &[Sink] = &[
    sink(Class::CommandInjection, When::Shell, &[".arg", ".args"]),
    sink(Class::CommandInjection, When::First, &["Command.new"]),
    sink(Class::SqlInjection, When::Statement, &[
        "sqlx.query", "sqlx.query_as", ".execute", ".query", ".prepare", ".query_row",
        ".execute_batch",
    ]),
    sink(Class::PathTraversal, When::First, &[
        "fs.read_to_string", "fs.read", "fs.write", "fs.remove_file", "fs.remove_dir_all",
        "fs.read_dir", "fs.copy", "fs.create_dir_all", "File.open", "File.create",
    ]),
    sink(Class::Ssrf, When::Address, &["reqwest.get", "client.get", "client.post", "ureq.get"]),
];

fn sinks(language: Language) -> &'static [Sink] {
    match language {
        Language::Python => PYTHON,
        Language::Javascript | Language::Typescript => JAVASCRIPT,
        Language::Go => GO,
        Language::Rust => RUST,
    }
}

/// Reports the call if input makes it dangerous.
pub(super) fn look<'t>(
    analysis: &mut Analysis<'_, 't>,
    call: Node<'t>,
    name: &str,
    receiver: Option<&Taint>,
    given: &[Given<'t>],
) {
    if receiver.is_none() && given.iter().all(|g| g.taint.is_none()) {
        return;
    }
    let due = sinks(analysis.file.language).iter().filter(|s| s.names.iter().any(|n| fits(name, n)));
    for sink in due {
        if let Some(taint) = danger(analysis, call, sink.when, receiver, given) {
            analysis.report(sink.class, &taint, name, call);
        }
    }
}

fn fits(name: &str, wanted: &str) -> bool {
    match wanted.strip_prefix('.') {
        Some(method) => name.contains('.') && last(name) == method,
        None if wanted.contains('.') => {
            name.strip_suffix(wanted).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        }
        None => name == wanted,
    }
}

fn danger<'t>(
    analysis: &Analysis<'_, 't>,
    call: Node<'t>,
    when: When,
    receiver: Option<&Taint>,
    given: &[Given<'t>],
) -> Option<Taint> {
    let file = analysis.file;
    let text = || file.text(call);
    match when {
        When::First => at(given, 0),
        When::At(place) => at(given, place).filter(|t| !t.host),
        When::Last => given.last().and_then(|g| g.taint.clone()),
        When::OnAlone if given.iter().any(|g| g.taint.is_some()) => None,
        When::On | When::OnAlone => receiver.filter(|r| !r.whole).cloned(),
        When::Statement => given.iter().filter_map(|g| g.taint.clone()).find(|t| t.sql),
        When::Address => at(given, 0).filter(|t| !t.host),
        When::Loader => at(given, 0).filter(|_| !text().contains("Safe") && !text().contains("Base")),
        When::Shell => {
            let asked = ["shell=True", "shell: true", "shell:true"].iter().any(|s| text().contains(s));
            let line = ["\"-c\"", "'-c'", "\"/c\"", "'/c'"].iter().any(|s| text().contains(s));
            let taints = given.iter().filter(|g| g.keyword.is_none_or(|k| k == "args"));
            Taint::any(taints.filter_map(|g| g.taint.clone())).filter(|_| asked || line)
        }
        When::Word => given.iter().find_map(|g| word(analysis, g)),
    }
}

/// What stands at a place; the things that matter are also given by name.
fn at(given: &[Given<'_>], place: usize) -> Option<Taint> {
    const NAMES: &[&str] = &["url", "path", "file", "filename", "cmd", "command", "source", "template"];
    let mut by_place = given.iter().filter(|g| g.keyword.is_none());
    let named = given.iter().find(|g| g.keyword.is_some_and(|k| NAMES.contains(&k)));
    by_place.nth(place).or(named)?.taint.clone()
}

/// A word of a list that is input, that no `--` and no option stands before.
fn word<'t>(analysis: &Analysis<'_, 't>, given: &Given<'t>) -> Option<Taint> {
    let file = analysis.file;
    given.taint.as_ref()?;
    let words = match given.node.kind() {
        "list" | "array" => children(given.node),
        _ => return None,
    };
    let mut before = "";
    for word in words {
        match file.shape(word) {
            Shape::Text => {
                before = file.literal(word).unwrap_or_default();
                if before == "--" {
                    return None;
                }
            }
            Shape::Name if !before.starts_with('-') => {
                let name = file.text(word);
                let taint = given.taint.clone()?;
                // Only the words that hold input by themselves; the list is made of all of them.
                if taint.params.contains(name) {
                    return Some(Taint::param(name));
                }
            }
            _ => before = "",
        }
    }
    None
}
