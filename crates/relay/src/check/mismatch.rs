//! Diagnostics of type mismatches.

use super::Checker;
use super::unify::Clash;
use crate::ast::{ExprId, ExprKind};
use crate::typed::Target;
use crate::types::{Number, TypeId};
use minoan_diag::{Diagnostic, Span};

/// The origin of an expected type, with the text of its label.
pub(super) type Origin<'a> = Option<(Span, &'a str)>;

impl Checker<'_> {
    /// Unifies the type of an expression with the expected type, or reports a mismatch; returns the resulting type.
    pub(super) fn expect(
        &mut self,
        at: ExprId,
        expected: TypeId,
        found: TypeId,
        context: &str,
        origin: Origin<'_>,
    ) -> TypeId {
        match self.unify(expected, found) {
            Ok(ty) => ty,
            Err(clash) => {
                let error = self.clash(self.span(at), expected, found, context, clash);
                let error = match origin {
                    Some((span, what)) => error.label(span, what),
                    None => error,
                };
                let error = self.explain(error, at);
                self.reporter.report(error);
                expected
            }
        }
    }

    /// Like [`Self::expect`], without an origin of the expected type.
    pub(super) fn expect_type(&mut self, at: ExprId, expected: TypeId, found: TypeId, caption: &str) {
        if let Err(clash) = self.unify(expected, found) {
            let text = self.text(expected);
            let error = self.clash(self.span(at), expected, found, "", clash);
            self.reporter.report(error.note(format!("'{text}' {caption}")));
        }
    }

    pub(super) fn clash(
        &mut self,
        at: Span,
        expected: TypeId,
        found: TypeId,
        context: &str,
        clash: Clash,
    ) -> Diagnostic {
        let (wanted, given) = (self.text(expected), self.text(found));
        let colon = if context.is_empty() { "" } else { ": " };
        let error = Diagnostic::error(format!("{context}{colon}expected '{wanted}', found '{given}'")).at(at);
        match clash {
            Clash::Differ(a, b) => {
                let (a, b) = (self.text(a), self.text(b));
                let whole = a == wanted && b == given || b == wanted && a == given;
                if whole { error } else { error.note(format!("'{a}' and '{b}' differ")) }
            }
            Clash::Infinite(ty) => {
                let text = self.text(ty);
                error.note(format!("the type would contain itself: '{text}'"))
            }
            Clash::Literal(number, ty) => {
                let text = self.text(ty);
                let what = if number == Number::Float { "a number with a point" } else { "a number" };
                error.note(format!("{what} cannot be of type '{text}'"))
            }
        }
    }

    /// Adds a label with the origin of a variable's type.
    pub(super) fn explain(&mut self, error: Diagnostic, at: ExprId) -> Diagnostic {
        let (span, ty, name) = match (self.out.targets[at.index()], self.module.expr(at).kind) {
            (Target::Var(binder), ExprKind::Local(name)) => {
                let span = self.module.binder(binder).name.span;
                (span, self.out.binder_types[binder.index()], format!("%{}", self.module.text(name)))
            }
            (Target::Graph(value), ExprKind::Graph(index)) => {
                (self.span(value), self.out.expr_types[value.index()], format!("%{index}"))
            }
            _ => return error,
        };
        let text = self.text(ty);
        error.label(span, format!("'{name}' has type '{text}'"))
    }
}
