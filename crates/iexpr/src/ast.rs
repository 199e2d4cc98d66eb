//! The syntax tree of a file: definitions, and components as a flat arena.

use minoan_diag::{FileId, Span};
use minoan_iexpr_dialect::{Expr, Places};

/// A component of a [`File`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub u32);

/// What wires two components together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Combinator {
    /// `f << g`: outputs of `g` become inputs of `f`.
    Compose,
    /// `f >> g`: the same as `g << f`.
    Chain,
    /// `f & g`: both get the same inputs.
    Fanout,
    /// `f | g`: both side by side.
    Pair,
}

impl Combinator {
    /// How it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Combinator::Compose => "<<",
            Combinator::Chain => ">>",
            Combinator::Fanout => "&",
            Combinator::Pair => "|",
        }
    }

    /// How tightly it binds: more binds first, as in Python.
    pub(crate) fn precedence(self) -> u8 {
        match self {
            Combinator::Compose | Combinator::Chain => 3,
            Combinator::Fanout => 2,
            Combinator::Pair => 1,
        }
    }
}

/// An i-expression in a file.
#[derive(Clone, Debug)]
pub struct Literal {
    /// The expression.
    pub expr: Expr,
    /// Where its parts stand in its text.
    pub places: Places,
    /// The byte of the file where its text starts.
    pub base: u32,
}

/// What a component is.
#[derive(Clone, Debug)]
pub enum NodeKind {
    /// An i-expression.
    Expr(Box<Literal>),
    /// A definition, or the identity under one of its names.
    Name(Box<str>),
    /// Two components wired together; `at` is the combinator.
    Binary {
        /// How.
        combinator: Combinator,
        /// The left one.
        left: NodeId,
        /// The right one.
        right: NodeId,
        /// Where the combinator stands.
        at: Span,
    },
    /// `~f`: the first two outputs exchanged.
    Swap(NodeId),
    /// Something that was reported.
    Error,
}

/// A component with its place.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Where it stands.
    pub span: Span,
}

/// A named component.
#[derive(Clone, Debug)]
pub struct Def {
    /// Its name; [`MAIN`] where none is written.
    pub name: Box<str>,
    /// Where the name stands, or the component.
    pub name_span: Span,
    /// Whether the name is written.
    pub is_named: bool,
    /// The component.
    pub body: NodeId,
}

/// The name of a component that stands by itself.
pub const MAIN: &str = "main";

/// A file of definitions. What a component is made of stands before it in the arena.
#[derive(Clone, Debug)]
pub struct File {
    /// Which file.
    pub id: FileId,
    /// The definitions in order.
    pub defs: Vec<Def>,
    nodes: Vec<Node>,
}

impl File {
    pub(crate) fn new(id: FileId) -> Self {
        Self { id, defs: Vec::new(), nodes: Vec::new() }
    }

    /// A component.
    ///
    /// # Panics
    /// If it is of another file.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// All components; what one is made of stands before it.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.nodes.iter().enumerate().map(|(index, node)| (NodeId(index as u32), node))
    }

    pub(crate) fn add(&mut self, kind: NodeKind, span: Span) -> NodeId {
        self.nodes.push(Node { kind, span });
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// Whether two files are the same but for places and broken components.
    pub fn same_structure(&self, other: &File) -> bool {
        let same = |(one, two): (&Def, &Def)| {
            one.name == two.name && one.is_named == two.is_named && self.same_node(one.body, other, two.body)
        };
        self.defs.len() == other.defs.len() && self.defs.iter().zip(&other.defs).all(same)
    }

    fn same_node(&self, one: NodeId, other: &File, two: NodeId) -> bool {
        let mut pending = vec![(one, two)];
        while let Some((one, two)) = pending.pop() {
            match (&self.node(one).kind, &other.node(two).kind) {
                (NodeKind::Expr(one), NodeKind::Expr(two)) if one.expr == two.expr => {}
                (NodeKind::Name(one), NodeKind::Name(two)) if one == two => {}
                (NodeKind::Swap(one), NodeKind::Swap(two)) => pending.push((*one, *two)),
                (
                    NodeKind::Binary { combinator, left, right, .. },
                    NodeKind::Binary { combinator: other, left: left2, right: right2, .. },
                ) if combinator == other => pending.extend([(*left, *left2), (*right, *right2)]),
                _ => return false,
            }
        }
        true
    }
}
