//! The typed program: the syntax tree with resolved types, calls and variables.
//!
//! A [`TypedProgram`] is self-contained and does not refer to the syntax tree. Its [`ExprId`]s are those of the
//! checked [`Program`](crate::ast::Program), so ids from there can be looked up here.

use crate::ast::{Derivation, ExprId};
use crate::prelude::PreludeFn;
use crate::prims::Prim;
use crate::types::{Type, TypeId, Types};
use minoan_diag::{FileId, Span};
use minoan_frontend::{Names, Symbol};
use rustc_hash::FxHashMap;

/// The id of a defined function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct DefId(pub u32);

/// The id of an external function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EdefId(pub u32);

/// The id of a derived function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct GdefId(pub u32);

/// The id of a variable: one binding, regardless of its name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarId(pub u32);

/// A function of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FnRef {
    /// A function with a body.
    Def(DefId),
    /// An external function.
    Edef(EdefId),
    /// A derivative of another function.
    Gdef(GdefId),
}

/// The target of a call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Callee {
    /// A function with a body.
    User(DefId),
    /// An external function.
    Edef(EdefId),
    /// A derived function.
    Gdef(GdefId),
    /// A function of the prelude.
    Prelude(&'static PreludeFn),
    /// A primitive.
    Prim(Prim),
    /// A lambda bound by `let`; see [`Var::lambda`].
    Lambda(VarId),
}

/// The identity of a function up to its argument type: `f`, or `[rev f]`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FnName {
    /// The derivations, outermost first.
    pub derivations: Box<[Derivation]>,
    /// The derived function, or the name itself.
    pub base: Symbol,
}

/// A function with a body.
#[derive(Clone, PartialEq, Debug)]
pub struct Def {
    /// The name.
    pub name: FnName,
    /// For a structured name, the argument type of the innermost function; otherwise equal to `arg`.
    pub base_arg: TypeId,
    /// The argument type.
    pub arg: TypeId,
    /// The result type.
    pub result: TypeId,
    /// A single parameter is the argument; several are the components of the argument, a tuple.
    pub params: Box<[VarId]>,
    /// The body.
    pub body: ExprId,
    /// Whether the result is the empty tuple regardless of the body, since the declared result type is `()`.
    pub discards: bool,
    /// The location of the definition.
    pub span: Span,
    /// The location of the name.
    pub name_span: Span,
}

/// An external function.
#[derive(Clone, PartialEq, Debug)]
pub struct Edef {
    /// The name.
    pub name: FnName,
    /// For a structured name, the argument type of the innermost function; otherwise equal to `arg`.
    pub base_arg: TypeId,
    /// The argument type.
    pub arg: TypeId,
    /// The result type.
    pub result: TypeId,
    /// The definition of the same function in this program, which calls refer to.
    pub definition: Option<DefId>,
    /// The prelude function that it redeclares, which calls refer to.
    pub prelude: Option<&'static PreludeFn>,
    /// The location of the declaration.
    pub span: Span,
    /// The location of the name.
    pub name_span: Span,
}

/// A derived function.
#[derive(Clone, PartialEq, Debug)]
pub struct Gdef {
    /// The name, whose outermost derivation applies to `of`.
    pub name: FnName,
    /// The argument type of the innermost function.
    pub base_arg: TypeId,
    /// The primal: a user, edef, gdef or prelude function.
    pub of: Callee,
    /// The argument type.
    pub arg: TypeId,
    /// The result type.
    pub result: TypeId,
    /// The location of the request: a `gdef` form or, for derivatives of the prelude, the first call.
    pub span: Span,
}

impl Gdef {
    /// The derivation that applies to [`Gdef::of`].
    pub fn derivation(&self) -> Derivation {
        self.name.derivations.first().copied().unwrap_or(Derivation::Cl)
    }
}

/// A rewrite rule.
#[derive(Clone, PartialEq, Debug)]
pub struct Rule {
    /// The name.
    pub name: Box<str>,
    /// The typed pattern variables.
    pub params: Box<[VarId]>,
    /// The left-hand side.
    pub from: ExprId,
    /// The right-hand side, of the same type.
    pub to: ExprId,
    /// The location of the rule.
    pub span: Span,
}

/// A variable.
#[derive(Clone, PartialEq, Debug)]
pub struct Var {
    /// The source name.
    pub name: Symbol,
    /// The type.
    pub ty: TypeId,
    /// The location of the binding.
    pub span: Span,
    /// The lambda that `let` binds the variable to, if any. Such a variable is only called or passed where a lambda
    /// is expected, so it can be replaced by the lambda.
    pub lambda: Option<ExprId>,
}

/// An expression with its type.
#[derive(Clone, PartialEq, Debug)]
pub struct TypedExpr {
    /// The expression.
    pub kind: TypedKind,
    /// The type.
    pub ty: TypeId,
    /// The source location.
    pub span: Span,
}

/// The kinds of expressions. Evaluation is strict, from left to right, except for `If`.
#[derive(Clone, PartialEq, Debug)]
pub enum TypedKind {
    /// An error that has been reported; does not occur in a program without errors.
    Error,
    /// A 64-bit integer.
    Integer(i64),
    /// A float.
    Float(f64),
    /// A boolean.
    Bool(bool),
    /// A string.
    String(Box<str>),
    /// The value of a variable.
    Var(VarId),
    /// A call. One operand is the argument, any other number is a tuple of them.
    Call {
        /// The callee.
        callee: Callee,
        /// The operands as written; see [`TypedProgram::spreads`] for primitives.
        args: Box<[ExprId]>,
    },
    /// Bindings, followed by the value.
    Let {
        /// The bindings; later ones see earlier ones.
        bindings: Box<[LetBinding]>,
        /// The value.
        body: ExprId,
    },
    /// A conditional, which evaluates only one branch.
    If {
        /// The condition.
        condition: ExprId,
        /// The value if the condition is true.
        then: ExprId,
        /// The value if the condition is false.
        otherwise: ExprId,
    },
    /// An assertion, which stops the program if the condition is false.
    Assert {
        /// The condition.
        condition: ExprId,
        /// The value.
        body: ExprId,
    },
    /// A tuple.
    Tuple(Box<[ExprId]>),
    /// A lambda; only as an argument or as the value of a `let` binding.
    Lambda(Lambda),
    /// An arbitrary value of the expression's type.
    Dummy,
}

/// A binding of a `let`.
#[derive(Clone, PartialEq, Debug)]
pub struct LetBinding {
    /// The bound pattern.
    pub pattern: LetPattern,
    /// The bound value.
    pub value: ExprId,
}

/// The pattern of a `let` binding.
#[derive(Clone, PartialEq, Debug)]
pub enum LetPattern {
    /// Binds the value.
    Var(VarId),
    /// Destructures the value, a tuple with the same number of components.
    Unpack(Box<[VarId]>),
}

/// A lambda, which captures the variables in scope.
#[derive(Clone, PartialEq, Debug)]
pub struct Lambda {
    /// A single parameter is the argument; several are the components of the argument, a tuple.
    pub params: Box<[VarId]>,
    /// The argument type.
    pub arg: TypeId,
    /// The result type.
    pub result: TypeId,
    /// The body.
    pub body: ExprId,
}

/// A program with resolved names and types.
#[derive(Clone, Debug)]
pub struct TypedProgram {
    /// The source file.
    pub file: FileId,
    /// The interned identifiers.
    pub names: Names,
    /// The interned types.
    pub types: Types,
    /// The defined functions, in order.
    pub defs: Vec<Def>,
    /// The external functions, in order.
    pub edefs: Vec<Edef>,
    /// The derived functions; each follows the one it derives.
    pub gdefs: Vec<Gdef>,
    /// The rewrite rules, in order.
    pub rules: Vec<Rule>,
    pub(crate) exprs: Vec<TypedExpr>,
    pub(crate) vars: Vec<Var>,
    pub(crate) functions: FxHashMap<(FnName, TypeId), FnRef>,
    pub(crate) overloads: FxHashMap<FnName, Vec<FnRef>>,
}

impl TypedProgram {
    /// The expression with this id.
    pub fn expr(&self, id: ExprId) -> &TypedExpr {
        &self.exprs[id.0 as usize]
    }

    /// The number of expressions; every id is smaller.
    pub fn expr_count(&self) -> usize {
        self.exprs.len()
    }

    /// The type of an expression.
    pub fn ty(&self, id: ExprId) -> TypeId {
        self.expr(id).ty
    }

    /// The variable with this id.
    pub fn var(&self, id: VarId) -> &Var {
        &self.vars[id.0 as usize]
    }

    /// The number of variables; every id is smaller.
    pub fn var_count(&self) -> usize {
        self.vars.len()
    }

    /// The defined function with this id.
    pub fn def(&self, id: DefId) -> &Def {
        &self.defs[id.0 as usize]
    }

    /// The external function with this id.
    pub fn edef(&self, id: EdefId) -> &Edef {
        &self.edefs[id.0 as usize]
    }

    /// The derived function with this id.
    pub fn gdef(&self, id: GdefId) -> &Gdef {
        &self.gdefs[id.0 as usize]
    }

    /// The function with this name and argument type of the innermost function.
    pub fn function(&self, name: &FnName, base_arg: TypeId) -> Option<FnRef> {
        self.functions.get(&(name.clone(), base_arg)).copied()
    }

    /// The argument and result types of a function.
    pub fn signature(&self, function: FnRef) -> (TypeId, TypeId) {
        match function {
            FnRef::Def(id) => (self.def(id).arg, self.def(id).result),
            FnRef::Edef(id) => (self.edef(id).arg, self.edef(id).result),
            FnRef::Gdef(id) => (self.gdef(id).arg, self.gdef(id).result),
        }
    }

    /// The name of a function, and the argument type of the innermost function.
    pub fn identity(&self, function: FnRef) -> (&FnName, TypeId) {
        match function {
            FnRef::Def(id) => (&self.def(id).name, self.def(id).base_arg),
            FnRef::Edef(id) => (&self.edef(id).name, self.edef(id).base_arg),
            FnRef::Gdef(id) => (&self.gdef(id).name, self.gdef(id).base_arg),
        }
    }

    /// The location of a function's name (for a gdef, of its request).
    pub fn span(&self, function: FnRef) -> Span {
        match function {
            FnRef::Def(id) => self.def(id).name_span,
            FnRef::Edef(id) => self.edef(id).name_span,
            FnRef::Gdef(id) => self.gdef(id).span,
        }
    }

    /// The text of a function name without types: `f`, `[rev f]`.
    pub fn name_text(&self, name: &FnName) -> String {
        let mut text = self.names.text(name.base).to_owned();
        for derivation in name.derivations.iter().rev() {
            text = format!("[{} {text}]", derivation.text(&self.names));
        }
        text
    }

    /// The text of a function name with types: `[f Float]`, `[rev [f Float]]`.
    pub fn full_text(&self, name: &FnName, base_arg: TypeId) -> String {
        let mut text = format!("[{} {}]", self.names.text(name.base), self.types.text(base_arg));
        for derivation in name.derivations.iter().rev() {
            text = format!("[{} {text}]", derivation.text(&self.names));
        }
        text
    }

    /// Whether a call of a primitive with several arguments passes them as one tuple: `(index t)` for a pair `t`.
    /// Other functions take a single tuple in any case.
    pub fn spreads(&self, callee: Callee, args: &[ExprId]) -> bool {
        match (callee, args) {
            (Callee::Prim(prim), &[arg]) => {
                let parts = match self.types.get(self.ty(arg)) {
                    Type::Tuple(parts) => parts.len(),
                    _ => return false,
                };
                prim.arity().is_some_and(|arity| arity != 1 && arity == parts)
            }
            _ => false,
        }
    }
}
