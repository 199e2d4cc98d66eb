//! Captures of local functions.

use super::{Emitter, Function};
use crate::ast::{BinderId, Binding, ExprId, ExprKind, FnId, PatternId, PatternKind};
use crate::typed::Target;
use crate::types::TypeId;
use minoan_diag::Span;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// A value that a local function captures.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Capture {
    Var(BinderId),
    /// A graph variable, by its expression.
    Graph(ExprId),
}

impl Emitter<'_> {
    /// The captures of a local function, in order of first use.
    pub(super) fn captures_of(&mut self, function: Function) -> Arc<[Capture]> {
        if let Some(known) = self.captures.get(&function) {
            return known.clone();
        }
        let id = self.fn_of(function);
        let mut walk = Walk {
            emitter: self,
            bound: FxHashSet::default(),
            graphs: FxHashSet::default(),
            entered: FxHashSet::default(),
            used: Vec::new(),
            pending: Vec::new(),
        };
        match (function, id) {
            (Function::Local(binder), _) => walk.enter(binder),
            (Function::Lambda(_), Some(id)) => walk.function(id),
            _ => {}
        }
        while let Some(id) = walk.pending.pop() {
            walk.expr(id);
        }
        let Walk { bound, graphs, used, .. } = walk;
        let free = |capture: &Capture| match capture {
            Capture::Var(binder) => !bound.contains(binder),
            Capture::Graph(value) => !graphs.contains(value),
        };
        let mut captures: Vec<Capture> = Vec::new();
        for capture in used.into_iter().filter(free) {
            if !captures.contains(&capture) {
                captures.push(capture);
            }
        }
        let captures: Arc<[Capture]> = captures.into();
        self.captures.insert(function, captures.clone());
        captures
    }

    /// The type of a captured value, and the location of its binding.
    pub(super) fn capture_type(&self, capture: Capture) -> (TypeId, Span) {
        match capture {
            Capture::Var(binder) => {
                (self.program.binder_ty(binder), self.program.module.binder(binder).name.span)
            }
            Capture::Graph(value) => (self.program.ty(value), self.program.module.expr(value).span),
        }
    }
}

/// Collects the variables that functions bind and use, including those of the local functions that they call.
struct Walk<'e, 'a> {
    emitter: &'e Emitter<'a>,
    bound: FxHashSet<BinderId>,
    graphs: FxHashSet<ExprId>,
    entered: FxHashSet<BinderId>,
    used: Vec<Capture>,
    pending: Vec<ExprId>,
}

impl Walk<'_, '_> {
    fn enter(&mut self, binder: BinderId) {
        if self.entered.insert(binder)
            && let Some(&function) = self.emitter.locals.get(&binder)
        {
            self.function(function);
        }
    }

    fn function(&mut self, id: FnId) {
        let node = self.emitter.program.module.function(id);
        self.bound.extend(node.params.iter().copied());
        self.pending.push(node.body);
    }

    fn pattern(&mut self, id: PatternId) {
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            match &self.emitter.program.module.pattern(id).kind {
                PatternKind::Wildcard => {}
                PatternKind::Var(binder) => _ = self.bound.insert(*binder),
                PatternKind::Ctor(_, parts) | PatternKind::Tuple(parts) => {
                    pending.extend(parts.iter().copied())
                }
            }
        }
    }

    fn expr(&mut self, id: ExprId) {
        let program = self.emitter.program;
        let module = &program.module;
        match (module.expr(id).kind, program.target(id)) {
            (ExprKind::Local(_), Target::Var(binder)) => {
                // A local function is not a value, but its captures are.
                if self.emitter.locals.contains_key(&binder) {
                    self.enter(binder);
                } else if let Some(&named) = self.emitter.names.get(&binder) {
                    self.pending.push(named);
                } else {
                    self.used.push(Capture::Var(binder));
                }
            }
            (ExprKind::Graph(_), Target::Graph(value)) => self.used.push(Capture::Graph(value)),
            (ExprKind::Fn(function), _) => self.function(function),
            (ExprKind::Block(block), _) => {
                let block = *module.block(block);
                self.pending.push(block.body);
                for binding in module.bindings(block.bindings).iter().rev() {
                    match *binding {
                        Binding::Free(binder) => _ = self.bound.insert(binder),
                        Binding::Let(binder, value) => {
                            self.bound.insert(binder);
                            self.pending.push(value);
                        }
                        Binding::Graph { value, .. } => {
                            self.graphs.insert(value);
                            self.pending.push(value);
                        }
                    }
                }
            }
            (ExprKind::Match(node), _) => {
                let node = module.match_node(node);
                for clause in node.clauses.iter().rev() {
                    self.pattern(clause.pattern);
                    self.pending.push(clause.body);
                }
                self.pending.push(node.value);
            }
            (kind, _) => self.pending.extend(module.parts(kind).into_iter().rev()),
        }
    }
}
