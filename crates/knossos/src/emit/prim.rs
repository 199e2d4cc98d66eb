//! Emission of primitives.

use super::expr::Scope;
use super::linear::Direction;
use crate::ast::ExprId;
use crate::prims::Prim;
use crate::typed::Callee;
use crate::types::Types;
use minoan_ir::{Builder, Context, Type, Value};
use minoan_knossos_dialect as ks;

impl Scope<'_, '_> {
    pub(super) fn call_prim(
        &mut self,
        b: &mut Builder<'_>,
        id: ExprId,
        prim: Prim,
        args: &[ExprId],
    ) -> Option<Value> {
        match (prim, args) {
            (Prim::LmApply, &[map, value]) => return self.apply_linear(b, Direction::Forward, map, value),
            (Prim::LmApplyR, &[value, map]) => {
                return self.apply_linear(b, Direction::Transposed, map, value);
            }
            _ => {}
        }
        match prim {
            Prim::Check => return self.check(b, args),
            Prim::FFold | Prim::RFold | Prim::SufFwdPassMap | Prim::SufRevPassMap => {
                return self.derived_loop(b, prim, args);
            }
            _ => {}
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
            (Prim::Dup { arity }, &[value]) => self.tuple(b, &vec![value; arity as usize]),
            (Prim::Elim, &[_]) => self.tuple(b, &[]),
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
            (Prim::Shape, &[value]) => self.shape(b, value)?,
            (Prim::Unzip, &[tensor]) => ks::Unzip::build(b, tensor).result(b.body()),
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
            return self.no_function(args);
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
            (Prim::Bench, &[]) => ks::Bench::with(b, self.emitter.float, |b, call| {
                let arg = match lambda.arg {
                    Types::INTEGER => call.to_vec(),
                    _ if lambda.params.is_empty() => Vec::new(),
                    _ => vec![self.tuple(b, &[])],
                };
                self.apply(b, lambda, &arg)
            }),
            (Prim::Fold, &[init, vector]) => {
                ks::Fold::with(b, init, vector, |b, args| self.apply(b, lambda, args))
            }
            (Prim::Diag, &[rows, columns]) => ks::Build::with(b, &[rows], |b, at| {
                let value = self.apply(b, lambda, at)?;
                let ty = ks::array(self.emitter.ctx, 1, b.ty(value));
                Some(ks::DeltaVec::build(b, value, &[columns], at, ty).result(b.body()))
            }),
            (Prim::BuildFromSparse, &[shape, size]) => {
                let sizes = self.sizes(b, size);
                let made = ks::BuildFromSparse::with(b, &[shape], &sizes, |b, args| {
                    let update = self.apply(b, lambda, args)?;
                    Some(self.tuple(b, &[update]))
                })?;
                Some(self.get(b, made, 0))
            }
            (Prim::BuildFromSparseTupled, &[shapes, size]) => {
                let (shapes, sizes) = (self.parts(b, shapes), self.sizes(b, size));
                ks::BuildFromSparse::with(b, &shapes, &sizes, |b, args| self.apply(b, lambda, args))
            }
            (Prim::Map, tensors) => ks::Map::with(b, tensors, |b, args| self.apply(b, lambda, args)),
            (Prim::Map2, tensors) => ks::Map2::with(b, tensors, |b, args| self.apply(b, lambda, args)),
            _ => None,
        }
    }

    /// The components of an index or a size, one per dimension.
    pub(super) fn sizes(&mut self, b: &mut Builder<'_>, size: Value) -> Vec<Value> {
        if b.ty(size) == Type::I64 { vec![size] } else { self.parts(b, size) }
    }

    /// The shape of a value: the empty tuple for values without tensors, the size of a tensor of these, otherwise the
    /// shapes of the components.
    pub(super) fn shape(&mut self, b: &mut Builder<'_>, value: Value) -> Option<Value> {
        let ctx = self.emitter.ctx;
        let ty = b.ty(value);
        if !has_tensor(ctx, ty) {
            return Some(self.tuple(b, &[]));
        }
        let Some((_, element)) = ks::tensor_parts(ctx, ty) else {
            let parts = self.parts(b, value);
            let shapes: Option<Vec<Value>> =
                parts.into_iter().map(|part| minoan_frontend::with_stack(|| self.shape(b, part))).collect();
            return Some(self.tuple(b, &shapes?));
        };
        let size = ks::Size::build(b, value).result(b.body());
        if !has_tensor(ctx, element) {
            return Some(size);
        }
        let sizes = self.sizes(b, size);
        ks::Build::with(b, &sizes, |b, indices| {
            let element = ks::Index::build(b, value, indices).result(b.body());
            minoan_frontend::with_stack(|| self.shape(b, element))
        })
    }

    /// `($check f rev x dx df)`: the relative difference between the change of `f` along `dx`, and `dx` times the
    /// reverse derivative for `df`.
    fn check(&mut self, b: &mut Builder<'_>, args: &[ExprId]) -> Option<Value> {
        let &[f, rev, x, dx, df] = args else {
            return self.no_function(args);
        };
        let values = self.exprs(b, &[x, dx, df])?;
        let (f, rev) = (self.lambda(f)?, self.lambda(rev)?);
        let &[x, dx, df] = &values[..] else { return None };
        let moved = ks::TsAdd::build(b, x, dx).result(b.body());
        let (after, before) = (self.apply(b, f, &[moved])?, self.apply(b, f, &[x])?);
        let change = self.difference(b, after, before)?;
        let back = self.apply(b, rev, &[x, df])?;
        let float = self.emitter.float;
        let along = ks::TsDot::build(b, change, df, float).result(b.body());
        let other = ks::TsDot::build(b, back, dx, float).result(b.body());
        let error = self.arithmetic(b, "sub", &[along, other]);
        let sizes = [error, along, other].map(|value| self.arithmetic(b, "abs", &[value]));
        let size = self.arithmetic(b, "add", &sizes[1..]);
        Some(self.arithmetic(b, "div", &[sizes[0], size]))
    }

    /// A prelude function on floats.
    fn arithmetic(&mut self, b: &mut Builder<'_>, name: &str, args: &[Value]) -> Value {
        ks::Prelude::build(b, args, name, self.emitter.float).result(b.body())
    }

    /// The tangent from one value to another.
    fn difference(&mut self, b: &mut Builder<'_>, to: Value, from: Value) -> Option<Value> {
        let ctx = self.emitter.ctx;
        let ty = b.ty(to);
        if ty == self.emitter.float {
            return Some(self.arithmetic(b, "sub", &[to, from]));
        }
        if ks::tensor_parts(ctx, ty).is_some() {
            return ks::Map2::with(b, &[to, from], |b, elements| {
                minoan_frontend::with_stack(|| self.difference(b, elements[0], elements[1]))
            });
        }
        let (to, from) = (self.parts(b, to), self.parts(b, from));
        let parts = to.into_iter().zip(from);
        let parts: Option<Vec<Value>> =
            parts.map(|(to, from)| minoan_frontend::with_stack(|| self.difference(b, to, from))).collect();
        Some(self.tuple(b, &parts?))
    }
}

/// Whether values of a type contain tensors.
fn has_tensor(ctx: &Context, ty: Type) -> bool {
    let mut pending = vec![ty];
    while let Some(ty) = pending.pop() {
        pending.extend_from_slice(ty.as_tuple(ctx).unwrap_or(&[]));
        if ks::tensor_parts(ctx, ty).is_some() {
            return true;
        }
    }
    false
}
