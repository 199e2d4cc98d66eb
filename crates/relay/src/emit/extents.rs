//! Types that differ only in unknown extents.
//!
//! A tensor is converted where its use has another type. An object cannot be converted, because its owners share it. If a
//! program uses one instance of a data type or reference as another, both therefore have the same representation, with unknown
//! extents where the instances differ. A function is converted by a wrapper that calls it.

use super::expr::Scope;
use super::{Emitter, Function, Instance};
use crate::types::{Type, TypeId, Types};
use minoan_data as data;
use minoan_diag::Span;
use minoan_frontend::with_stack;
use minoan_ir::text::print_type;
use minoan_ir::{Builder, DYNAMIC, OpDef, Type as IrType, Value};
use minoan_relay_dialect as relay;
use minoan_relay_dialect::attrs::Attrs;
use minoan_relay_dialect::operators::find;
use rustc_hash::FxHashMap;

/// Maps types to the more general types that represent them.
#[derive(Clone, Default)]
pub(super) struct Representations {
    known: FxHashMap<TypeId, TypeId>,
    /// Representations found during this emission, for the next one.
    pub(super) found: FxHashMap<TypeId, TypeId>,
}

impl Representations {
    /// The type that represents `ty`.
    pub(super) fn of(&self, mut ty: TypeId) -> TypeId {
        while let Some(&general) = self.known.get(&ty) {
            ty = general;
        }
        ty
    }

    /// The representations that the next emission uses.
    pub(super) fn next(mut self) -> Self {
        self.known.extend(self.found.drain());
        self
    }
}

/// The most special type that two types are instances of, if they differ only in extents.
fn join(types: &mut Types, a: TypeId, b: TypeId) -> Option<TypeId> {
    if a == b {
        return Some(a);
    }
    let all = |types: &mut Types, a: &[TypeId], b: &[TypeId]| -> Option<Box<[TypeId]>> {
        let pairs = a.iter().zip(b).map(|(&a, &b)| with_stack(|| join(types, a, b)));
        if a.len() == b.len() { pairs.collect() } else { None }
    };
    let ty = match (types.get(a).clone(), types.get(b).clone()) {
        (Type::AnyDim | Type::Dim(_), Type::AnyDim | Type::Dim(_)) => Type::AnyDim,
        (Type::Tensor(shape, base), Type::Tensor(other, same)) if base == same => {
            Type::Tensor(join(types, shape, other)?, base)
        }
        (Type::Shape(a), Type::Shape(b)) => Type::Shape(all(types, &a, &b)?),
        (Type::Tuple(a), Type::Tuple(b)) => Type::Tuple(all(types, &a, &b)?),
        (Type::Data(data, a), Type::Data(other, b)) if data == other => Type::Data(data, all(types, &a, &b)?),
        (Type::Ref(a), Type::Ref(b)) => Type::Ref(with_stack(|| join(types, a, b))?),
        (Type::Fn(params, result), Type::Fn(others, other)) => {
            Type::Fn(all(types, &params, &others)?, with_stack(|| join(types, result, other))?)
        }
        _ => return None,
    };
    Some(types.intern(ty))
}

impl Emitter<'_> {
    /// Gives two types of objects one representation in the next emission; `None` if they differ in more than extents.
    fn share(&mut self, found: IrType, wanted: IrType) -> Option<()> {
        let (&a, &b) = (self.relay_types.get(&found)?, self.relay_types.get(&wanted)?);
        let general = join(&mut self.types, a, b)?;
        for ty in [a, b] {
            if ty != general {
                self.representations.found.insert(ty, general);
            }
        }
        Some(())
    }

    /// A type with the extents of tensors that another type knows in addition.
    pub(super) fn with_extents_of(&self, ty: IrType, other: TypeId) -> IrType {
        let ctx = self.ctx;
        match self.types.get(other) {
            Type::Tensor(..) => {
                let (Some(shape), Some((dims, _))) = (ty.shape(ctx), self.types.tensor_parts(other)) else {
                    return ty;
                };
                let extent = |(&own, known): (&i64, Option<i64>)| {
                    if own == DYNAMIC { known.unwrap_or(own) } else { own }
                };
                let refined: Vec<i64> = shape.iter().zip(dims).map(extent).collect();
                ty.with_shape(ctx, &refined).unwrap_or(ty)
            }
            Type::Tuple(others) => match ty.as_tuple(ctx).filter(|parts| parts.len() == others.len()) {
                Some(parts) => {
                    let pairs = parts.iter().zip(others);
                    let parts = pairs.map(|(&part, &other)| with_stack(|| self.with_extents_of(part, other)));
                    IrType::tuple(ctx, &parts.collect::<Vec<_>>())
                }
                None => ty,
            },
            _ => ty,
        }
    }

    /// The text of a type in messages.
    fn type_text(&self, ty: IrType) -> String {
        match self.relay_types.get(&ty) {
            Some(&ty) => self.types.text(ty),
            None => print_type(self.ctx, ty),
        }
    }
}

impl Scope<'_, '_> {
    /// Converts a value to the type `ty` that its use at `at` requires. The types differ only in unknown extents, which
    /// are checked at run time.
    pub(super) fn fit(&mut self, b: &mut Builder<'_>, at: Span, value: Value, ty: IrType) -> Option<Value> {
        let (ctx, found) = (self.emitter.ctx, b.ty(value));
        if found == ty {
            return Some(value);
        }
        if let (Some(parts), Some(found)) = (ty.as_tuple(ctx), found.as_tuple(ctx))
            && parts.len() == found.len()
        {
            let mut fitted = Vec::with_capacity(parts.len());
            for (&part, index) in parts.iter().zip(0..) {
                let component = self.get(b, value, index);
                fitted.push(with_stack(|| self.fit(b, at, component, part))?);
            }
            return Some(relay::MakeTuple::build(b, &fitted).result(b.body()));
        }
        if let (Some(_), Some(_), Some(copy)) = (ty.shape(ctx), found.shape(ctx), find("copy")) {
            let outside = b.set_loc(self.emitter.loc(at));
            let fitted = relay::call(b, copy, &[value], &Attrs::new(), ty);
            b.set_loc(outside);
            return Some(fitted);
        }
        if let (Some((inputs, _)), Some((own, _))) = (signature(self, ty), signature(self, found))
            && inputs.len() == own.len()
        {
            let function = Function::Adapter { from: found, to: ty, at };
            let symbol = self.emitter.symbol(Instance { function, types: Box::default() }, "fn", at);
            return Some(data::Closure::build(b, &[value], ctx.name(&symbol), None, ty).result(b.body()));
        }
        // An error unless another emission follows.
        self.emitter.share(found, ty);
        let (found, ty) = (self.emitter.type_text(found), self.emitter.type_text(ty));
        self.emitter
            .unsupported(at, &format!("a value of type '{found}' where one of type '{ty}' is expected"));
        None
    }

    /// Emits the body of a function that calls its first argument, a function, with the others.
    pub(super) fn adapter(
        &mut self,
        b: &mut Builder<'_>,
        at: Span,
        args: &[Value],
        result: IrType,
    ) -> Option<Value> {
        let (&callee, rest) = args.split_first()?;
        let (inputs, results) = signature(self, b.ty(callee))?;
        let mut values = Vec::with_capacity(rest.len());
        for (&value, &ty) in rest.iter().zip(&inputs) {
            values.push(self.fit(b, at, value, ty)?);
        }
        let apply = data::Apply::build(b, callee, &values, &results);
        let value = b.body().op(apply.op()).result(0);
        self.fit(b, at, value, result)
    }
}

/// The parameter and result types of a closure.
fn signature(scope: &Scope<'_, '_>, ty: IrType) -> Option<(Vec<IrType>, Vec<IrType>)> {
    let ctx = scope.emitter.ctx;
    let (inputs, results) = data::ClosureType::cast(ctx, ty)?.signature(ctx).as_function(ctx)?;
    Some((inputs.to_vec(), results.to_vec()))
}

/// The parameter and result types of a function that converts another.
pub(super) fn adapter_signature(
    emitter: &Emitter<'_>,
    from: IrType,
    to: IrType,
) -> Option<super::values::Signature> {
    let ctx = emitter.ctx;
    let (inputs, results) = data::ClosureType::cast(ctx, to)?.signature(ctx).as_function(ctx)?;
    let inputs = std::iter::once(from).chain(inputs.iter().copied()).collect();
    Some(super::values::Signature { inputs, result: results.first().copied()? })
}
