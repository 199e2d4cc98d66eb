//! Name resolution and type inference.
//!
//! Types are inferred by unification; operator types are relations, which are solved as soon as their arguments are
//! sufficiently known. The rules:
//!
//! 1. A local variable is in scope after its binding and, if the value is a function, also in the value. A graph
//!    variable is in scope in the rest of its function. Inner bindings shadow outer ones.
//! 2. Global functions may refer to each other. Functions without annotations are inferred callees first, mutually
//!    recursive ones together.
//! 3. A function bound by `let` or `def` is generalized over the open parts of its type, subject to the relations
//!    that depend on them.
//! 4. The type of a number without a suffix is inferred from its uses.
//! 5. There is no subtyping, but `?` unifies with every dimension, with the result `?`.

mod annotate;
mod call;
mod data;
mod exhaustive;
mod expr;
mod finish;
mod function;
mod generalize;
mod globals;
mod matches;
mod mismatch;
mod operator;
mod solve;
mod unify;

use crate::ast::{BinderId, ExprId, MatchId, Module};
use crate::typed::{Def, DefId, Target, TypedProgram};
use crate::types::{HoleId, Number, TyVarId, Type, TypeId, Types};
use minoan_diag::{Diagnostic, Diagnostics, Span};
use minoan_frontend::Reporter;
use minoan_frontend::Symbol;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::Arc;

/// Resolves the names and types of a module.
///
/// The typed program is complete even if there are errors, but it is free of [`Type::Error`](crate::Type::Error) and
/// [`Type::Hole`](crate::Type::Hole) only if there are none.
pub fn check(module: impl Into<Arc<Module>>) -> (TypedProgram, Diagnostics) {
    let module = module.into();
    let out = TypedProgram {
        types: Types::new(),
        defs: Vec::new(),
        def_of: FxHashMap::default(),
        expr_types: vec![Types::ERROR; module.expr_count()],
        binder_types: vec![Types::ERROR; module.binder_count()],
        targets: vec![Target::None; module.expr_count()],
        instances: FxHashMap::default(),
        fn_types: FxHashMap::default(),
        attrs_of: FxHashMap::default(),
        op_attrs: Vec::new(),
        ctor_types: vec![Types::ERROR; module.ctor_count()],
        data_vars: vec![Box::default(); module.data_count()],
        pattern_ctors: FxHashMap::default(),
        module: module.clone(),
    };
    let mut checker = Checker {
        module: &module,
        out,
        reporter: Reporter::default(),
        holes: Vec::new(),
        pending: Vec::new(),
        queue: VecDeque::new(),
        memo: solve::Memo::default(),
        level: 0,
        literals: Vec::new(),
        literal_exprs: Vec::new(),
        scope: vec![None; module.names.len()],
        hidden: Vec::new(),
        graphs: Vec::new(),
        words: vec![None; module.names.len()],
        default_attrs: FxHashMap::default(),
        data_of: FxHashMap::default(),
        ctor_of: FxHashMap::default(),
        type_scope: Vec::new(),
        bases: FxHashMap::default(),
        implicit: None,
        recursive: Vec::new(),
        open_lets: Vec::new(),
        progress: Vec::new(),
        matches: Vec::new(),
        symbolic: FxHashMap::default(),
    };
    // The definitions of the prelude only see each other; those of the file may shadow them.
    let (prelude, own) = module.items.split_at(module.prelude_items);
    for (items, is_prelude) in [(prelude, true), (own, false)] {
        checker.words.fill(None);
        checker.data_types(items);
        checker.globals(items, is_prelude);
    }
    checker.finish();
    (checker.out, checker.reporter.finish())
}

/// A use of a function in its own body, during its inference.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Recursive {
    Local(BinderId),
    Global(DefId),
}

struct Checker<'a> {
    module: &'a Module,
    out: TypedProgram,
    reporter: Reporter,
    holes: Vec<unify::Hole>,
    pending: Vec<solve::Pending>,
    /// The worklist of constraints.
    queue: VecDeque<u32>,
    memo: solve::Memo,
    /// The number of enclosing functions to be generalized.
    level: u32,
    /// The element types of literals without a suffix.
    literals: Vec<HoleId>,
    /// The literals, whose values are checked against their types at the end.
    literal_exprs: Vec<ExprId>,
    /// The variable that each name refers to.
    scope: Vec<Option<BinderId>>,
    /// The bindings that each binding in scope shadows, innermost last.
    hidden: Vec<(Symbol, Option<BinderId>)>,
    graphs: Vec<function::Graphs>,
    /// The resolved words.
    words: Vec<Option<Target>>,
    /// The attributes of calls without explicit ones, by operator name.
    default_attrs: FxHashMap<&'static str, u32>,
    data_of: FxHashMap<Symbol, crate::ast::DataId>,
    ctor_of: FxHashMap<Symbol, crate::ast::CtorId>,
    /// Type parameters, innermost last.
    type_scope: Vec<(Symbol, TyVarId)>,
    /// Element types by name.
    bases: FxHashMap<Symbol, TypeId>,
    /// While annotations of a function are resolved: its undeclared type parameters.
    implicit: Option<Vec<TyVarId>>,
    /// Uses of functions in their own bodies, during their inference.
    recursive: Vec<(ExprId, Recursive)>,
    /// Variables whose functions are being inferred.
    open_lets: Vec<BinderId>,
    /// The inference state of the global functions.
    progress: Vec<globals::Progress>,
    /// The matches and their expressions.
    matches: Vec<(MatchId, ExprId)>,
    /// The dimensions of the metadata section.
    symbolic: FxHashMap<u32, TyVarId>,
}

/// A position in the scope stack, for leaving a scope.
#[derive(Clone, Copy)]
struct Mark(usize);

impl Checker<'_> {
    fn types(&mut self) -> &mut Types {
        &mut self.out.types
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.reporter.report(Diagnostic::error(message).at(span));
    }

    fn text(&mut self, ty: TypeId) -> String {
        let ty = self.zonk(ty);
        // The element type of a literal that is not known yet.
        let holes = &self.holes;
        let ty = self.out.types.replace(ty, &mut |types: &mut Types, id| match types.get(id) {
            Type::Hole(hole) => {
                let number = holes[hole.0 as usize].number?;
                let name = if number == Number::Float { "{float}" } else { "{integer}" };
                Some(types.intern(Type::OtherBase(name.into())))
            }
            _ => None,
        });
        self.out.types.text(ty)
    }

    fn span(&self, id: ExprId) -> Span {
        self.module.expr(id).span
    }

    fn mark(&self) -> Mark {
        Mark(self.hidden.len())
    }

    fn leave(&mut self, mark: Mark) {
        for (name, previous) in self.hidden.drain(mark.0..).rev() {
            self.scope[name.0 as usize] = previous;
        }
    }

    /// Adds a variable to the scope.
    fn bind_name(&mut self, binder: BinderId, ty: TypeId) {
        self.out.binder_types[binder.index()] = ty;
        let name = self.module.binder(binder).name.name;
        let previous = self.scope[name.0 as usize].replace(binder);
        self.hidden.push((name, previous));
    }

    fn add_def(&mut self, def: Def) -> DefId {
        let id = DefId(self.out.defs.len() as u32);
        self.out.def_of.insert(def.name.clone(), id);
        self.out.defs.push(def);
        id
    }
}
