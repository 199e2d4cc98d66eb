//! Type checking of expressions other than calls.

use super::Checker;
use crate::ast::{Binding, ExprId, ExprKind, Param, Pattern};
use crate::typed::{Lambda, LetBinding, LetPattern, TypedExpr, TypedKind, VarId};
use crate::types::{Type, TypeId, Types};
use minoan_diag::{Diagnostic, Span, nearest};
use minoan_frontend::Symbol;
use minoan_frontend::with_stack;

impl Checker<'_> {
    /// Checks an expression that must be a value, not a lambda; returns its type.
    pub(super) fn value(&mut self, id: ExprId) -> TypeId {
        let ty = with_stack(|| self.expr(id));
        if !self.is_function_type(ty) {
            return ty;
        }
        let error = match self.program.expr(id).kind {
            ExprKind::Lam { .. } => Diagnostic::error("a lambda is not allowed here"),
            _ => Diagnostic::error("a variable bound to a lambda cannot be used as a value"),
        };
        let note =
            "a lambda is an argument of a primitive such as 'build' or of an 'edef', or is named by 'let'";
        self.reporter.report(error.at(self.span(id)).note(note));
        Types::ERROR
    }

    /// Checks and resolves an expression; returns its type.
    pub(super) fn expr(&mut self, id: ExprId) -> TypeId {
        let program = self.program;
        let node = program.expr(id);
        let span = node.span;
        let (kind, ty) = match &node.kind {
            ExprKind::Error => (TypedKind::Error, Types::ERROR),
            ExprKind::Integer(value) => (TypedKind::Integer(*value), Types::INTEGER),
            ExprKind::Float(value) => (TypedKind::Float(*value), Types::FLOAT),
            ExprKind::Bool(value) => (TypedKind::Bool(*value), Types::BOOL),
            ExprKind::String(value) => (TypedKind::String(value.clone()), Types::STRING),
            ExprKind::Var(name) => self.variable(*name, span),
            ExprKind::Call { name, args } => self.call(id, *name, args),
            ExprKind::Let { bindings, body } => self.let_form(bindings, *body),
            ExprKind::If { condition, then, otherwise } => self.if_form(*condition, *then, *otherwise),
            ExprKind::Assert { condition, body } => {
                self.condition(*condition, "assert");
                let ty = self.value(*body);
                (TypedKind::Assert { condition: *condition, body: *body }, ty)
            }
            ExprKind::Tuple(parts) => {
                let types: Vec<_> = parts.iter().map(|&part| self.value(part)).collect();
                (TypedKind::Tuple(parts.clone()), self.out.types.tuple(types))
            }
            ExprKind::Lam { params, body } => self.lambda(params, *body),
            ExprKind::Dummy(ty) => (TypedKind::Dummy, self.resolve_type(*ty)),
        };
        self.out.exprs[id.0 as usize] = TypedExpr { kind, ty, span };
        ty
    }

    pub(super) fn variable(&mut self, name: Symbol, span: Span) -> (TypedKind, TypeId) {
        if let Some(&var) = self.scope.get(&name) {
            return (TypedKind::Var(var), self.out.var(var).ty);
        }
        let text = self.out.names.text(name);
        let mut error =
            Diagnostic::error(format!("unknown variable '{}'", minoan_frontend::clip(text))).at(span);
        let is_function = self.knows_function(name);
        if is_function {
            error = error.note(format!("'{text}' is a function; functions can only be called"));
            if !text.is_empty() {
                error = error.help(format!("for a lambda write '(lam (x : Type) ({text} x))'"));
            }
        } else if text.ends_with(',') {
            error = error.help("elements are written without commas");
        } else if text.chars().nth(1).is_some() {
            let mut visible: Vec<(VarId, &str)> =
                self.scope.iter().map(|(&name, &var)| (var, self.out.names.text(name))).collect();
            // Innermost first, so that the suggestion does not depend on hash order.
            visible.sort_by_key(|&(var, _)| std::cmp::Reverse(var));
            error = error.did_you_mean(nearest(text, visible.into_iter().map(|(_, name)| name)));
        }
        self.reporter.report(error);
        (TypedKind::Error, Types::ERROR)
    }

    fn condition(&mut self, id: ExprId, form: &str) {
        let ty = self.value(id);
        if !self.out.types.agree(ty, Types::BOOL) {
            let message =
                format!("the condition of '{form}' must be of type 'Bool', but is '{}'", self.text(ty));
            self.error(self.span(id), message);
        }
    }

    fn if_form(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> (TypedKind, TypeId) {
        self.condition(condition, "if");
        let (left, right) = (self.value(then), self.value(otherwise));
        if !self.out.types.agree(left, right) {
            let message = format!(
                "the branches of 'if' must have one type, but are '{}' and '{}'",
                self.text(left),
                self.text(right)
            );
            let error = Diagnostic::error(message).at(self.span(otherwise)).caption(self.text(right));
            self.reporter.report(error.label(self.span(then), self.text(left)));
        }
        let ty = if self.out.types.has_error(left) || self.out.types.has_any(left) { right } else { left };
        (TypedKind::If { condition, then, otherwise }, ty)
    }

    pub(super) fn lambda(&mut self, params: &[Param], body: ExprId) -> (TypedKind, TypeId) {
        let mark = self.mark();
        let (params, arg) = self.bind_params(params);
        let result = self.value(body);
        self.leave(mark);
        let ty = self.out.types.intern(Type::Lam(arg, result));
        (TypedKind::Lambda(Lambda { params, arg, result, body }), ty)
    }

    fn let_form(&mut self, bindings: &[Binding], body: ExprId) -> (TypedKind, TypeId) {
        let mark = self.mark();
        let mut typed = Vec::with_capacity(bindings.len());
        for binding in bindings {
            let pattern = match &binding.pattern {
                Pattern::Var(ident) => {
                    let ty = with_stack(|| self.expr(binding.value));
                    let lambda =
                        if self.is_function_type(ty) { self.lambda_behind(binding.value) } else { None };
                    LetPattern::Var(self.bind(*ident, ty, lambda))
                }
                Pattern::Unpack { names, ambiguous } => {
                    self.lint_ambiguity(binding, *ambiguous);
                    let ty = self.value(binding.value);
                    let parts = self.unpacked(ty, names.len(), binding);
                    let vars = names.iter().zip(parts).map(|(ident, part)| self.bind(*ident, part, None));
                    LetPattern::Unpack(vars.collect())
                }
            };
            typed.push(LetBinding { pattern, value: binding.value });
        }
        let ty = self.value(body);
        self.leave(mark);
        (TypedKind::Let { bindings: typed.into(), body }, ty)
    }

    /// The lambda to which an expression of function type resolves.
    fn lambda_behind(&self, id: ExprId) -> Option<ExprId> {
        match &self.out.expr(id).kind {
            TypedKind::Lambda(_) => Some(id),
            TypedKind::Var(var) => self.out.var(*var).lambda,
            _ => None,
        }
    }

    fn unpacked(&mut self, ty: TypeId, count: usize, binding: &Binding) -> Vec<TypeId> {
        let message = match self.out.types.get(ty) {
            Type::Tuple(parts) if parts.len() == count => return parts.to_vec(),
            Type::Error => return vec![Types::ERROR; count],
            Type::Any => return vec![Types::ANY; count],
            Type::Tuple(parts) => {
                format!(
                    "{count} names unpack a tuple of {count}, but the value is a tuple of {}",
                    parts.len()
                )
            }
            _ => format!("{count} names unpack a tuple of {count}, but the value is '{}'", self.text(ty)),
        };
        self.error(self.span(binding.value), message);
        vec![Types::ERROR; count]
    }

    /// Warns about `((a b) (c d))`, which destructures, if `b` is a variable and two bindings may have been intended.
    fn lint_ambiguity(&mut self, binding: &Binding, ambiguous: bool) {
        let Pattern::Unpack { names, .. } = &binding.pattern else { return };
        let &[first, second] = &**names else { return };
        if !ambiguous || !self.scope.contains_key(&second.name) {
            return;
        }
        let (a, b) = (self.out.names.text(first.name), self.out.names.text(second.name));
        self.reporter.report(
            Diagnostic::warning(format!("this binds '{a}' and a new '{b}' to the components of one value"))
                .at(binding.span)
                .help(format!("for two bindings write '(let ({a} {b}) (let ... ))'")),
        );
    }

    /// The location of the expression that yields the value, looking through `let` and `assert`.
    pub(super) fn result_span(&self, mut id: ExprId) -> Option<Span> {
        loop {
            match self.program.expr(id).kind {
                ExprKind::Let { body, .. } | ExprKind::Assert { body, .. } => id = body,
                _ => return Some(self.span(id)),
            }
        }
    }
}
