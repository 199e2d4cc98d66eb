//! The final steps after inference: substitution of holes, and remaining checks.

use super::Checker;
use crate::ast::{BinderId, ExprId, ExprKind, Literal};
use crate::types::{Type, TypeId, Types};
use minoan_diag::{Diagnostic, Span};
use minoan_relay_dialect::DType;
use rustc_hash::FxHashMap;

impl Checker<'_> {
    pub(super) fn finish(&mut self) {
        let mut done = FxHashMap::default();
        for index in 0..self.out.expr_types.len() {
            let at = self.span(ExprId(index as u32));
            self.out.expr_types[index] = self.settled(self.out.expr_types[index], at, &mut done);
        }
        for index in 0..self.out.binder_types.len() {
            let at = self.module.binder(BinderId(index as u32)).name.span;
            self.out.binder_types[index] = self.settled(self.out.binder_types[index], at, &mut done);
        }
        let mut instances = std::mem::take(&mut self.out.instances);
        for (&expr, types) in &mut instances {
            for ty in types {
                *ty = self.settled(*ty, self.span(expr), &mut done);
            }
        }
        self.out.instances = instances;
        for index in 0..self.out.types.schemes.len() {
            let mut scheme = self.out.types.schemes[index].clone();
            scheme.ty = self.zonk(scheme.ty);
            for constraint in &mut scheme.constraints {
                constraint.args = constraint.args.iter().map(|&arg| self.zonk(arg)).collect();
                constraint.result = self.zonk(constraint.result);
            }
            self.out.types.schemes[index] = scheme;
        }
        self.literal_values();
        self.check_matches();
    }

    /// The type with all holes substituted; reports holes that remain open.
    fn settled(&mut self, ty: TypeId, at: Span, done: &mut FxHashMap<TypeId, TypeId>) -> TypeId {
        if !self.out.types.has_hole(ty) {
            return ty;
        }
        let ty = self.zonk_with(ty, done);
        if !self.out.types.has_hole(ty) {
            return ty;
        }
        if self.reporter.error_count() == 0 {
            let text = self.text(ty);
            let error = Diagnostic::error(format!("cannot infer all of the type '{text}'")).at(at);
            self.reporter.report(error.help("write the type of a variable or parameter that it depends on"));
        }
        let mut holes = Vec::new();
        self.holes_of(ty, &mut holes);
        for hole in holes {
            self.close_hole(hole, Types::ERROR);
        }
        done.clear();
        self.zonk_with(ty, done)
    }

    /// Reports integer literals that their types cannot represent.
    fn literal_values(&mut self) {
        for index in 0..self.literal_exprs.len() {
            let expr = self.literal_exprs[index];
            let ExprKind::Literal(Literal::Int(value, _)) = self.module.expr(expr).kind else { continue };
            let ty = self.out.expr_types[expr.index()];
            let Type::Tensor(_, base) = *self.out.types.get(ty) else { continue };
            let value = i128::from(value);
            let fits = match *self.out.types.get(base) {
                Type::Base(DType::Int(bits @ 1..=64)) => {
                    (-(1i128 << (bits - 1))..1 << (bits - 1)).contains(&value)
                }
                Type::Base(DType::UInt(bits @ 1..=64)) => (0..1i128 << bits).contains(&value),
                _ => true,
            };
            if !fits {
                let text = self.text(ty);
                self.error(
                    self.span(expr),
                    format!("{value} does not fit in '{text}', the type that is asked for"),
                );
            }
        }
    }
}
