//! Type expressions.

use super::{Ident, MetaRef, TypeExprId};
use minoan_diag::Span;
use minoan_frontend::Symbol;

/// The kind of a type parameter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Kind {
    /// A type.
    #[default]
    Type,
    /// The shape of a tensor.
    Shape,
    /// The element type of a tensor.
    BaseType,
    /// A dimension of a tensor.
    Dim,
}

impl Kind {
    /// The spelling of each kind: `[s: Shape]`.
    pub const SPELLED: [(&'static str, Kind); 4] =
        [("Type", Kind::Type), ("Shape", Kind::Shape), ("BaseType", Kind::BaseType), ("ShapeVar", Kind::Dim)];

    /// The spelling of the kind.
    pub fn text(self) -> &'static str {
        Self::SPELLED.iter().find(|(_, kind)| *kind == self).map_or("", |(text, _)| text)
    }
}

/// A type parameter.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TypeParam {
    /// The name.
    pub name: Ident,
    /// The kind.
    pub kind: Kind,
}

/// A type expression with its location.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeExpr {
    /// The type expression.
    pub kind: TypeKind,
    /// The source location.
    pub span: Span,
}

/// The kinds of type expressions.
#[derive(Clone, PartialEq, Debug)]
pub enum TypeKind {
    /// `_`
    Hole,
    /// `(A, B)`
    Tuple(Box<[TypeExprId]>),
    /// `fn (A) -> B`
    Fn {
        /// `[A]`
        type_params: Box<[TypeParam]>,
        /// The parameter types.
        params: Box<[TypeExprId]>,
        /// The result type.
        result: TypeExprId,
    },
    /// `Tensor[(2, 3), float32]`
    Tensor {
        /// The shape, or a name of one.
        shape: ShapeExpr,
        /// The element type, or a name of one; `None` for `_`.
        dtype: Option<Ident>,
    },
    /// `int32`, `List[A]`, `A`
    Name(Symbol, Box<[TypeExprId]>),
    /// `ref(T)`
    Ref(TypeExprId),
}

/// A shape expression.
#[derive(Clone, PartialEq, Debug)]
pub enum ShapeExpr {
    /// `(2, ?)`
    Dims(Box<[DimExpr]>),
    /// `s`
    Name(Ident),
    /// `_`
    Hole,
}

/// A dimension expression.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum DimExpr {
    /// `3`
    Known(i64),
    /// `?`
    Any,
    /// `n`
    Name(Ident),
    /// `_`
    Hole,
    /// `meta[tir.Var][0]`
    Meta(MetaRef),
}
