//! Texts that are joined with input: what they begin with decides where an address leads.

use tree_sitter::Node;

use super::flow::Analysis;
use super::syntax::{Shape, children, descendants};
use super::taint::{Env, Taint};

impl<'t> Analysis<'_, 't> {
    /// A template, or operands with something between them.
    pub(super) fn joined(
        &mut self,
        node: Node<'t>,
        env: &mut Env<'t>,
        depth: usize,
    ) -> Option<Taint> {
        let taint = self.each(node, env, depth)?.within(self.file.text(node));
        let host = taint.host || self.begins_fixed(node, env, depth);
        Some(Taint { host, ..taint })
    }

    /// What a name holds after input was put at its end.
    pub(super) fn appended(
        &mut self,
        target: Node<'t>,
        added: Taint,
        env: &mut Env<'t>,
        depth: usize,
    ) -> Taint {
        match self.eval(target, env, depth) {
            Some(before) => Taint { host: before.host, ..before.or(added) },
            None => Taint { host: !self.is_open(target), ..added },
        }
    }

    /// Whether a name stands for a text that chooses no host: none, or `https://`.
    fn is_open(&self, name: Node<'t>) -> bool {
        let text = self.outline.literal(name);
        text.is_some_and(|text| text.is_empty() || text.ends_with("://"))
    }

    /// `${base}/path/${input}`: whoever set the base has chosen the host.
    fn begins_fixed(&mut self, node: Node<'t>, env: &mut Env<'t>, depth: usize) -> bool {
        let Some(lead) = self.lead(node) else { return false };
        !self.is_open(lead) && self.eval(lead, env, depth).is_none()
    }

    /// The expression that a text begins with, if it is no text itself.
    fn lead(&self, node: Node<'t>) -> Option<Node<'t>> {
        let mut first = node;
        for _ in 0..16 {
            first = match self.file.shape(first) {
                Shape::Binary => *children(first).first()?,
                Shape::Template => {
                    let kinds = ["interpolation", "template_substitution"];
                    let set_in = descendants(first).find(|n| kinds.contains(&n.kind()))?;
                    let before = self.file.text.get(first.start_byte()..set_in.start_byte())?;
                    let only_quotes = before.chars().all(|c| "fFrRbB\"'`".contains(c));
                    return only_quotes.then(|| set_in.named_child(0))?;
                }
                Shape::Text => return None,
                _ => return Some(first),
            };
        }
        None
    }
}
