//! Type inference of functions: annotations and bodies.

use super::{Checker, Recursive};
use crate::ast::{ExprId, ExprKind, FnId, Ident};
use crate::types::{Constraint, Scheme, TyVarId, Type, TypeId};
use minoan_diag::{Diagnostic, Span, nearest};
use minoan_frontend::Symbol;
use minoan_relay_dialect::operators;
use rustc_hash::FxHashMap;

/// The graph variables of a function.
#[derive(Default)]
pub(super) struct Graphs {
    entries: FxHashMap<u32, Graph>,
    /// The variables of the open blocks, in order.
    open: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Graph {
    value: ExprId,
    span: Span,
    /// Whether the block of the binding has been left.
    closed: bool,
}

impl Graphs {
    /// A position in the list of open bindings.
    pub(super) fn mark(&self) -> usize {
        self.open.len()
    }

    /// Leaves a block.
    pub(super) fn leave(&mut self, mark: usize) {
        for index in self.open.drain(mark..) {
            if let Some(graph) = self.entries.get_mut(&index) {
                graph.closed = true;
            }
        }
    }

    /// Adds a binding; returns a conflicting earlier binding of the same number.
    pub(super) fn bind(&mut self, index: u32, span: Span, value: ExprId) -> Option<Span> {
        let earlier = self.entries.insert(index, Graph { value, span, closed: false });
        self.open.push(index);
        earlier.filter(|earlier| !earlier.closed).map(|earlier| earlier.span)
    }

    /// The value bound to a number.
    pub(super) fn find(&self, index: u32) -> Option<ExprId> {
        self.entries.get(&index).map(|graph| graph.value)
    }
}

/// A function whose annotations have been resolved.
pub(super) struct Opened {
    /// The type parameters: the declared ones, then those mentioned without declaration.
    pub(super) vars: Vec<TyVarId>,
    /// The number of declared type parameters.
    pub(super) declared: usize,
    /// The names of the type parameters.
    scope: Vec<(Symbol, TyVarId)>,
    pub(super) params: Box<[TypeId]>,
    pub(super) result: TypeId,
    /// The type of the function, with its own parameters.
    pub(super) ty: TypeId,
}

/// The numbers of constraints and literals when the function was opened.
#[derive(Clone, Copy)]
pub(super) struct Since {
    pub(super) pending: usize,
    pub(super) literals: usize,
}

impl Checker<'_> {
    pub(super) fn since(&self) -> Since {
        Since { pending: self.pending.len(), literals: self.literals.len() }
    }

    /// Resolves the annotations of a function.
    pub(super) fn open_function(&mut self, id: FnId) -> Opened {
        let module = self.module;
        let node = module.function(id);
        let mark = self.type_scope.len();
        let mut vars = self.declare(&node.type_params);
        let declared = vars.len();
        let outer = self.implicit.replace(Vec::new());
        let params: Box<[TypeId]> =
            node.params.iter().map(|&param| self.annotation(module.binder(param).ty)).collect();
        let result = self.annotation(node.result);
        vars.extend(std::mem::replace(&mut self.implicit, outer).unwrap_or_default());
        let scope = self.type_scope.drain(mark..).collect();
        let ty = self.types().intern(Type::Fn(params.clone(), result));
        Opened { vars, declared, scope, params, result, ty }
    }

    /// Infers the body of a function.
    pub(super) fn function_body(&mut self, id: FnId, opened: &Opened) {
        let module = self.module;
        let node = module.function(id);
        let type_mark = self.type_scope.len();
        self.type_scope.extend(opened.scope.iter().copied());
        let mark = self.mark();
        self.graphs.push(Graphs::default());
        for (index, (&param, &ty)) in node.params.iter().zip(&opened.params).enumerate() {
            let name = module.binder(param).name;
            let same = |it: &&crate::ast::BinderId| module.binder(**it).name.name == name.name;
            if let Some(&first) = node.params[..index].iter().find(same) {
                let text = module.text(name.name);
                let first = module.binder(first).name.span;
                self.duplicate(format!("the parameter '%{text}' occurs twice"), name.span, first);
            }
            self.bind_name(param, ty);
        }
        for &relation in &node.relations {
            self.where_relation(relation, opened, node.body);
        }
        let body = self.infer(node.body);
        let last = self.last_of(node.body);
        let origin = node.result.map(|ty| (module.type_expr(ty).span, "the type of the result"));
        self.expect(last, opened.result, body, "the result of the function", origin);
        self.graphs.pop();
        self.leave(mark);
        self.type_scope.truncate(type_mark);
    }

    /// The expression that yields the value of a block.
    pub(super) fn last_of(&self, mut id: ExprId) -> ExprId {
        while let ExprKind::Block(block) = self.module.expr(id).kind {
            id = self.module.block(block).body;
        }
        id
    }

    /// `where Broadcast`: applies the relation to the parameters and the result.
    fn where_relation(&mut self, name: Ident, opened: &Opened, body: ExprId) {
        let text = self.module.text(name.name);
        let named = || operators::all().filter(|op| format!("{:?}", op.relation) == text);
        let count = opened.params.len();
        let Some(op) = named().find(|op| op.args.len() == count) else {
            let error = if let Some(op) = named().next() {
                let message = format!("the relation '{text}' is one of {} parameters", op.args.len());
                Diagnostic::error(format!("{message}, and the function has {count}"))
            } else {
                let known: Vec<String> = operators::all().map(|op| format!("{:?}", op.relation)).collect();
                Diagnostic::error(format!("unknown type relation '{text}'"))
                    .did_you_mean(nearest(text, known.iter().map(String::as_str)))
            };
            return self.reporter.report(error.at(name.span));
        };
        let Some(attrs) = self.default_attrs(op, name.span) else { return };
        let constraint = Constraint {
            op: Some(op),
            attrs,
            index: 0,
            args: opened.params.clone(),
            result: opened.result,
            expr: body,
            from: body,
        };
        self.suspend(constraint);
    }

    /// A function that is not bound to a name. It has one use, so its type parameters have one instance.
    pub(super) fn fn_literal(&mut self, expr: ExprId, id: FnId) -> TypeId {
        let since = self.since();
        self.level += 1;
        let opened = self.open_function(id);
        self.function_body(id, &opened);
        self.level -= 1;
        if opened.vars.is_empty() {
            return opened.ty;
        }
        let (found, constraints) = self.generalize(&[], &opened.vars, since);
        let mut vars = opened.vars;
        vars.extend(found);
        let ty = self.poly(vars, opened.declared, constraints, opened.ty);
        self.out.fn_types.insert(expr, ty);
        self.use_of(expr, ty, None)
    }

    /// A function bound by `let`: it is in scope in its own body, and generalized.
    pub(super) fn let_function(&mut self, binder: crate::ast::BinderId, id: FnId, value: ExprId) -> TypeId {
        let annotation = self.module.binder(binder).ty;
        let since = self.since();
        let outer = self.recursive.len();
        self.level += 1;
        let opened = self.open_function(id);
        let monomorphic = match annotation {
            Some(ty) => {
                let written = self.written(ty);
                let origin = Some((self.module.type_expr(ty).span, "the type of the variable"));
                self.expect(value, written, opened.ty, "", origin)
            }
            None => opened.ty,
        };
        let mark = self.mark();
        self.bind_name(binder, monomorphic);
        self.open_lets.push(binder);
        self.function_body(id, &opened);
        self.open_lets.pop();
        self.leave(mark);
        self.level -= 1;
        let (found, constraints) = self.generalize(&[opened.ty], &opened.vars, since);
        let mut vars = opened.vars;
        vars.extend(found);
        let own = Recursive::Local(binder);
        self.close_recursive(outer, |of| if of == own { vars.clone() } else { Vec::new() });
        self.poly(vars, opened.declared, constraints, opened.ty)
    }

    /// The type of a function with these type parameters.
    pub(super) fn poly(
        &mut self,
        vars: Vec<TyVarId>,
        declared: usize,
        constraints: Vec<Constraint>,
        ty: TypeId,
    ) -> TypeId {
        let ty = self.zonk(ty);
        if vars.is_empty() {
            return ty;
        }
        let scheme = Scheme { vars: vars.into(), declared, constraints: constraints.into(), ty };
        let scheme = self.types().add_scheme(scheme);
        self.types().intern(Type::Poly(scheme))
    }

    /// Resolves the recursive uses of functions: in their own bodies, type parameters are instantiated with
    /// themselves.
    pub(super) fn close_recursive(&mut self, from: usize, vars: impl Fn(Recursive) -> Vec<TyVarId>) {
        for index in from..self.recursive.len() {
            let (expr, of) = self.recursive[index];
            let vars = vars(of);
            if !vars.is_empty() {
                let types = vars.into_iter().map(|var| self.types().intern(Type::Var(var))).collect();
                self.out.instances.insert(expr, types);
            }
        }
    }

    /// The type of a polymorphic function at a use; records the instantiation of its type parameters.
    pub(super) fn use_of(&mut self, expr: ExprId, ty: TypeId, given: Option<&[TypeId]>) -> TypeId {
        let Type::Poly(scheme) = *self.out.types.get(ty) else { return ty };
        let (ty, types) = self.instantiate_at(scheme, given, Some(expr));
        self.out.instances.insert(expr, types);
        ty
    }
}
