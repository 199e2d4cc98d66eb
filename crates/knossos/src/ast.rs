//! The syntax tree: flat arenas of nodes with source locations.
//!
//! Children are ids into the arenas of the same [`Program`], so a program of any depth can be dropped, cloned and
//! traversed without recursion.

use minoan_diag::{FileId, Span};
use minoan_frontend::{Names, Symbol};

/// The id of an expression in a [`Program`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ExprId(pub u32);

/// The id of a type expression in a [`Program`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TypeExprId(pub u32);

/// The id of a function name expression in a [`Program`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NameId(pub u32);

/// The syntax tree of a Knossos file.
#[derive(Clone, Debug)]
pub struct Program {
    /// The source file.
    pub file: FileId,
    /// The interned identifiers.
    pub names: Names,
    /// The top-level forms, in order.
    pub items: Vec<Item>,
    /// The names defined by forms with syntax errors; uses of them are not reported.
    pub broken: Vec<Symbol>,
    pub(crate) exprs: Vec<Expr>,
    pub(crate) types: Vec<TypeExpr>,
    pub(crate) fn_names: Vec<FnNameExpr>,
}

/// An expression with its location.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// The expression.
    pub kind: ExprKind,
    /// The source location.
    pub span: Span,
}

/// The kinds of expressions. Redundant parentheses are not represented.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// A syntax error that has been reported.
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
    /// `(f a b)`; `(x)` for a variable `x` is also parsed as a call and resolved by the checker.
    Call {
        /// The function.
        name: NameId,
        /// The operands; one operand is the argument, any other number is a tuple of them.
        args: Box<[ExprId]>,
    },
    /// `(let (x e) body)` and its variants.
    Let {
        /// The bindings; later ones see earlier ones.
        bindings: Box<[Binding]>,
        /// The scope of the bindings.
        body: ExprId,
    },
    /// `(if c t e)`
    If {
        /// The condition, of type `Bool`.
        condition: ExprId,
        /// The value if the condition is true.
        then: ExprId,
        /// The value if the condition is false.
        otherwise: ExprId,
    },
    /// `(assert c e)`
    Assert {
        /// The condition, of type `Bool`.
        condition: ExprId,
        /// The value.
        body: ExprId,
    },
    /// `(tuple a b)`
    Tuple(Box<[ExprId]>),
    /// `(lam (x : T) e)`; several parameters destructure a parameter of tuple type.
    Lam {
        /// The parameters, at least one.
        params: Box<[Param]>,
        /// The body.
        body: ExprId,
    },
    /// `($dummy T)`, a value that is never inspected.
    Dummy(TypeExprId),
}

/// A binding of a `let`.
#[derive(Clone, PartialEq, Debug)]
pub struct Binding {
    /// The bound pattern.
    pub pattern: Pattern,
    /// The bound value.
    pub value: ExprId,
    /// The location of the binding.
    pub span: Span,
}

/// The pattern of a `let` binding.
#[derive(Clone, PartialEq, Debug)]
pub enum Pattern {
    /// `x`
    Var(Ident),
    /// `(x y)`, which destructures a tuple.
    Unpack {
        /// The names of the components.
        names: Box<[Ident]>,
        /// Whether `((a b) (c d))` could also be intended as two bindings.
        ambiguous: bool,
    },
}

/// An identifier with its location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ident {
    /// The interned name.
    pub name: Symbol,
    /// The source location.
    pub span: Span,
}

/// A parameter `x : T`.
#[derive(Clone, PartialEq, Debug)]
pub struct Param {
    /// The parameter's name.
    pub name: Ident,
    /// The parameter's type.
    pub ty: TypeExprId,
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
    /// A syntax error that has been reported.
    Error,
    /// `Integer`
    Integer,
    /// `Float`
    Float,
    /// `Bool`
    Bool,
    /// `String`
    String,
    /// `Any`, only in rules.
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

/// A function name with its location.
#[derive(Clone, PartialEq, Debug)]
pub struct FnNameExpr {
    /// The function name.
    pub kind: FnNameKind,
    /// The source location.
    pub span: Span,
    /// The location of the innermost identifier: of `f` in `[rev [f T]]`.
    pub base: Span,
}

/// The kinds of function names.
#[derive(Clone, PartialEq, Debug)]
pub enum FnNameKind {
    /// `f`
    Plain(Symbol),
    /// `[f T]`, the overload of `f` for that argument type.
    Typed(Symbol, TypeExprId),
    /// `[rev name]`
    Derived(Derivation, NameId),
}

/// The derivation of a structured name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Derivation {
    /// `D`: the derivative as a linear map.
    D,
    /// `fwd`: tangents from inputs to outputs.
    Fwd,
    /// `rev`: cotangents from outputs to inputs.
    Rev,
    /// `CL`: the primal, by categorical combinators.
    Cl,
    /// `suffwdpass`: the primal and the values that the reverse pass needs.
    SufFwdPass,
    /// `sufrevpass`: the reverse pass.
    SufRevPass,
    /// `sufrev`: both passes.
    SufRev,
    /// `shape`: the shape of the result.
    Shape,
    /// `grad`: the gradient of a function whose result is one number. Every such function has a gradient.
    Grad,
    /// Any other word; functions with such names can be defined but not derived.
    Other(Symbol),
}

impl Derivation {
    /// The derivations that `gdef` supports, with their spellings.
    pub const KNOWN: [(&'static str, Derivation); 9] = [
        ("fwd", Derivation::Fwd),
        ("rev", Derivation::Rev),
        ("suffwdpass", Derivation::SufFwdPass),
        ("sufrevpass", Derivation::SufRevPass),
        ("sufrev", Derivation::SufRev),
        ("shape", Derivation::Shape),
        ("CL", Derivation::Cl),
        ("D", Derivation::D),
        ("grad", Derivation::Grad),
    ];

    /// The spelling.
    pub fn text(self, names: &Names) -> &str {
        match self {
            Derivation::Other(symbol) => names.text(symbol),
            known => Self::KNOWN.iter().find(|(_, it)| *it == known).map_or("", |(text, _)| text),
        }
    }
}

/// A top-level form with its location.
#[derive(Clone, PartialEq, Debug)]
pub struct Item {
    /// The form.
    pub kind: ItemKind,
    /// The source location.
    pub span: Span,
}

/// The kinds of top-level forms.
#[derive(Clone, PartialEq, Debug)]
pub enum ItemKind {
    /// `(def name T params body)`
    Def {
        /// The function name.
        name: NameId,
        /// The declared result type.
        result: TypeExprId,
        /// The parameters.
        params: Box<[Param]>,
        /// The body.
        body: ExprId,
    },
    /// `(edef name T A)`
    Edef {
        /// The function name.
        name: NameId,
        /// The result type.
        result: TypeExprId,
        /// The argument type; `(A B)` is parsed as `(Tuple A B)`.
        arg: TypeExprId,
    },
    /// `(gdef rev [f T])`
    Gdef {
        /// The derived function.
        name: NameId,
    },
    /// `(rule "name" params from to)`
    Rule {
        /// The name of the rule.
        name: Box<str>,
        /// The typed pattern variables.
        params: Box<[Param]>,
        /// The left-hand side.
        from: ExprId,
        /// The right-hand side.
        to: ExprId,
    },
}

impl Program {
    /// Creates a program without forms.
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

    /// The expression with this id.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }

    /// The type expression with this id.
    pub fn type_expr(&self, id: TypeExprId) -> &TypeExpr {
        &self.types[id.0 as usize]
    }

    /// The function name with this id.
    pub fn fn_name(&self, id: NameId) -> &FnNameExpr {
        &self.fn_names[id.0 as usize]
    }

    /// The number of expressions; every id is smaller.
    pub fn expr_count(&self) -> usize {
        self.exprs.len()
    }

    /// Adds an expression.
    pub fn add_expr(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.exprs.push(Expr { kind, span });
        ExprId(self.exprs.len() as u32 - 1)
    }

    /// Adds a type expression.
    pub fn add_type(&mut self, kind: TypeKind, span: Span) -> TypeExprId {
        self.types.push(TypeExpr { kind, span });
        TypeExprId(self.types.len() as u32 - 1)
    }

    /// Adds a function name. Its innermost identifier is at `span`, or in the derived name.
    pub fn add_fn_name(&mut self, kind: FnNameKind, span: Span) -> NameId {
        let base = match kind {
            FnNameKind::Plain(_) | FnNameKind::Typed(..) => span,
            FnNameKind::Derived(_, inner) => self.fn_name(inner).base,
        };
        self.fn_names.push(FnNameExpr { kind, span, base });
        NameId(self.fn_names.len() as u32 - 1)
    }

    /// The innermost identifier of a function name: `f` in `[rev [f T]]`.
    pub fn base_name(&self, mut id: NameId) -> Symbol {
        loop {
            match self.fn_name(id).kind {
                FnNameKind::Plain(name) | FnNameKind::Typed(name, _) => return name,
                FnNameKind::Derived(_, inner) => id = inner,
            }
        }
    }
}
