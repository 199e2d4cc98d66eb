//! Expressions, attributes, functions and patterns.

use super::{
    AttrId, BinaryOp, BinderId, BlockId, ExprId, ExtraId, FnId, Ident, MatchId, MetaRef, PatternId, Run,
    TypeExprId, TypeParam, UnaryOp,
};
use minoan_diag::Span;
use minoan_frontend::Symbol;

/// The type suffix of a number, such as `f16` or `i64`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Suffix {
    /// A signed integer with this many bits.
    Int(u8),
    /// A float with this many bits.
    Float(u8),
}

/// A numeric or boolean literal.
#[derive(Clone, Copy, Debug)]
pub enum Literal {
    /// `1`, `1i64`. Without a suffix, the type is inferred from the context and defaults to `int32`.
    Int(i64, Option<Suffix>),
    /// `1f`, `1.5f64`, exact for its width; without a suffix, inferred like `Int`, with `float32` as the default.
    Float(f64, Option<Suffix>),
    /// `True`, `False`
    Bool(bool),
}

impl PartialEq for Literal {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Literal::Int(a, s), Literal::Int(b, t)) => a == b && s == t,
            (Literal::Float(a, s), Literal::Float(b, t)) => {
                (a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()) && s == t
            }
            (Literal::Bool(a), Literal::Bool(b)) => a == b,
            _ => false,
        }
    }
}

/// An expression with its location.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Expr {
    /// The expression.
    pub kind: ExprKind,
    /// The source location.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ExprKind {
    /// A syntax error that has been reported.
    Error,
    /// A numeric or boolean literal.
    Literal(Literal),
    /// `Constant(1, (10, 10), float32)`: a splat tensor.
    Filled {
        /// The value of the elements, a literal.
        value: ExprId,
        /// The tensor type.
        ty: TypeExprId,
    },
    /// `meta[relay.Constant][0]`
    Meta(MetaRef),
    /// `%x`
    Local(Symbol),
    /// `%0`
    Graph(u32),
    /// `@f`
    Global(Symbol),
    /// A constructor or operator.
    Name(Symbol),
    /// `f(a, b, axis=1)`
    Call {
        /// The callee.
        callee: ExprId,
        /// The arguments.
        args: Run<ExprId>,
        /// Type arguments and attributes, if any.
        extra: Option<ExtraId>,
    },
    /// `a + b`
    Binary(BinaryOp, ExprId, ExprId),
    /// `-a`
    Unary(UnaryOp, ExprId),
    /// `(a, b)`
    Tuple(Run<ExprId>),
    /// `t.0`
    Project(ExprId, u32),
    /// `fn (%x) { .. }`
    Fn(FnId),
    /// `if (c) { a } else { b }`
    If {
        /// The condition.
        condition: ExprId,
        /// The value if the condition is true.
        then: ExprId,
        /// The value if the condition is false.
        otherwise: ExprId,
    },
    /// `match (e) { .. }`
    Match(MatchId),
    /// A sequence of bindings with a result.
    Block(BlockId),
    /// `ref(e)`
    Ref(ExprId),
    /// `ref_read(e)`
    RefRead(ExprId),
    /// `ref_write(r, e)`
    RefWrite(ExprId, ExprId),
}

/// Type arguments and attributes of a call.
#[derive(Clone, PartialEq, Debug)]
pub struct CallExtra {
    /// `f[T](..)`
    pub type_args: Box<[TypeExprId]>,
    /// `f(.., axis=1)`
    pub attrs: Attrs,
}

/// The attributes of a call or function.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Attrs {
    /// The attributes written out.
    pub list: Box<[Attr]>,
    /// `meta[relay.attrs.X][n]`: all attributes as one metadata object.
    pub meta: Option<(MetaRef, Span)>,
}

impl Attrs {
    /// Whether there are no attributes.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty() && self.meta.is_none()
    }
}

/// `axis=1`
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Attr {
    /// The attribute's name.
    pub name: Ident,
    /// The attribute's value.
    pub value: AttrId,
}

/// An attribute value with its location.
#[derive(Clone, PartialEq, Debug)]
pub struct AttrNode {
    /// The value.
    pub kind: AttrKind,
    /// The source location.
    pub span: Span,
}

/// The kinds of attribute values.
#[derive(Clone, PartialEq, Debug)]
pub enum AttrKind {
    /// A numeric or boolean literal.
    Literal(Literal),
    /// `"text"`
    Str(Box<str>),
    /// `None`, `nullptr`
    None,
    /// `[1, 2]`
    List(Box<[AttrId]>),
    /// A reference into the metadata section.
    Meta(MetaRef),
    /// Any other expression.
    Expr(ExprId),
}

/// A binding occurrence of a local variable.
#[derive(Clone, PartialEq, Debug)]
pub struct Binder {
    /// The variable's name.
    pub name: Ident,
    /// The type annotation, if any.
    pub ty: Option<TypeExprId>,
    /// The attributes of a parameter: `{virtual_device=..}`.
    pub attrs: Attrs,
}

/// A function, global or local.
#[derive(Clone, PartialEq, Debug)]
pub struct FnNode {
    /// `[A, B]`
    pub type_params: Box<[TypeParam]>,
    /// `(%x, %y)`
    pub params: Box<[BinderId]>,
    /// `(.., Primitive=1)`
    pub attrs: Attrs,
    /// `-> T`
    pub result: Option<TypeExprId>,
    /// `where Broadcast`: relations between the parameters and the result.
    pub relations: Box<[Ident]>,
    /// The body.
    pub body: ExprId,
    /// The source location.
    pub span: Span,
}

/// A `match` expression.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchNode {
    /// The scrutinee.
    pub value: ExprId,
    /// Whether the match may be incomplete: `match?`.
    pub partial: bool,
    /// The clauses, in order.
    pub clauses: Box<[Clause]>,
}

/// A clause of a `match`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Clause {
    /// The pattern.
    pub pattern: PatternId,
    /// The value of the clause.
    pub body: ExprId,
}

/// A pattern with its location.
#[derive(Clone, PartialEq, Debug)]
pub struct Pattern {
    /// The pattern.
    pub kind: PatternKind,
    /// The source location.
    pub span: Span,
}

/// The kinds of patterns.
#[derive(Clone, PartialEq, Debug)]
pub enum PatternKind {
    /// `_`
    Wildcard,
    /// `%x`
    Var(BinderId),
    /// `Cons(%h, %t)`; without parentheses, equivalent to empty ones.
    Ctor(Ident, Box<[PatternId]>),
    /// `(%a, %b)`
    Tuple(Box<[PatternId]>),
}

/// A sequence of bindings, followed by the result.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Block {
    /// The bindings; later ones see earlier ones.
    pub bindings: Run<Binding>,
    /// The result.
    pub body: ExprId,
}

/// A binding of a block.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Binding {
    /// `let %x = e;`, or `e;`, which binds `%_`.
    Let(BinderId, ExprId),
    /// `%0 = e;`
    Graph {
        /// The number of the variable.
        index: u32,
        /// The location of the variable.
        span: Span,
        /// The bound value.
        value: ExprId,
    },
    /// `free_var %x: T;`
    Free(BinderId),
}
