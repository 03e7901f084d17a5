//! Follows input through a handler: what it is assigned to, joined with, checked for, and which
//! calls it reaches. Local functions are followed a little way; other files are not.

use std::collections::{BTreeMap, BTreeSet};

use proofmark_core::check::Class;
use proofmark_core::evidence::{Flow, Language, Subject};
use tree_sitter::Node;

use super::entries::{Door, Entry, is_name};
use super::outline::Outline;
use super::syntax::{DEPTH, File, Shape, children, field, left, object, pair, property, right};
use super::taint::{Env, Taint, prints_files};
use super::{bind, guard};

/// How many local functions deep input is followed.
const CALLS_DEEP: usize = 2;
/// How many nodes are looked at per handler; helpers are looked at once per call.
const BUDGET: usize = 60_000;

/// The flows of all handlers of a file.
pub(super) fn flows<'t>(outline: &Outline<'t>, entries: &[Entry<'t>]) -> Vec<Flow> {
    let (found, kept) = round(outline, entries, &Env::new());
    // What one tool keeps, another may use.
    let found = if kept.is_empty() { found } else { round(outline, entries, &kept).0 };
    found.into_iter().collect()
}

/// All handlers once; `stored` is what shared names hold. Also what they come to hold.
fn round<'t>(
    outline: &Outline<'t>,
    entries: &[Entry<'t>],
    stored: &Env<'t>,
) -> (BTreeSet<Flow>, Env<'t>) {
    let (mut found, mut kept) = (BTreeSet::new(), Env::new());
    for entry in entries {
        let mut analysis = Analysis {
            outline,
            file: outline.file,
            entry,
            stored,
            kept: &mut kept,
            tool: None,
            returned: None,
            held: BTreeMap::new(),
            passed: String::new(),
            level: 0,
            branch: 0,
            budget: BUDGET,
            inner: BTreeMap::new(),
            found: &mut found,
        };
        let mut env = bind::entry(outline.file, entry);
        analysis.enter(entry.handler, &mut env);
    }
    (found, kept)
}

pub(super) struct Analysis<'a, 't> {
    pub(super) outline: &'a Outline<'t>,
    pub(super) file: File<'t>,
    entry: &'a Entry<'t>,
    /// Input that shared names hold because another handler put it there.
    stored: &'a Env<'t>,
    kept: &'a mut Env<'t>,
    /// Parameters of the function that is followed which hold functions.
    pub(super) held: BTreeMap<&'t str, String>,
    /// What it was given by name, for calls that hand all of it on.
    pub(super) passed: String,
    /// The tool whose branch of a dispatcher we are in.
    tool: Option<String>,
    /// What the function that is being followed gives back.
    returned: Option<Taint>,
    pub(super) level: usize,
    /// How many conditions we are inside of.
    branch: usize,
    budget: usize,
    /// Functions inside of the one that is followed.
    inner: BTreeMap<&'t str, Node<'t>>,
    found: &'a mut BTreeSet<Flow>,
}

impl<'t> Analysis<'_, 't> {
    /// Follows the body of a function; what it gives back.
    pub(super) fn enter(&mut self, function: Node<'t>, env: &mut Env<'t>) -> Option<Taint> {
        let body = field(function, &["body"])?;
        let outer = self.returned.take();
        let value = self.eval(body, env, 0);
        let statements = body.kind().contains("block") && self.file.language != Language::Rust;
        let given = std::mem::replace(&mut self.returned, outer);
        Taint::any(given.into_iter().chain(value.filter(|_| !statements)))
    }

    /// A local function, called with this input.
    pub(super) fn follow(&mut self, function: Node<'t>, env: &mut Env<'t>) -> Option<Taint> {
        if self.level >= CALLS_DEEP || env.is_empty() {
            return None;
        }
        self.level += 1;
        let branch = std::mem::take(&mut self.branch);
        let given = self.enter(function, env);
        self.branch = branch;
        self.level -= 1;
        given
    }

    /// The function that an expression is or names, the nearest first.
    pub(super) fn function(&self, node: Node<'t>) -> Option<Node<'t>> {
        let near = self.inner.get(self.file.text(node)).copied();
        near.or_else(|| self.outline.function(node))
    }

    /// What an expression or a statement comes to.
    pub(super) fn eval(
        &mut self,
        node: Node<'t>,
        env: &mut Env<'t>,
        depth: usize,
    ) -> Option<Taint> {
        self.budget = self.budget.saturating_sub(1);
        if depth > DEPTH || self.budget == 0 {
            return None;
        }
        let depth = depth + 1;
        match self.file.shape(node) {
            Shape::Name => {
                let name = self.file.text(node);
                env.get(name).or_else(|| self.stored.get(name)).cloned()
            }
            Shape::Text | Shape::Comment => None,
            Shape::Member => self.member(node, env, depth),
            Shape::Subscript => self.subscript(node, env, depth),
            Shape::Call => self.call(node, env, depth),
            Shape::Function => self.nested(node, env, depth),
            Shape::Assign => self.assign(node, env, depth),
            Shape::Loop => self.turn(node, env, depth),
            Shape::If => self.branch(node, env, depth),
            Shape::Exit => self.exit(node, env, depth),
            Shape::Template | Shape::Binary => self.joined(node, env, depth),
            Shape::Compare | Shape::Not => {
                self.each(node, env, depth);
                None
            }
            Shape::Ternary => self.ternary(node, env, depth),
            Shape::Pair => self.eval(pair(node)?.1, env, depth),
            Shape::Logic => self.each(node, env, depth),
            Shape::Other => self.other(node, env, depth),
        }
    }

    /// A function inside: it may be called later, and sees what is around it.
    fn nested(&mut self, node: Node<'t>, env: &mut Env<'t>, depth: usize) -> Option<Taint> {
        if let Some(name) = field(node, &["name"]) {
            self.inner.insert(self.file.text(name), node);
        }
        let mut inner = env.clone();
        bind::shadow(self.file, node, &mut inner);
        let outer = self.returned.take();
        self.eval(field(node, &["body"])?, &mut inner, depth);
        self.returned = outer;
        None
    }

    fn exit(&mut self, node: Node<'t>, env: &mut Env<'t>, depth: usize) -> Option<Taint> {
        let value = self.each(node, env, depth)?;
        if node.kind().starts_with("return") {
            self.returned = Taint::any(self.returned.take().into_iter().chain([value]));
        }
        None
    }

    pub(super) fn each(
        &mut self,
        node: Node<'t>,
        env: &mut Env<'t>,
        depth: usize,
    ) -> Option<Taint> {
        let taints: Vec<Taint> =
            children(node).into_iter().filter_map(|n| self.eval(n, env, depth)).collect();
        Taint::any(taints)
    }

    fn other(&mut self, node: Node<'t>, env: &mut Env<'t>, depth: usize) -> Option<Taint> {
        match node.kind() {
            // The case of a dispatcher belongs to the tool that it names.
            "switch_case" | "case_clause" | "expression_case"
                if self.entry.door == Door::Dispatch =>
            {
                let label = field(node, &["value"]).or_else(|| node.named_child(0))?;
                let named = super::syntax::descendants(label).find_map(|n| self.file.literal(n));
                let before = self.tool.clone();
                if let Some(name) = named.filter(|n| is_name(n)) {
                    self.tool = Some(name.to_owned());
                }
                let taint = self.each(node, env, depth);
                self.tool = before;
                taint
            }
            "type_annotation" | "type" | "type_arguments" | "decorator" => None,
            // What a comprehension is made of stands after what it makes.
            kind if kind.ends_with("_comprehension") || kind == "generator_expression" => {
                let (clauses, made): (Vec<Node<'t>>, Vec<Node<'t>>) =
                    children(node).into_iter().partition(|n| n.kind().ends_with("_clause"));
                for clause in clauses {
                    self.eval(clause, env, depth);
                }
                Taint::any(
                    made.into_iter().filter_map(|n| self.eval(n, env, depth)).collect::<Vec<_>>(),
                )
            }
            "list" | "array" => {
                let taint = self.each(node, env, depth)?;
                let program = node.named_child(0).and_then(|n| self.file.literal(n));
                let printed = taint.printed || program.is_some_and(prints_files);
                Some(Taint { printed, ..taint })
            }
            _ => self.each(node, env, depth),
        }
    }

    fn member(&mut self, node: Node<'t>, env: &mut Env<'t>, depth: usize) -> Option<Taint> {
        let taint = self.eval(object(node)?, env, depth)?;
        self.open(taint.property(self.file.text(property(node)?))?)
    }

    /// `arguments["path"]` is input, and so is `values[0]`; `TABLE[name]` is not.
    fn subscript(&mut self, node: Node<'t>, env: &mut Env<'t>, depth: usize) -> Option<Taint> {
        let parts = children(node);
        let taint = self.eval(*parts.first()?, env, depth)?;
        match parts.get(1).and_then(|index| self.file.literal(*index)) {
            Some(name) => self.open(taint.property(name)?),
            None => Some(taint),
        }
    }

    /// Nothing, if the schema lets no free text into it.
    pub(super) fn open(&self, taint: Taint) -> Option<Taint> {
        let closed = !taint.whole
            && !taint.params.is_empty()
            && taint.params.iter().all(|p| self.entry.closed.contains(p.as_str()));
        (!closed).then_some(taint)
    }

    fn assign(&mut self, node: Node<'t>, env: &mut Env<'t>, depth: usize) -> Option<Taint> {
        let (target, value) = (left(node)?, right(node)?);
        let kind = field(node, &["type"]).map_or("", |t| self.file.text(t));
        let closed = bind::is_closed(kind.trim_start_matches([':', ' ']));
        let taint = self.eval(value, env, depth).filter(|_| !closed);
        match &taint {
            Some(taint) => {
                let kept = match node.kind().starts_with("augmented") {
                    true => {
                        let added = taint.clone().within(self.file.text(value));
                        self.appended(target, added, env, depth)
                    }
                    false => taint.clone(),
                };
                if self.file.shape(target) == Shape::Subscript
                    && let Some(base) = object(target)
                {
                    self.keep(self.file.text(base), &kept);
                }
                bind::pattern(self.file, target, &kept, env);
            }
            None if node.kind().starts_with("augmented") => {}
            // In a branch, the value from before may still be there afterwards.
            None => {
                let name = self.file.text(target);
                let again = self.file.text(value).contains(name);
                if self.branch == 0 || again {
                    env.remove(name);
                }
            }
        }
        taint
    }

    /// Notes that a shared name holds input from now on; whose, is not told apart.
    pub(super) fn keep(&mut self, base: &'t str, taint: &Taint) {
        if self.outline.shared.contains(base) {
            let taint = Taint { params: BTreeSet::new(), whole: false, ..taint.clone() };
            let known = self.kept.remove(base);
            self.kept.extend(Taint::any(known.into_iter().chain([taint])).map(|t| (base, t)));
        }
    }

    fn turn(&mut self, node: Node<'t>, env: &mut Env<'t>, depth: usize) -> Option<Taint> {
        if let (Some(target), Some(value)) = (left(node), field(node, &["right", "value"]))
            && let Some(taint) = self.eval(value, env, depth)
        {
            bind::pattern(self.file, target, &taint, env);
        }
        let Some(body) = field(node, &["body"]) else {
            return self.each(node, env, depth);
        };
        self.branch += 1;
        for part in children(node)
            .into_iter()
            .filter(|n| n.kind() == "for_clause" || n.kind() == "range_clause")
        {
            self.eval(part, env, depth);
        }
        self.eval(body, env, depth);
        self.branch -= 1;
        None
    }

    fn ternary(&mut self, node: Node<'t>, env: &mut Env<'t>, depth: usize) -> Option<Taint> {
        let parts = children(node);
        let condition = field(node, &["condition"]).or_else(|| parts.get(1).copied())?;
        let mut inside = env.clone();
        guard::checks(self, condition, env).apply_inside(&mut inside);
        self.eval(condition, env, depth);
        let branches: Vec<Node<'t>> =
            parts.into_iter().filter(|n| n.id() != condition.id()).collect();
        let first = branches.first().and_then(|n| self.eval(*n, &mut inside, depth));
        let second = branches.get(1).and_then(|n| self.eval(*n, env, depth));
        Taint::any(first.into_iter().chain(second))
    }

    fn branch(&mut self, node: Node<'t>, env: &mut Env<'t>, depth: usize) -> Option<Taint> {
        let condition = field(node, &["condition"])?;
        if let Some(first) = field(node, &["initializer"]) {
            self.eval(first, env, depth);
        }
        self.eval(condition, env, depth);
        let checks = guard::checks(self, condition, env);
        let consequence = field(node, &["consequence"])?;
        let before = self.tool.clone();
        if self.entry.door == Door::Dispatch
            && let Some(name) = guard::dispatched(self.file, condition)
        {
            self.tool = Some(name.to_owned());
        }
        self.branch += 1;
        let mut inside = env.clone();
        checks.apply_inside(&mut inside);
        let value = self.eval(consequence, &mut inside, depth);
        self.tool = before;
        if guard::leaves(self.file, consequence) {
            checks.apply_after(env);
        } else {
            merge(env, inside, &checks);
        }
        let mut cursor = node.walk();
        let others: Vec<Node<'t>> =
            node.children_by_field_name("alternative", &mut cursor).collect();
        let rest: Vec<Taint> =
            others.into_iter().filter_map(|n| self.eval(n, env, depth)).collect();
        self.branch -= 1;
        Taint::any(value.into_iter().chain(rest))
    }

    /// Notes that input of this taint reaches a dangerous call.
    pub(super) fn report(&mut self, class: Class, taint: &Taint, call: &str, at: Node<'t>) {
        if taint.clean.contains(&class) {
            return;
        }
        let at = self.file.spot(at);
        let tool = match &self.entry.door {
            Door::Tool(name) => Some(name.clone()),
            Door::Dispatch => self.tool.clone(),
            Door::Resource(_) | Door::Prompt(_) => None,
        };
        let subjects: Vec<Subject> = match (&self.entry.door, tool) {
            (Door::Resource(uri), _) => vec![Subject::Resource { uri: uri.clone() }],
            (Door::Prompt(prompt), _) => vec![Subject::Prompt { prompt: prompt.clone() }],
            (Door::Tool(_) | Door::Dispatch, Some(tool)) if taint.params.is_empty() => {
                vec![Subject::tool_named(&tool)]
            }
            (Door::Tool(_) | Door::Dispatch, Some(tool)) => {
                let pointer = |p: &String| format!("/{}", p.replace('~', "~0").replace('/', "~1"));
                taint.params.iter().map(|p| Subject::param(&tool, &pointer(p))).collect()
            }
            (Door::Tool(_) | Door::Dispatch, None) => {
                vec![Subject::File { file: at.file.clone(), line: Some(at.line) }]
            }
        };
        for subject in subjects {
            let call = call.trim_start_matches("_.").to_owned();
            let through = taint.through.clone();
            self.found.insert(Flow { subject, class, at: at.clone(), call, through });
        }
    }
}

/// After a branch that does not leave, a name holds what it held before or what it got inside.
fn merge<'t>(env: &mut Env<'t>, inside: Env<'t>, checks: &guard::Checks<'t>) {
    for (name, taint) in inside {
        match env.get_mut(name) {
            Some(_) if checks.concern(name) => {}
            Some(known) => *known = known.clone().or(taint),
            None => {
                env.insert(name, taint);
            }
        }
    }
}
