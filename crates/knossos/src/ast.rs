//! The syntax tree: flat arenas of nodes, each with its place in the source.
//!
//! Children are ids into the arenas of the same [`Program`], so a program of any depth is dropped, cloned and
//! walked without recursion.

use minoan_diag::{FileId, Span};
use minoan_frontend::{Names, Symbol};

/// An expression of a [`Program`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ExprId(pub u32);

/// A written type of a [`Program`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TypeExprId(pub u32);

/// A written function name of a [`Program`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NameId(pub u32);

/// A file of Knossos, as written.
#[derive(Clone, Debug)]
pub struct Program {
    /// Where it was read from.
    pub file: FileId,
    /// The spellings of its identifiers.
    pub names: Names,
    /// The top-level forms, in order.
    pub items: Vec<Item>,
    /// Names that forms with syntax errors would have defined: uses of them are not errors.
    pub broken: Vec<Symbol>,
    pub(crate) exprs: Vec<Expr>,
    pub(crate) types: Vec<TypeExpr>,
    pub(crate) fn_names: Vec<FnNameExpr>,
}

/// An expression and its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it is written.
    pub span: Span,
}

/// What an expression is. Extra parentheses are not kept.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// Was reported as a syntax error.
    Error,
    /// `42`
    Integer(i64),
    /// `1.5`
    Float(f64),
    /// `true`
    Bool(bool),
    /// `"text"`
    String(Box<str>),
    /// `x`
    Var(Symbol),
    /// `(f a b)`; `(x)` for a variable `x` is also read as a call and resolved by the checker.
    Call {
        /// The function.
        name: NameId,
        /// What stands after it; one argument stands for itself, any other number for a tuple.
        args: Box<[ExprId]>,
    },
    /// `(let (x e) body)` and its other forms.
    Let {
        /// In order; later ones see earlier ones.
        bindings: Box<[Binding]>,
        /// What the bindings are visible in.
        body: ExprId,
    },
    /// `(if c t e)`
    If {
        /// Of type `Bool`.
        condition: ExprId,
        /// The value when true.
        then: ExprId,
        /// The value when false.
        otherwise: ExprId,
    },
    /// `(assert c e)`
    Assert {
        /// Of type `Bool`.
        condition: ExprId,
        /// The value.
        body: ExprId,
    },
    /// `(tuple a b)`
    Tuple(Box<[ExprId]>),
    /// `(lam (x : T) e)`; more parameters stand for one of tuple type.
    Lam {
        /// One or more.
        params: Box<[Param]>,
        /// The result.
        body: ExprId,
    },
    /// `($dummy T)`, a value that nobody looks at.
    Dummy(TypeExprId),
}

/// One binding of a `let`.
#[derive(Clone, PartialEq, Debug)]
pub struct Binding {
    /// What is bound.
    pub pattern: Pattern,
    /// To what.
    pub value: ExprId,
    /// The binding as a whole.
    pub span: Span,
}

/// What a `let` binds.
#[derive(Clone, PartialEq, Debug)]
pub enum Pattern {
    /// `x`
    Var(Ident),
    /// `(x y)`, the components of a tuple.
    Unpack {
        /// In order.
        names: Box<[Ident]>,
        /// Whether `((a b) (c d))` could also have been meant as two bindings.
        ambiguous: bool,
    },
}

/// A name and its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ident {
    /// The spelling.
    pub name: Symbol,
    /// Where it is written.
    pub span: Span,
}

/// `x : T`
#[derive(Clone, PartialEq, Debug)]
pub struct Param {
    /// What is bound.
    pub name: Ident,
    /// Its type.
    pub ty: TypeExprId,
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
    /// Was reported as a syntax error.
    Error,
    /// `Integer`
    Integer,
    /// `Float`
    Float,
    /// `Bool`
    Bool,
    /// `String`
    String,
    /// `Any`, in rules.
    Any,
    /// `(Vec T)`, the same type as `(Tensor 1 T)`.
    Vec(TypeExprId),
    /// `(Tensor n T)`
    Tensor(u32, TypeExprId),
    /// `(Tuple A B)`
    Tuple(Box<[TypeExprId]>),
    /// `(Lam A B)`
    Lam(TypeExprId, TypeExprId),
    /// `(LM A B)`, a linear map.
    LinearMap(TypeExprId, TypeExprId),
    /// `()`: no result, or no arguments.
    Nothing,
}

/// A written function name and its place.
#[derive(Clone, PartialEq, Debug)]
pub struct FnNameExpr {
    /// What it is.
    pub kind: FnNameKind,
    /// Where it is written.
    pub span: Span,
}

/// What a written function name is.
#[derive(Clone, PartialEq, Debug)]
pub enum FnNameKind {
    /// `f`
    Plain(Symbol),
    /// `[f T]`, the overload of `f` for that argument type.
    Typed(Symbol, TypeExprId),
    /// `[rev name]`
    Derived(Derivation, NameId),
}

/// What a structured name derives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Derivation {
    /// `D`: the derivative as a linear map.
    D,
    /// `fwd`: tangents from inputs to outputs.
    Fwd,
    /// `rev`: cotangents from outputs to inputs.
    Rev,
    /// `CL`: the primal, by way of categorical combinators.
    Cl,
    /// `suffwdpass`: the primal and what the reverse pass needs.
    SufFwdPass,
    /// `sufrevpass`: the reverse pass.
    SufRevPass,
    /// `sufrev`: both passes at once.
    SufRev,
    /// `shape`: the shape of the result.
    Shape,
    /// Any other word; functions of that name can be defined, but not derived.
    Other(Symbol),
}

impl Derivation {
    /// Those that `gdef` knows, with their spellings.
    pub const KNOWN: [(&'static str, Derivation); 8] = [
        ("fwd", Derivation::Fwd),
        ("rev", Derivation::Rev),
        ("suffwdpass", Derivation::SufFwdPass),
        ("sufrevpass", Derivation::SufRevPass),
        ("sufrev", Derivation::SufRev),
        ("shape", Derivation::Shape),
        ("CL", Derivation::Cl),
        ("D", Derivation::D),
    ];

    /// How it is written.
    pub fn text(self, names: &Names) -> &str {
        match self {
            Derivation::Other(symbol) => names.text(symbol),
            known => Self::KNOWN.iter().find(|(_, it)| *it == known).map_or("", |(text, _)| text),
        }
    }
}

/// A top-level form and its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// Where it is written.
    pub span: Span,
}

/// What a top-level form is.
#[derive(Clone, PartialEq, Debug)]
pub enum ItemKind {
    /// `(def name T params body)`
    Def {
        /// What is defined.
        name: NameId,
        /// The declared type of the result.
        result: TypeExprId,
        /// The parameters.
        params: Box<[Param]>,
        /// The result.
        body: ExprId,
    },
    /// `(edef name T A)`
    Edef {
        /// What is declared.
        name: NameId,
        /// The type of the result.
        result: TypeExprId,
        /// The type of the argument; `(A B)` is read as `(Tuple A B)`.
        arg: TypeExprId,
    },
    /// `(gdef rev [f T])`
    Gdef {
        /// What is derived.
        name: NameId,
    },
    /// `(rule "name" params from to)`
    Rule {
        /// What it is called.
        name: Box<str>,
        /// The typed holes.
        params: Box<[Param]>,
        /// What is replaced.
        from: ExprId,
        /// By what.
        to: ExprId,
    },
}

impl Program {
    /// A program without forms.
    pub fn new(file: FileId) -> Self {
        Self {
            file,
            names: Names::default(),
            items: Vec::new(),
            broken: Vec::new(),
            exprs: Vec::new(),
            types: Vec::new(),
            fn_names: Vec::new(),
        }
    }

    /// An expression.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }

    /// A written type.
    pub fn type_expr(&self, id: TypeExprId) -> &TypeExpr {
        &self.types[id.0 as usize]
    }

    /// A written function name.
    pub fn fn_name(&self, id: NameId) -> &FnNameExpr {
        &self.fn_names[id.0 as usize]
    }

    /// How many expressions there are: ids are below.
    pub fn expr_count(&self) -> usize {
        self.exprs.len()
    }

    /// Adds an expression.
    pub fn add_expr(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.exprs.push(Expr { kind, span });
        ExprId(self.exprs.len() as u32 - 1)
    }

    /// Adds a written type.
    pub fn add_type(&mut self, kind: TypeKind, span: Span) -> TypeExprId {
        self.types.push(TypeExpr { kind, span });
        TypeExprId(self.types.len() as u32 - 1)
    }

    /// Adds a written function name.
    pub fn add_fn_name(&mut self, kind: FnNameKind, span: Span) -> NameId {
        self.fn_names.push(FnNameExpr { kind, span });
        NameId(self.fn_names.len() as u32 - 1)
    }

    /// The innermost identifier of a function name: `f` of `[rev [f T]]`.
    pub fn base_name(&self, mut id: NameId) -> Symbol {
        loop {
            match self.fn_name(id).kind {
                FnNameKind::Plain(name) | FnNameKind::Typed(name, _) => return name,
                FnNameKind::Derived(_, inner) => id = inner,
            }
        }
    }
}
