//! Name resolution and type checking.
//!
//! The signatures of all functions are collected before bodies are checked, so functions may be used before their
//! definition. The rules:
//!
//! 1. A function has one argument: `(f x)` passes `x`, any other number of operands passes a tuple.
//! 2. A function is identified by its name and argument type; there are no implicit conversions.
//! 3. Functions of the program take precedence over the prelude; primitives cannot be redefined.
//! 4. `name@codes` denotes `name` unless it is defined itself.
//! 5. A lambda is an argument of a primitive or of an `edef`, or is bound by `let`.
//! 6. `d$f` denotes `[d f]`, without a request, unless it is defined itself.
//! 7. `[d f]` exists if a `def` or `edef` declares it or a `gdef` requests it; derivatives of the prelude, and gradients of
//!    functions whose result is a `Float`, always exist.

mod call;
mod derive;
mod expr;
mod folds;
mod linear;
mod prim;
mod signatures;
mod suffix;
mod tensors;

use crate::ast::{ExprId, FnNameKind, Ident, NameId, Param, Program, TypeExprId, TypeKind};
use crate::typed::{FnName, FnRef, TypedExpr, TypedKind, TypedProgram, Var, VarId};
use crate::types::{Type, TypeId, Types};
use minoan_diag::{Diagnostic, Diagnostics, Span};
use minoan_frontend::Symbol;
use minoan_frontend::{Reporter, with_stack};
use rustc_hash::{FxHashMap, FxHashSet};

/// Resolves the names and types of a program.
///
/// The typed program is complete even if there are errors, but it is free of [`TypedKind::Error`] and [`Type::Error`]
/// only if there are none.
pub fn check(program: &Program) -> (TypedProgram, Diagnostics) {
    let error =
        |id: u32| TypedExpr { kind: TypedKind::Error, ty: Types::ERROR, span: program.expr(ExprId(id)).span };
    let out = TypedProgram {
        file: program.file,
        names: program.names.clone(),
        types: Types::new(),
        defs: Vec::new(),
        edefs: Vec::new(),
        gdefs: Vec::new(),
        rules: Vec::new(),
        exprs: (0..program.expr_count() as u32).map(error).collect(),
        vars: Vec::new(),
        functions: FxHashMap::default(),
        overloads: FxHashMap::default(),
    };
    let mut checker = Checker {
        program,
        out,
        reporter: Reporter::default(),
        scope: FxHashMap::default(),
        shadowed: Vec::new(),
        broken: program.broken.iter().copied().collect(),
        underivable: FxHashSet::default(),
        implicit: FxHashSet::default(),
        in_rule: false,
    };
    checker.signatures();
    checker.bodies();
    (checker.out, checker.reporter.finish())
}

struct Checker<'a> {
    program: &'a Program,
    out: TypedProgram,
    reporter: Reporter,
    scope: FxHashMap<Symbol, VarId>,
    /// The bindings that each binding in scope shadows, innermost last.
    shadowed: Vec<(Symbol, Option<VarId>)>,
    /// The functions whose definitions have errors.
    broken: FxHashSet<Symbol>,
    /// Requested derivatives that could not be created.
    underivable: FxHashSet<FnName>,
    /// The derivatives that calls name as `rev$f`, which need no request.
    implicit: FxHashSet<FnName>,
    in_rule: bool,
}

/// A position in the scope stack, for leaving a scope.
#[derive(Clone, Copy)]
struct Mark(usize);

impl Checker<'_> {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.reporter.report(Diagnostic::error(message).at(span));
    }

    fn text(&self, ty: TypeId) -> String {
        self.out.types.text(ty)
    }

    fn span(&self, id: ExprId) -> Span {
        self.program.expr(id).span
    }

    fn mark(&self) -> Mark {
        Mark(self.shadowed.len())
    }

    fn leave(&mut self, mark: Mark) {
        for (name, previous) in self.shadowed.drain(mark.0..).rev() {
            match previous {
                Some(var) => self.scope.insert(name, var),
                None => self.scope.remove(&name),
            };
        }
    }

    fn bind(&mut self, ident: Ident, ty: TypeId, lambda: Option<ExprId>) -> VarId {
        let var = VarId(self.out.vars.len() as u32);
        self.out.vars.push(Var { name: ident.name, ty, span: ident.span, lambda });
        let previous = self.scope.insert(ident.name, var);
        self.shadowed.push((ident.name, previous));
        var
    }

    /// Adds parameters to the scope.
    fn bind_params(&mut self, params: &[Param]) -> (Box<[VarId]>, TypeId) {
        let mut types = Vec::with_capacity(params.len());
        let mut vars: Vec<VarId> = Vec::with_capacity(params.len());
        for (index, param) in params.iter().enumerate() {
            let ty = self.resolve_type(param.ty);
            let text = self.out.names.text(param.name.name);
            let earlier = params[..index].iter().find(|earlier| earlier.name.name == param.name.name);
            if let (Some(earlier), false) = (earlier, text.starts_with('_')) {
                let error = Diagnostic::error(format!("the parameter '{text}' occurs twice"));
                self.reporter.report(error.at(param.name.span).label(earlier.name.span, "first here"));
            }
            types.push(ty);
            vars.push(self.bind(param.name, ty, None));
        }
        (vars.into(), self.out.types.argument(&types))
    }

    fn resolve_type(&mut self, id: TypeExprId) -> TypeId {
        let node = self.program.type_expr(id);
        let ty = match &node.kind {
            TypeKind::Error => return Types::ERROR,
            TypeKind::Integer => return Types::INTEGER,
            TypeKind::Float => return Types::FLOAT,
            TypeKind::Bool => return Types::BOOL,
            TypeKind::String => return Types::STRING,
            TypeKind::Nothing => return Types::UNIT,
            TypeKind::Any if self.in_rule => return Types::ANY,
            TypeKind::Any => {
                self.error(node.span, "'Any' is a type in rules only");
                return Types::ERROR;
            }
            TypeKind::Vec(element) => Type::Tensor(1, self.resolve_inner(*element)),
            TypeKind::Tensor(rank, element) => Type::Tensor(*rank, self.resolve_inner(*element)),
            TypeKind::Tuple(parts) => {
                Type::Tuple(parts.iter().map(|&part| self.resolve_inner(part)).collect())
            }
            TypeKind::Lam(from, to) => Type::Lam(self.resolve_inner(*from), self.resolve_inner(*to)),
            TypeKind::LinearMap(from, to) => {
                Type::LinearMap(self.resolve_inner(*from), self.resolve_inner(*to))
            }
        };
        self.out.types.intern(ty)
    }

    fn resolve_inner(&mut self, id: TypeExprId) -> TypeId {
        with_stack(|| self.resolve_type(id))
    }

    /// Resolves a function name; also returns the argument type written in it.
    fn resolve_name(&mut self, mut id: NameId) -> (FnName, Option<TypeId>) {
        let mut derivations = Vec::new();
        loop {
            let (base, ty) = match self.program.fn_name(id).kind {
                FnNameKind::Plain(base) => (base, None),
                FnNameKind::Typed(base, ty) => (base, Some(self.resolve_type(ty))),
                FnNameKind::Derived(derivation, inner) => {
                    derivations.push(derivation);
                    id = inner;
                    continue;
                }
            };
            return (FnName { derivations: derivations.into(), base }, ty);
        }
    }

    /// Registers a function, which must not exist yet.
    fn register(&mut self, name: FnName, base_arg: TypeId, function: FnRef) {
        let previous = self.out.functions.insert((name.clone(), base_arg), function);
        let list = self.out.overloads.entry(name).or_default();
        match previous {
            Some(previous) => list.iter_mut().filter(|it| **it == previous).for_each(|it| *it = function),
            None => list.push(function),
        }
    }
}
