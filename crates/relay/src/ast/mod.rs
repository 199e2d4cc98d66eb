//! The syntax tree: flat arenas of nodes with source locations.

mod expr;
mod module;
mod operator;
mod types;

pub use expr::{
    Attr, AttrKind, AttrNode, Attrs, Binder, Binding, Block, CallExtra, Clause, Expr, ExprKind, FnNode,
    Literal, MatchNode, Pattern, PatternKind, Suffix,
};
pub use module::Module;
pub use operator::{BinaryOp, UnaryOp};
pub use types::{DimExpr, Kind, ShapeExpr, TypeExpr, TypeKind, TypeParam};

use minoan_diag::Span;
use minoan_frontend::Symbol;
use std::marker::PhantomData;

/// Declares arena ids.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The id as an index.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// An expression of a [`Module`].
    ExprId,
    /// A type expression of a [`Module`].
    TypeExprId,
    /// A binding occurrence of a local variable: a parameter, `let`, `free_var` or pattern.
    BinderId,
    /// A function, global or local.
    FnId,
    /// A `match` expression.
    MatchId,
    /// A pattern of a `match`.
    PatternId,
    /// A sequence of bindings with a result.
    BlockId,
    /// Type arguments and attributes of a call.
    ExtraId,
    /// The value of an attribute.
    AttrId,
    /// An algebraic data type.
    DataId,
    /// A constructor of an algebraic data type.
    CtorId,
}

/// A range of elements in an arena of a [`Module`].
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Run<T> {
    pub(crate) start: u32,
    pub(crate) len: u32,
    of: PhantomData<fn() -> T>,
}

impl<T> Clone for Run<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Run<T> {}

impl<T> Run<T> {
    /// The empty range.
    pub const EMPTY: Self = Self { start: 0, len: 0, of: PhantomData };

    /// The number of elements.
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// Whether the range is empty.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    pub(crate) fn of(self, arena: &[T]) -> &[T] {
        &arena[self.start as usize..self.start as usize + self.len as usize]
    }

    pub(crate) fn push(arena: &mut Vec<T>, items: impl IntoIterator<Item = T>) -> Self {
        let start = arena.len() as u32;
        arena.extend(items);
        Self { start, len: arena.len() as u32 - start, of: PhantomData }
    }
}

/// An identifier with its location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ident {
    /// The name, without a sigil.
    pub name: Symbol,
    /// The source location.
    pub span: Span,
}

/// `meta[key][index]`: a reference into the metadata section.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MetaRef {
    /// The kind of object.
    pub key: Symbol,
    /// The index among the objects of that kind.
    pub index: u32,
}

/// An algebraic data type.
#[derive(Clone, PartialEq, Debug)]
pub struct DataNode {
    /// The name.
    pub name: Ident,
    /// `[A]`
    pub type_params: Box<[TypeParam]>,
    /// The constructors; empty for an opaque type.
    pub ctors: Run<CtorNode>,
    /// Whether the type is opaque: `extern type`.
    pub external: bool,
}

/// A constructor of an algebraic data type.
#[derive(Clone, PartialEq, Debug)]
pub struct CtorNode {
    /// The name.
    pub name: Ident,
    /// The types of its fields.
    pub fields: Box<[TypeExprId]>,
    /// The data type that it belongs to.
    pub data: DataId,
}

/// A top-level form with its location.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Item {
    /// The form.
    pub kind: ItemKind,
    /// The source location.
    pub span: Span,
}

/// The kinds of top-level forms.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ItemKind {
    /// `def @f(..) { .. }`
    Def {
        /// The name.
        name: Ident,
        /// The function.
        function: FnId,
    },
    /// `type T { .. }`
    Data(DataId),
    /// A standalone expression, which defines the function `main`: either the expression is a function, or it becomes
    /// the body of one whose parameters are its free variables.
    Main {
        /// The expression as written.
        expr: ExprId,
        /// The resulting function.
        function: FnId,
    },
}
