//! Emission of primitives.

use super::expr::Scope;
use crate::ast::ExprId;
use crate::prims::Prim;
use crate::typed::Callee;
use minoan_ir::{Builder, Type, Value};
use minoan_knossos_dialect as ks;

impl Scope<'_, '_> {
    pub(super) fn call_prim(
        &mut self,
        b: &mut Builder<'_>,
        id: ExprId,
        prim: Prim,
        args: &[ExprId],
    ) -> Option<Value> {
        if let Some(what) = unsupported(prim) {
            self.emitter.unsupported(self.span(id), what);
            return None;
        }
        if !prim.lambda_args().is_empty() {
            return self.call_with_lambda(b, id, prim, args);
        }
        let values = self.exprs(b, args)?;
        let spreads = self.emitter.program.spreads(Callee::Prim(prim), args);
        let values = if spreads { self.parts(b, values[0]) } else { values };
        let ty = self.ty(id)?;
        Some(match (prim, &values[..]) {
            (Prim::Get { index, .. }, &[tuple]) => self.get(b, tuple, (index as usize).checked_sub(1)?),
            (Prim::Inline | Prim::CopyDown, &[value]) => value,
            (Prim::Index, &[index, tensor]) => {
                let index = self.sizes(b, index);
                ks::Index::build(b, tensor, &index).result(b.body())
            }
            (Prim::Size, &[tensor]) => ks::Size::build(b, tensor).result(b.body()),
            (Prim::Sum, &[tensor]) => {
                self.emitter.addable(self.emitter.program.ty(id), self.span(id))?;
                ks::Sum::build(b, tensor).result(b.body())
            }
            (Prim::ConstVec, &[size, value]) => {
                let sizes = self.sizes(b, size);
                ks::ConstVec::build(b, value, &sizes).result(b.body())
            }
            (Prim::DeltaVec, &[size, index, value]) => {
                let (sizes, index) = (self.sizes(b, size), self.sizes(b, index));
                ks::DeltaVec::build(b, value, &sizes, &index, ty).result(b.body())
            }
            (Prim::Delta, &[lhs, rhs, value]) => ks::Delta::build(b, lhs, rhs, value).result(b.body()),
            (Prim::VecInit, elements) => ks::VecInit::build(b, elements).result(b.body()),
            (Prim::Shape, &[value]) => self.shape(b, value),
            (Prim::TsAdd, &[value, tangent]) => ks::TsAdd::build(b, value, tangent).result(b.body()),
            (Prim::TsScale, &[factor, value]) => ks::TsScale::build(b, factor, value).result(b.body()),
            (Prim::TsDot, &[lhs, rhs]) => ks::TsDot::build(b, lhs, rhs, ty).result(b.body()),
            (Prim::TsNeg, &[value]) => ks::TsNeg::build(b, value).result(b.body()),
            (Prim::Eq, &[lhs, rhs]) => ks::Eq::build(b, lhs, rhs).result(b.body()),
            (Prim::Ne, &[lhs, rhs]) => ks::Ne::build(b, lhs, rhs).result(b.body()),
            (Prim::Print, values) => ks::Print::build(b, values).result(b.body()),
            (Prim::Trace, &[value]) => ks::Trace::build(b, value).result(b.body()),
            _ => {
                self.emitter.unsupported(self.span(id), &format!("'{}' of these arguments", prim.name()));
                return None;
            }
        })
    }

    fn call_with_lambda(
        &mut self,
        b: &mut Builder<'_>,
        id: ExprId,
        prim: Prim,
        args: &[ExprId],
    ) -> Option<Value> {
        let which = prim.lambda_args()[0];
        if args.len() != prim.arity()? {
            self.emitter.unsupported(self.span(id), "a function value in a tuple");
            return None;
        }
        let rest: Vec<ExprId> =
            args.iter().enumerate().filter(|&(at, _)| at != which).map(|(_, &id)| id).collect();
        let values = self.exprs(b, &rest);
        let lambda = self.lambda(args[which])?;
        self.ty(id)?;
        if prim == Prim::SumBuild {
            self.emitter.addable(self.emitter.program.ty(id), self.span(id))?;
        }
        match (prim, &values?[..]) {
            (Prim::Build, &[size]) => {
                let sizes = self.sizes(b, size);
                ks::Build::with(b, &sizes, |b, args| self.apply(b, lambda, args))
            }
            (Prim::SumBuild, &[size]) => {
                let sizes = self.sizes(b, size);
                ks::SumBuild::with(b, &sizes, |b, args| self.apply(b, lambda, args))
            }
            (Prim::Fold, &[init, vector]) => {
                ks::Fold::with(b, init, vector, |b, args| self.apply(b, lambda, args))
            }
            (Prim::Map, tensors) => ks::Map::with(b, tensors, |b, args| self.apply(b, lambda, args)),
            (Prim::Map2, tensors) => ks::Map2::with(b, tensors, |b, args| self.apply(b, lambda, args)),
            _ => None,
        }
    }

    /// The components of an index or a size, one per dimension.
    fn sizes(&mut self, b: &mut Builder<'_>, size: Value) -> Vec<Value> {
        if b.ty(size) == Type::I64 { vec![size] } else { self.parts(b, size) }
    }

    /// The shape of a value: the empty tuple for values without tensors.
    fn shape(&mut self, b: &mut Builder<'_>, value: Value) -> Value {
        let ctx = self.emitter.ctx;
        let ty = b.ty(value);
        if ty.is_tensor(ctx) {
            return ks::Size::build(b, value).result(b.body());
        }
        let has_tensor = ty.as_tuple(ctx).is_some_and(|parts| {
            let mut pending: Vec<Type> = parts.to_vec();
            while let Some(ty) = pending.pop() {
                pending.extend_from_slice(ty.as_tuple(ctx).unwrap_or(&[]));
                if ty.is_tensor(ctx) {
                    return true;
                }
            }
            false
        });
        let mut shapes = Vec::new();
        if has_tensor {
            for part in self.parts(b, value) {
                shapes.push(minoan_frontend::with_stack(|| self.shape(b, part)));
            }
        }
        self.tuple(b, &shapes)
    }
}

fn unsupported(prim: Prim) -> Option<&'static str> {
    Some(match prim {
        Prim::Diag => "'diag'",
        Prim::Unzip => "'unzip'",
        Prim::BuildFromSparse => "'buildFromSparse'",
        Prim::BuildFromSparseTupled => "'buildFromSparseTupled'",
        Prim::Check => "'$check'",
        Prim::Bench => "'$BENCH'",
        Prim::LmApply => "'lmApply'",
        Prim::LmApplyR => "'lmApplyR'",
        _ => return None,
    })
}
