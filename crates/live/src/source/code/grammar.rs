//! The grammars, and what their kinds of nodes come to. Kinds are looked up by number: comparing
//! names for every node of a tree is dearer than parsing it.

use std::sync::LazyLock;

use proofmark_core::evidence::Language;

use super::syntax::{Shape, fixed};

#[derive(Debug)]
pub(super) struct Grammar {
    language: tree_sitter::Language,
    /// By the number of the kind; `None` where the node itself has to be looked at.
    shapes: Vec<Option<Shape>>,
}

macro_rules! grammars {
    ($($name:ident = $grammar:expr;)*) => {
        $(static $name: LazyLock<Grammar> = LazyLock::new(|| Grammar::new($grammar.into()));)*
    };
}
grammars! {
    PYTHON = tree_sitter_python::LANGUAGE;
    JAVASCRIPT = tree_sitter_javascript::LANGUAGE;
    TYPESCRIPT = tree_sitter_typescript::LANGUAGE_TYPESCRIPT;
    TSX = tree_sitter_typescript::LANGUAGE_TSX;
    GO = tree_sitter_go::LANGUAGE;
    RUST = tree_sitter_rust::LANGUAGE;
}

impl Grammar {
    fn new(language: tree_sitter::Language) -> Grammar {
        let kinds = u16::try_from(language.node_kind_count()).unwrap_or(u16::MAX);
        let shapes =
            (0..kinds).map(|id| fixed(language.node_kind_for_id(id).unwrap_or_default())).collect();
        Grammar { language, shapes }
    }

    pub(super) fn of(language: Language, path: &str) -> &'static Grammar {
        match language {
            Language::Python => &PYTHON,
            Language::Javascript => &JAVASCRIPT,
            Language::Typescript if path.ends_with(".tsx") => &TSX,
            Language::Typescript => &TYPESCRIPT,
            Language::Go => &GO,
            Language::Rust => &RUST,
        }
    }

    pub(super) fn language(&self) -> &tree_sitter::Language {
        &self.language
    }

    pub(super) fn shape(&self, kind: u16) -> Option<Shape> {
        // The kind of what could not be parsed has no number in the table.
        self.shapes.get(usize::from(kind)).copied().unwrap_or(Some(Shape::Other))
    }
}
