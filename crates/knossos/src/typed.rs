//! What the checker makes of a program: the same tree with every type, call and variable resolved.
//!
//! [`TypedProgram`] stands alone: nothing in it refers to the syntax tree. [`ExprId`]s are those of the
//! [`Program`](crate::ast::Program) that was checked, so places found there can be looked up here.

use crate::ast::{Derivation, ExprId};
use crate::prelude::PreludeFn;
use crate::prims::Prim;
use crate::types::{Type, TypeId, Types};
use minoan_diag::{FileId, Span};
use minoan_frontend::{Names, Symbol};
use rustc_hash::FxHashMap;

/// A function with a body.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct DefId(pub u32);

/// A function that is implemented elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EdefId(pub u32);

/// A function that differentiation makes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct GdefId(pub u32);

/// A variable: one binding, whatever its name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarId(pub u32);

/// A function that the program itself introduces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FnRef {
    /// By its body.
    Def(DefId),
    /// By its type alone.
    Edef(EdefId),
    /// As the derivative of another.
    Gdef(GdefId),
}

/// What a call calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Callee {
    /// A function with a body.
    User(DefId),
    /// A function that is implemented elsewhere.
    Edef(EdefId),
    /// A function that differentiation makes.
    Gdef(GdefId),
    /// A function of the prelude.
    Prelude(&'static PreludeFn),
    /// A primitive.
    Prim(Prim),
    /// A lambda that a `let` gave a name: see [`Var::lambda`].
    Lambda(VarId),
}

/// The identity of a function, but for its argument type: `f`, or `[rev f]`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FnName {
    /// The derivations, outermost first.
    pub derivations: Box<[Derivation]>,
    /// The function that is derived, or the name itself.
    pub base: Symbol,
}

/// A function with a body.
#[derive(Clone, PartialEq, Debug)]
pub struct Def {
    /// Its name.
    pub name: FnName,
    /// For a structured name, the argument type of the innermost function; else the same as `arg`.
    pub base_arg: TypeId,
    /// The type of its one argument.
    pub arg: TypeId,
    /// The type of its result.
    pub result: TypeId,
    /// One parameter is the argument; any other number are the components of the argument, a tuple.
    pub params: Box<[VarId]>,
    /// What it computes.
    pub body: ExprId,
    /// Whether the result is the empty tuple whatever the body gives: the result type was written `()`.
    pub discards: bool,
    /// Where it is written.
    pub span: Span,
    /// Where its name is written.
    pub name_span: Span,
}

/// A function that is implemented elsewhere.
#[derive(Clone, PartialEq, Debug)]
pub struct Edef {
    /// Its name.
    pub name: FnName,
    /// For a structured name, the argument type of the innermost function; else the same as `arg`.
    pub base_arg: TypeId,
    /// The type of its one argument.
    pub arg: TypeId,
    /// The type of its result.
    pub result: TypeId,
    /// The definition of the same function in this program: calls go there.
    pub definition: Option<DefId>,
    /// The prelude function that it declares once more: calls go there.
    pub prelude: Option<&'static PreludeFn>,
    /// Where it is written.
    pub span: Span,
    /// Where its name is written.
    pub name_span: Span,
}

/// A function that differentiation makes.
#[derive(Clone, PartialEq, Debug)]
pub struct Gdef {
    /// Its name; the outermost derivation is what is to be done to `of`.
    pub name: FnName,
    /// The argument type of the innermost function.
    pub base_arg: TypeId,
    /// What is derived: a user, edef, gdef or prelude function.
    pub of: Callee,
    /// The type of its one argument.
    pub arg: TypeId,
    /// The type of its result.
    pub result: TypeId,
    /// Where it was asked for: a `gdef` form, or, for derivatives of the prelude, the first call.
    pub span: Span,
}

impl Gdef {
    /// What is done to [`Gdef::of`].
    pub fn derivation(&self) -> Derivation {
        self.name.derivations.first().copied().unwrap_or(Derivation::Cl)
    }
}

/// A rewrite rule.
#[derive(Clone, PartialEq, Debug)]
pub struct Rule {
    /// What it is called.
    pub name: Box<str>,
    /// The typed holes.
    pub params: Box<[VarId]>,
    /// What is replaced.
    pub from: ExprId,
    /// By what, of the same type.
    pub to: ExprId,
    /// Where it is written.
    pub span: Span,
}

/// A variable.
#[derive(Clone, PartialEq, Debug)]
pub struct Var {
    /// Its name, for people.
    pub name: Symbol,
    /// Its type.
    pub ty: TypeId,
    /// Where it is bound.
    pub span: Span,
    /// For a variable that `let` binds to a lambda, that lambda. Such variables are only called or passed
    /// where a lambda is expected, so the lambda can take their place.
    pub lambda: Option<ExprId>,
}

/// An expression with its type.
#[derive(Clone, PartialEq, Debug)]
pub struct TypedExpr {
    /// What it is.
    pub kind: TypedKind,
    /// Its type.
    pub ty: TypeId,
    /// Where it is written.
    pub span: Span,
}

/// What an expression is. All are evaluated strictly, from left to right, but for `If`.
#[derive(Clone, PartialEq, Debug)]
pub enum TypedKind {
    /// Was reported; does not occur in a program without errors.
    Error,
    /// A 64-bit integer.
    Integer(i64),
    /// A float.
    Float(f64),
    /// A truth value.
    Bool(bool),
    /// Text.
    String(Box<str>),
    /// The value of a variable.
    Var(VarId),
    /// A call. One argument stands for itself, any other number for a tuple of them.
    Call {
        /// What is called.
        callee: Callee,
        /// The arguments as written; see [`TypedProgram::spreads`] for primitives.
        args: Box<[ExprId]>,
    },
    /// Bindings in order, then the value.
    Let {
        /// Later ones see earlier ones.
        bindings: Box<[LetBinding]>,
        /// The value.
        body: ExprId,
    },
    /// Only one branch is evaluated.
    If {
        /// A truth value.
        condition: ExprId,
        /// When true.
        then: ExprId,
        /// When false.
        otherwise: ExprId,
    },
    /// Stops the program when the condition is false.
    Assert {
        /// A truth value.
        condition: ExprId,
        /// The value.
        body: ExprId,
    },
    /// A tuple.
    Tuple(Box<[ExprId]>),
    /// A function value; only as an argument, or as the value of a `let` binding.
    Lambda(Lambda),
    /// Some value of the type of the expression.
    Dummy,
}

/// One binding of a `let`.
#[derive(Clone, PartialEq, Debug)]
pub struct LetBinding {
    /// What is bound.
    pub pattern: LetPattern,
    /// To what.
    pub value: ExprId,
}

/// What one binding of a `let` binds.
#[derive(Clone, PartialEq, Debug)]
pub enum LetPattern {
    /// The value.
    Var(VarId),
    /// The components of the value, a tuple of as many.
    Unpack(Box<[VarId]>),
}

/// A function value. It sees the variables around it.
#[derive(Clone, PartialEq, Debug)]
pub struct Lambda {
    /// One parameter is the argument; more are the components of the argument, a tuple.
    pub params: Box<[VarId]>,
    /// The type of its one argument.
    pub arg: TypeId,
    /// The type of its result.
    pub result: TypeId,
    /// What it computes.
    pub body: ExprId,
}

/// A program whose names and types are resolved.
#[derive(Clone, Debug)]
pub struct TypedProgram {
    /// The file.
    pub file: FileId,
    /// The spellings of its identifiers.
    pub names: Names,
    /// Its types.
    pub types: Types,
    /// Functions with a body, in order.
    pub defs: Vec<Def>,
    /// Functions that are implemented elsewhere, in order.
    pub edefs: Vec<Edef>,
    /// Functions that differentiation makes; each comes after the one it derives.
    pub gdefs: Vec<Gdef>,
    /// Rewrite rules, in order.
    pub rules: Vec<Rule>,
    pub(crate) exprs: Vec<TypedExpr>,
    pub(crate) vars: Vec<Var>,
    pub(crate) functions: FxHashMap<(FnName, TypeId), FnRef>,
    pub(crate) overloads: FxHashMap<FnName, Vec<FnRef>>,
}

impl TypedProgram {
    /// An expression.
    pub fn expr(&self, id: ExprId) -> &TypedExpr {
        &self.exprs[id.0 as usize]
    }

    /// How many expressions there are: ids are below.
    pub fn expr_count(&self) -> usize {
        self.exprs.len()
    }

    /// The type of an expression.
    pub fn ty(&self, id: ExprId) -> TypeId {
        self.expr(id).ty
    }

    /// A variable.
    pub fn var(&self, id: VarId) -> &Var {
        &self.vars[id.0 as usize]
    }

    /// How many variables there are: ids are below.
    pub fn var_count(&self) -> usize {
        self.vars.len()
    }

    /// A function with a body.
    pub fn def(&self, id: DefId) -> &Def {
        &self.defs[id.0 as usize]
    }

    /// A function that is implemented elsewhere.
    pub fn edef(&self, id: EdefId) -> &Edef {
        &self.edefs[id.0 as usize]
    }

    /// A function that differentiation makes.
    pub fn gdef(&self, id: GdefId) -> &Gdef {
        &self.gdefs[id.0 as usize]
    }

    /// The function of that name for that argument type of the innermost function.
    pub fn function(&self, name: &FnName, base_arg: TypeId) -> Option<FnRef> {
        self.functions.get(&(name.clone(), base_arg)).copied()
    }

    /// Argument and result type of a function.
    pub fn signature(&self, function: FnRef) -> (TypeId, TypeId) {
        match function {
            FnRef::Def(id) => (self.def(id).arg, self.def(id).result),
            FnRef::Edef(id) => (self.edef(id).arg, self.edef(id).result),
            FnRef::Gdef(id) => (self.gdef(id).arg, self.gdef(id).result),
        }
    }

    /// Name of a function, and the argument type of the innermost one.
    pub fn identity(&self, function: FnRef) -> (&FnName, TypeId) {
        match function {
            FnRef::Def(id) => (&self.def(id).name, self.def(id).base_arg),
            FnRef::Edef(id) => (&self.edef(id).name, self.edef(id).base_arg),
            FnRef::Gdef(id) => (&self.gdef(id).name, self.gdef(id).base_arg),
        }
    }

    /// Where a function is named (for a gdef, where it was asked for).
    pub fn span(&self, function: FnRef) -> Span {
        match function {
            FnRef::Def(id) => self.def(id).name_span,
            FnRef::Edef(id) => self.edef(id).name_span,
            FnRef::Gdef(id) => self.gdef(id).span,
        }
    }

    /// How a function name is written without types: `f`, `[rev f]`.
    pub fn name_text(&self, name: &FnName) -> String {
        let mut text = self.names.text(name.base).to_owned();
        for derivation in name.derivations.iter().rev() {
            text = format!("[{} {text}]", derivation.text(&self.names));
        }
        text
    }

    /// How a function name is written in full: `[f Float]`, `[rev [f Float]]`.
    pub fn full_text(&self, name: &FnName, base_arg: TypeId) -> String {
        let mut text = format!("[{} {}]", self.names.text(name.base), self.types.text(base_arg));
        for derivation in name.derivations.iter().rev() {
            text = format!("[{} {text}]", derivation.text(&self.names));
        }
        text
    }

    /// Whether a call of a primitive that takes several arguments gives them as one tuple: `(index t)` for a
    /// pair `t`. Calls of other functions need no such question: their one argument is a tuple anyway.
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
