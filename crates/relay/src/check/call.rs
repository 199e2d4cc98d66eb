//! Type inference of calls.

use super::Checker;
use crate::ast::{CallExtra, ExprId, ExprKind, ExtraId, Ident, Run};
use crate::typed::Target;
use crate::types::{Type, TypeId, Types};
use minoan_diag::{Diagnostic, Span};

impl Checker<'_> {
    pub(super) fn call(
        &mut self,
        id: ExprId,
        callee: ExprId,
        args: Run<ExprId>,
        extra: Option<ExtraId>,
    ) -> TypeId {
        let module = self.module;
        let extra = extra.map(|extra| module.extra(extra));
        let args = module.list(args);
        if let ExprKind::Name(name) = module.expr(callee).kind
            && let Target::Op(op) = self.word(name)
        {
            self.out.targets[callee.index()] = Target::Op(op);
            self.no_type_args(callee, extra);
            let types: Box<[TypeId]> = args.iter().map(|&arg| self.infer(arg)).collect();
            return self.relate(id, op, extra.map(|extra| &extra.attrs), types);
        }
        let ty = self.callee(callee, extra);
        self.out.expr_types[callee.index()] = ty;
        let root = self.find(ty);
        match self.out.types.get(root).clone() {
            Type::Fn(params, result) => self.arguments_of(id, callee, args, &params, result),
            Type::Hole(_) => {
                let types: Box<[TypeId]> = args.iter().map(|&arg| self.infer(arg)).collect();
                let result = self.fresh();
                let wanted = self.types().intern(Type::Fn(types, result));
                self.expect(callee, wanted, root, "", None);
                result
            }
            // A constructor without fields may be called.
            _ if args.is_empty() && matches!(self.out.targets[callee.index()], Target::Ctor(_)) => root,
            other => {
                args.iter().for_each(|&arg| {
                    self.infer(arg);
                });
                if other != Type::Error {
                    let message = format!("expected a function, found '{}'", self.text(root));
                    let error = Diagnostic::error(message).at(self.span(callee));
                    let error = self.explain(error, callee);
                    self.reporter.report(error);
                }
                Types::ERROR
            }
        }
    }

    fn no_type_args(&mut self, callee: ExprId, extra: Option<&CallExtra>) {
        if extra.is_some_and(|extra| !extra.type_args.is_empty()) {
            self.error(self.span(callee), "an operator has no type parameters");
        }
    }

    /// The type of the callee, instantiated with the type arguments of the call.
    fn callee(&mut self, callee: ExprId, extra: Option<&CallExtra>) -> TypeId {
        let written = extra.map_or(&[][..], |extra| &extra.type_args);
        if written.is_empty() {
            let ty = self.infer(callee);
            return self.use_of(callee, ty, None);
        }
        let given: Vec<TypeId> = written.iter().map(|&ty| self.written(ty)).collect();
        let ty = match self.module.expr(callee).kind {
            ExprKind::Global(name) => {
                let name = Ident { name, span: self.span(callee) };
                match self.global(name) {
                    Some(def) => self.out.def(def).ty,
                    None => return Types::ERROR,
                }
            }
            ExprKind::Name(name) => match self.word(name) {
                Target::Ctor(ctor) => self.out.ctor_types[ctor.index()],
                _ => Types::ERROR,
            },
            ExprKind::Local(name) => match self.scope[name.0 as usize] {
                Some(binder) => self.out.binder_types[binder.index()],
                None => Types::ERROR,
            },
            _ => self.infer(callee),
        };
        let declared = match self.out.types.get(ty) {
            Type::Poly(scheme) => self.out.types.scheme(*scheme).declared,
            Type::Error => return self.infer(callee),
            _ => 0,
        };
        if given.len() != declared {
            let plural = if declared == 1 { "" } else { "s" };
            let span = written.iter().map(|&ty| self.module.type_expr(ty).span).reduce(Span::to);
            let message =
                format!("the function has {declared} type parameter{plural}, but is given {}", given.len());
            self.error(span.unwrap_or(self.span(callee)), message);
            return Types::ERROR;
        }
        match self.module.expr(callee).kind {
            ExprKind::Global(name) => {
                let span = self.span(callee);
                self.global_use(callee, Ident { name, span }, Some(&given))
            }
            ExprKind::Name(name) => self.word_value(callee, name, Some(&given)),
            ExprKind::Local(name) => match self.scope[name.0 as usize] {
                Some(binder) => {
                    self.out.targets[callee.index()] = Target::Var(binder);
                    self.use_binder(callee, binder, Some(&given))
                }
                None => Types::ERROR,
            },
            _ => self.use_of(callee, ty, Some(&given)),
        }
    }

    /// Checks the arguments of a call; returns its type.
    fn arguments_of(
        &mut self,
        id: ExprId,
        callee: ExprId,
        args: &[ExprId],
        params: &[TypeId],
        result: TypeId,
    ) -> TypeId {
        let name = self.callee_text(callee);
        if args.len() != params.len() {
            args.iter().for_each(|&arg| {
                self.infer(arg);
            });
            let plural = if params.len() == 1 { "" } else { "s" };
            let message =
                format!("{name} takes {} argument{plural}, but is given {}", params.len(), args.len());
            let error = Diagnostic::error(message).at(self.span(id));
            let error = match self.declaration(callee) {
                Some(span) => error.label(span, "declared here"),
                None => error,
            };
            self.reporter.report(error);
            return result;
        }
        for (index, (&arg, &param)) in args.iter().zip(params).enumerate() {
            let found = self.infer(arg);
            if found == param {
                continue;
            }
            let origin = self.parameter_span(callee, index).map(|span| (span, "the parameter"));
            let context = format!("argument {} of {name}", index + 1);
            self.expect(self.last_of(arg), param, found, &context, origin);
        }
        result
    }

    fn callee_text(&self, callee: ExprId) -> String {
        match self.module.expr(callee).kind {
            ExprKind::Global(name) => format!("'@{}'", self.module.text(name)),
            ExprKind::Local(name) => format!("'%{}'", self.module.text(name)),
            ExprKind::Name(name) => format!("'{}'", self.module.text(name)),
            _ => "the function".to_owned(),
        }
    }

    fn declaration(&self, callee: ExprId) -> Option<Span> {
        match self.out.targets[callee.index()] {
            Target::Def(def) => Some(self.out.def(def).span),
            Target::Var(binder) => Some(self.module.binder(binder).name.span),
            Target::Ctor(ctor) => Some(self.module.ctor(ctor).name.span),
            _ => None,
        }
    }

    fn parameter_span(&self, callee: ExprId, index: usize) -> Option<Span> {
        let module = self.module;
        match self.out.targets[callee.index()] {
            Target::Def(def) => {
                let param = *module.function(self.out.def(def).function).params.get(index)?;
                Some(module.binder(param).name.span)
            }
            Target::Ctor(ctor) => Some(module.type_expr(*module.ctor(ctor).fields.get(index)?).span),
            Target::Var(binder) => Some(module.binder(binder).name.span),
            _ => None,
        }
    }
}
