//! The syntax tree: flat arenas of nodes, each with its place in the source.

mod module;

pub use module::Module;

use minoan_diag::Span;
use minoan_frontend::Symbol;
use std::marker::PhantomData;

/// Declares the ids of arenas.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// An expression of a [`Module`].
    ExprId,
    /// A written type of a [`Module`].
    TypeExprId,
    /// A place where a local variable is bound: a parameter, `let`, `free_var` or pattern.
    BinderId,
    /// A function, global or not.
    FnId,
    /// A `match` expression.
    MatchId,
    /// A pattern of a `match`.
    PatternId,
    /// A sequence of bindings.
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

/// A run of elements in one of the arenas of a [`Module`].
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
    /// Without elements.
    pub const EMPTY: Self = Self { start: 0, len: 0, of: PhantomData };

    /// How many elements it has.
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// Whether it has no elements.
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

/// A name and its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ident {
    /// The spelling, without a sigil.
    pub name: Symbol,
    /// Where it is written.
    pub span: Span,
}

/// `meta[key][index]`: an entry of the metadata section.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MetaRef {
    /// The kind of object.
    pub key: Symbol,
    /// Which one of that kind.
    pub index: u32,
}

/// The width of a number as its suffix says, such as `f16` or `i64`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Suffix {
    /// A signed integer of that many bits.
    Int(u8),
    /// A float of that many bits.
    Float(u8),
}

/// A number or truth value.
#[derive(Clone, Copy, Debug)]
pub enum Literal {
    /// `1`, `1i64`. Without a suffix it takes the type that its use asks for, `int32` if nothing does.
    Int(i64, Option<Suffix>),
    /// `1f`, `1.5f64`, exact for its width; without a suffix like `Int`, with `float32` as the default.
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

/// An operator with a symbol.
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
    /// Its symbol, the operator it stands for, and how strongly it binds.
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

/// An operator with a symbol before its operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `-`
    Negative,
    /// `!`
    Not,
}

impl UnaryOp {
    /// Its symbol, and the operator it stands for.
    pub fn info(self) -> (&'static str, &'static str) {
        match self {
            UnaryOp::Negative => ("-", "negative"),
            UnaryOp::Not => ("!", "logical_not"),
        }
    }
}

/// An expression and its place.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it is written.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ExprKind {
    /// Was reported as a syntax error.
    Error,
    /// A number or truth value.
    Literal(Literal),
    /// `Constant(1, (10, 10), float32)`: a tensor of equal elements.
    Filled {
        /// A literal.
        value: ExprId,
        /// A tensor type.
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
        /// What is called.
        callee: ExprId,
        /// The arguments.
        args: Run<ExprId>,
        /// Type arguments and attributes, if there are any.
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
        /// A truth value.
        condition: ExprId,
        /// When true.
        then: ExprId,
        /// When false.
        otherwise: ExprId,
    },
    /// `match (e) { .. }`
    Match(MatchId),
    /// Bindings and a value.
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
    /// Those that are written out.
    pub list: Box<[Attr]>,
    /// `meta[relay.attrs.X][n]`: all at once.
    pub meta: Option<(MetaRef, Span)>,
}

impl Attrs {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty() && self.meta.is_none()
    }
}

/// `axis=1`
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Attr {
    /// Which.
    pub name: Ident,
    /// Its value.
    pub value: AttrId,
}

/// The value of an attribute and its place.
#[derive(Clone, PartialEq, Debug)]
pub struct AttrNode {
    /// What it is.
    pub kind: AttrKind,
    /// Where it is written.
    pub span: Span,
}

/// What the value of an attribute is.
#[derive(Clone, PartialEq, Debug)]
pub enum AttrKind {
    /// A number or truth value.
    Literal(Literal),
    /// `"text"`
    Str(Box<str>),
    /// `None`, `nullptr`
    None,
    /// `[1, 2]`
    List(Box<[AttrId]>),
    /// An entry of the metadata section.
    Meta(MetaRef),
    /// Some other expression.
    Expr(ExprId),
}

/// A place where a local variable is bound.
#[derive(Clone, PartialEq, Debug)]
pub struct Binder {
    /// The variable.
    pub name: Ident,
    /// Its type, where one is written.
    pub ty: Option<TypeExprId>,
    /// Of a parameter: `{virtual_device=..}`.
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
    /// How kinds are written: `[s: Shape]`.
    pub const SPELLED: [(&'static str, Kind); 4] =
        [("Type", Kind::Type), ("Shape", Kind::Shape), ("BaseType", Kind::BaseType), ("ShapeVar", Kind::Dim)];

    /// How it is written.
    pub fn text(self) -> &'static str {
        Self::SPELLED.iter().find(|(_, kind)| *kind == self).map_or("", |(text, _)| text)
    }
}

/// A type parameter.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TypeParam {
    /// Its name.
    pub name: Ident,
    /// Its kind.
    pub kind: Kind,
}

/// A function, global or not.
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
    /// What it computes.
    pub body: ExprId,
    /// Where it is written.
    pub span: Span,
}

/// A `match` expression.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchNode {
    /// What is taken apart.
    pub value: ExprId,
    /// Whether some values may remain without a clause: `match?`.
    pub partial: bool,
    /// The clauses, in order.
    pub clauses: Box<[Clause]>,
}

/// A clause of a `match`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Clause {
    /// When.
    pub pattern: PatternId,
    /// The value.
    pub body: ExprId,
}

/// A pattern and its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Pattern {
    /// What it is.
    pub kind: PatternKind,
    /// Where it is written.
    pub span: Span,
}

/// What a pattern is.
#[derive(Clone, PartialEq, Debug)]
pub enum PatternKind {
    /// `_`
    Wildcard,
    /// `%x`
    Var(BinderId),
    /// `Cons(%h, %t)`; without parentheses like with empty ones.
    Ctor(Ident, Box<[PatternId]>),
    /// `(%a, %b)`
    Tuple(Box<[PatternId]>),
}

/// Bindings in order, then a value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Block {
    /// Later ones see earlier ones.
    pub bindings: Run<Binding>,
    /// The value.
    pub body: ExprId,
}

/// One binding of a block.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Binding {
    /// `let %x = e;`, also `e;`, which binds `%_`.
    Let(BinderId, ExprId),
    /// `%0 = e;`
    Graph {
        /// The number.
        index: u32,
        /// Its place.
        span: Span,
        /// What it stands for.
        value: ExprId,
    },
    /// `free_var %x: T;`
    Free(BinderId),
}

/// A written type and its place.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeExpr {
    /// What it is.
    pub kind: TypeKind,
    /// Where it is written.
    pub span: Span,
}

/// What a written type is.
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
        /// The parameters.
        params: Box<[TypeExprId]>,
        /// The result.
        result: TypeExprId,
    },
    /// `Tensor[(2, 3), float32]`
    Tensor {
        /// A shape, or a name of one.
        shape: ShapeExpr,
        /// The element type, or a name of one; none for `_`.
        dtype: Option<Ident>,
    },
    /// `int32`, `List[A]`, `A`
    Name(Symbol, Box<[TypeExprId]>),
    /// `ref(T)`
    Ref(TypeExprId),
}

/// A written shape.
#[derive(Clone, PartialEq, Debug)]
pub enum ShapeExpr {
    /// `(2, ?)`
    Dims(Box<[DimExpr]>),
    /// `s`
    Name(Ident),
    /// `_`
    Hole,
}

/// A written dimension.
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
    /// Its name.
    pub name: Ident,
    /// `[A]`
    pub type_params: Box<[TypeParam]>,
    /// The constructors; none for a type that is only declared.
    pub ctors: Run<CtorNode>,
    /// Whether it is declared only: `extern type`.
    pub external: bool,
}

/// A constructor of an algebraic data type.
#[derive(Clone, PartialEq, Debug)]
pub struct CtorNode {
    /// Its name.
    pub name: Ident,
    /// The types of its fields.
    pub fields: Box<[TypeExprId]>,
    /// The type it belongs to.
    pub data: DataId,
}

/// A top-level form and its place.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// Where it is written.
    pub span: Span,
}

/// What a top-level form is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ItemKind {
    /// `def @f(..) { .. }`
    Def {
        /// Its name.
        name: Ident,
        /// What it is.
        function: FnId,
    },
    /// `type T { .. }`
    Data(DataId),
    /// An expression alone: the function `main`, whose parameters are its free variables, or which it is.
    Main {
        /// What is written.
        expr: ExprId,
        /// The function.
        function: FnId,
    },
}
