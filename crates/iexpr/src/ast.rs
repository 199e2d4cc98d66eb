//! The syntax tree of a file: definitions, and a flat arena of components.

use minoan_diag::{FileId, Span};
use minoan_iexpr_dialect::{Expr, Places};

/// The id of a component in a [`File`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub u32);

/// A combinator, which wires two components together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Combinator {
    /// `f << g`: outputs of `g` become inputs of `f`.
    Compose,
    /// `f >> g`: equivalent to `g << f`.
    Chain,
    /// `f & g`: both components share their inputs.
    Fanout,
    /// `f | g`: both components in parallel.
    Pair,
}

impl Combinator {
    /// The spelling.
    pub fn symbol(self) -> &'static str {
        match self {
            Combinator::Compose => "<<",
            Combinator::Chain => ">>",
            Combinator::Fanout => "&",
            Combinator::Pair => "|",
        }
    }

    /// The precedence; higher binds tighter, as in Python.
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
    /// The positions of its parts in its text.
    pub places: Places,
    /// The byte offset of its text in the file.
    pub base: u32,
}

/// The kinds of components.
#[derive(Clone, Debug)]
pub enum NodeKind {
    /// An i-expression.
    Expr(Box<Literal>),
    /// A reference to a definition, or the identity.
    Name(Box<str>),
    /// Two components wired by a combinator.
    Binary {
        /// The combinator.
        combinator: Combinator,
        /// The left operand.
        left: NodeId,
        /// The right operand.
        right: NodeId,
        /// The location of the combinator.
        at: Span,
    },
    /// `~f`: exchanges the first two outputs.
    Swap(NodeId),
    /// `rev(f)`: the derivative in reverse mode.
    Reverse {
        /// The differentiated component.
        operand: NodeId,
        /// The location of `rev`.
        at: Span,
    },
    /// An error that has been reported.
    Error,
}

/// A component with its location.
#[derive(Clone, Debug)]
pub struct Node {
    /// The component.
    pub kind: NodeKind,
    /// The source location.
    pub span: Span,
}

/// A named component.
#[derive(Clone, Debug)]
pub struct Def {
    /// The name; [`MAIN`] if none is written.
    pub name: Box<str>,
    /// The location of the name or, without one, of the component.
    pub name_span: Span,
    /// Whether the name is written.
    pub is_named: bool,
    /// The component.
    pub body: NodeId,
}

/// The word before the parentheses around a component to differentiate.
pub const REVERSE: &str = "rev";

/// The name of an unnamed component.
pub const MAIN: &str = "main";

/// The syntax tree of a file. Operands precede the component that uses them in the arena.
#[derive(Clone, Debug)]
pub struct File {
    /// The source file.
    pub id: FileId,
    /// The definitions in order.
    pub defs: Vec<Def>,
    nodes: Vec<Node>,
}

impl File {
    pub(crate) fn new(id: FileId) -> Self {
        Self { id, defs: Vec::new(), nodes: Vec::new() }
    }

    /// The component with this id.
    ///
    /// # Panics
    /// Panics if the id belongs to another file.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// All components; operands precede their users.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.nodes.iter().enumerate().map(|(index, node)| (NodeId(index as u32), node))
    }

    pub(crate) fn add(&mut self, kind: NodeKind, span: Span) -> NodeId {
        self.nodes.push(Node { kind, span });
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// Whether two files are equal up to locations and broken components.
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
                (NodeKind::Reverse { operand: one, .. }, NodeKind::Reverse { operand: two, .. }) => {
                    pending.push((*one, *two));
                }
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
