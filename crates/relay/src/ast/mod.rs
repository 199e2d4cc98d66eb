//! The syntax tree: flat arenas of nodes with source locations.

mod module;

pub use module::Module;

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

/// A binary operator with a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `&&`
    And,
    /// `||`
    Or,
}

impl BinaryOp {
    /// The symbol, the name of the operator, and the precedence.
    pub fn info(self) -> (&'static str, &'static str, u8) {
        match self {
            BinaryOp::Mul => ("*", "multiply", 12),
            BinaryOp::Div => ("/", "divide", 12),
            BinaryOp::Add => ("+", "add", 10),
            BinaryOp::Sub => ("-", "subtract", 10),
            BinaryOp::Less => ("<", "less", 8),
            BinaryOp::LessEqual => ("<=", "less_equal", 8),
            BinaryOp::Greater => (">", "greater", 8),
            BinaryOp::GreaterEqual => (">=", "greater_equal", 8),
            BinaryOp::Equal => ("==", "equal", 7),
            BinaryOp::NotEqual => ("!=", "not_equal", 7),
            BinaryOp::And => ("&&", "logical_and", 5),
            BinaryOp::Or => ("||", "logical_or", 4),
        }
    }
}

/// A unary operator with a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `-`
    Negative,
    /// `!`
    Not,
}

impl UnaryOp {
    /// The symbol and the name of the operator.
    pub fn info(self) -> (&'static str, &'static str) {
        match self {
            UnaryOp::Negative => ("-", "negative"),
            UnaryOp::Not => ("!", "logical_not"),
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
