//! What a file brings in and defines: the names that its calls go by.

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::Node;

use super::syntax::{
    self, File, Shape, arguments, callee, children, descendants, field, left, right,
};

pub(super) struct Outline<'t> {
    pub(super) file: File<'t>,
    /// Every named node, from top to bottom: walking a tree is dear, so it is walked once.
    pub(super) nodes: Vec<Node<'t>>,
    /// Functions with a name, the first of each.
    pub(super) functions: BTreeMap<&'t str, Node<'t>>,
    /// What a name stands for: `run` is `subprocess.run`.
    aliases: BTreeMap<&'t str, String>,
    /// Texts that have a name.
    constants: BTreeMap<&'t str, &'t str>,
    /// Names of the whole file that hold something, other than functions.
    pub(super) shared: BTreeSet<&'t str>,
    /// Modules that are brought in.
    pub(super) modules: Vec<(String, Node<'t>)>,
}

impl<'t> Outline<'t> {
    pub(super) fn of(file: File<'t>, root: Node<'t>) -> Outline<'t> {
        let mut outline = Outline {
            file,
            nodes: Vec::new(),
            functions: BTreeMap::new(),
            aliases: BTreeMap::new(),
            constants: BTreeMap::new(),
            shared: BTreeSet::new(),
            modules: Vec::new(),
        };
        let nodes: Vec<Node<'t>> = descendants(root).collect();
        for node in &nodes {
            outline.note(*node);
        }
        outline.nodes = nodes;
        outline
    }

    /// The full name of what is called.
    pub(super) fn called(&self, call: Node<'t>) -> String {
        callee(call).map(|c| self.full(c)).unwrap_or_default()
    }

    pub(super) fn full(&self, name: Node<'t>) -> String {
        let dotted = self.file.dotted(name);
        let (head, rest) = dotted.split_once('.').unwrap_or((&dotted, ""));
        match self.aliases.get(head) {
            Some(known) if rest.is_empty() => known.clone(),
            Some(known) => format!("{known}.{rest}"),
            None => dotted,
        }
    }

    /// A text, by itself or by its name: `"add"`, `NAME`, `Names.ADD`, `Names.ADD.value`.
    pub(super) fn literal(&self, node: Node<'t>) -> Option<&'t str> {
        let written = self.file.literal(node);
        written.or_else(|| match self.file.shape(node) {
            Shape::Name => self.constants.get(self.file.text(node)).copied(),
            Shape::Member => {
                let name = self.file.text(syntax::property(node)?);
                let of = syntax::object(node)?;
                if name == "value" { self.literal(of) } else { self.constants.get(name).copied() }
            }
            _ => None,
        })
    }

    /// The function that an expression is or names.
    pub(super) fn function(&self, node: Node<'t>) -> Option<Node<'t>> {
        match self.file.shape(node) {
            Shape::Function => Some(node),
            Shape::Name => self.functions.get(self.file.text(node)).copied(),
            Shape::Member => {
                let name = self.file.text(syntax::property(node)?);
                let own = self.file.dotted(syntax::object(node)?) == "self";
                own.then(|| self.functions.get(name).copied())?
            }
            _ => None,
        }
    }

    fn note(&mut self, node: Node<'t>) {
        match self.file.shape(node) {
            Shape::Function => {
                if let Some(name) = field(node, &["name"]) {
                    self.functions.entry(self.file.text(name)).or_insert(node);
                }
            }
            Shape::Assign => self.note_assignment(node),
            _ => match node.kind() {
                "import_statement" => self.note_import(node),
                "import_from_statement" => self.note_import_from(node),
                "import_spec" => self.note_go_import(node),
                "use_declaration" => {
                    let path = field(node, &["argument"]).map_or("", |a| self.file.text(a));
                    self.modules.push((path.replace("::", "."), node));
                }
                _ => {}
            },
        }
    }

    fn note_assignment(&mut self, node: Node<'t>) {
        let (Some(name), Some(value)) = (left(node), right(node)) else { return };
        let around = node.parent().and_then(|n| n.parent()).map_or("", |n| n.kind());
        if matches!(around, "module" | "program" | "source_file" | "export_statement") {
            let names = descendants(name).filter(|n| n.kind() == "identifier");
            self.shared.extend(names.map(|n| self.file.text(n)));
        }
        match self.file.shape(value) {
            Shape::Function => {
                self.functions.entry(self.file.text(name)).or_insert(value);
            }
            Shape::Text => {
                if let Some(text) = self.file.literal(value) {
                    self.constants.entry(self.file.text(name)).or_insert(text);
                }
            }
            Shape::Call => {
                let called = self.file.dotted(value);
                if called == "require()" {
                    let module = arguments(value).first().and_then(|m| self.file.literal(*m));
                    let module = module_name(module.unwrap_or_default());
                    self.bring_in(name, &module);
                    self.modules.push((module, node));
                } else if callee(value).is_some_and(|c| self.file.dotted(c).ends_with("promisify"))
                    && let Some(inner) = arguments(value).first()
                {
                    let full = self.full(*inner);
                    self.aliases.insert(self.file.text(name), full);
                } else if called.contains('.')
                    && matches!(name.kind(), "identifier" | "as_pattern_target")
                {
                    // `opener = urllib.request.build_opener(…)`
                    let full = self.full(value);
                    self.aliases.entry(self.file.text(name)).or_insert(full);
                }
            }
            _ => {}
        }
    }

    /// `import a, b as c` of Python; `import x, { y as z } from 'm'` of JavaScript.
    fn note_import(&mut self, node: Node<'t>) {
        let Some(source) = field(node, &["source"]) else {
            for name in children(node) {
                self.note_module(name, "");
            }
            return;
        };
        let module = module_name(self.file.literal(source).unwrap_or_default());
        for clause in children(node).into_iter().filter(|n| n.kind() == "import_clause") {
            self.bring_in(clause, &module);
        }
        self.modules.push((module, node));
    }

    fn note_import_from(&mut self, node: Node<'t>) {
        let Some(module) = field(node, &["module_name"]) else { return };
        let path = self.file.text(module).to_owned();
        for name in children(node).into_iter().filter(|n| n.id() != module.id()) {
            self.note_module(name, &path);
        }
        self.modules.push((path, node));
    }

    /// A name of Python's imports, with or without another name for it.
    fn note_module(&mut self, name: Node<'t>, from: &str) {
        let (real, alias) = match name.kind() {
            "dotted_name" => (name, name),
            "aliased_import" => match (field(name, &["name"]), field(name, &["alias"])) {
                (Some(real), Some(alias)) => (real, alias),
                _ => return,
            },
            _ => return,
        };
        let real = self.file.text(real);
        let full = if from.is_empty() { real.to_owned() } else { format!("{from}.{real}") };
        if from.is_empty() {
            self.modules.push((full.clone(), name));
        }
        self.aliases.insert(self.file.text(alias), full);
    }

    /// The names of a pattern or an import clause, each as a part of the module.
    fn bring_in(&mut self, pattern: Node<'t>, module: &str) {
        match pattern.kind() {
            "identifier" => {
                self.aliases.insert(self.file.text(pattern), module.to_owned());
            }
            "shorthand_property_identifier_pattern" => {
                let name = self.file.text(pattern);
                self.aliases.insert(name, format!("{module}.{name}"));
            }
            "import_specifier" | "pair_pattern" => {
                let Some(name) = field(pattern, &["name", "key"]) else { return };
                let alias = field(pattern, &["alias", "value"]).unwrap_or(name);
                let full = format!("{module}.{}", self.file.text(name));
                self.aliases.insert(self.file.text(alias), full);
            }
            _ => {
                for child in children(pattern) {
                    self.bring_in(child, module);
                }
            }
        }
    }

    fn note_go_import(&mut self, node: Node<'t>) {
        let path = field(node, &["path"]).and_then(|p| self.file.literal(p)).unwrap_or_default();
        let last = path.rsplit('/').next().unwrap_or(path).to_owned();
        if let Some(name) = field(node, &["name"]) {
            self.aliases.insert(self.file.text(name), last);
        }
        self.modules.push((path.to_owned(), node));
    }
}

fn module_name(written: &str) -> String {
    written.strip_prefix("node:").unwrap_or(written).replace('/', ".")
}
