//! The functions on tangents that derivatives call.

use super::kinds::is_float_number;
use super::{Objects, Part, Space, make};
use crate::types::{BoxType, Cell};
use crate::{Case, Coverage, MakeBox, Unbox, switch};
use minoan_ir::{Builder, Name, Op, Type, Value};
use minoan_services::{DiffOps, FunctionMaterializer, TangentSpace};

/// The functions, by the type that they are for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum FunctionKind {
    /// The sum of two tangents of the type.
    Add,
    /// The tangent whose floats are those of a value of the type.
    Import,
    /// A value of the same shape whose floats are those of a tangent.
    Export,
    /// A value of the same shape whose floats are all one number.
    Fill(i64),
    /// A value of the same shape, of a type without tangent, whose numbers are zero.
    Zero,
}

impl FunctionKind {
    fn suffix(self) -> String {
        match self {
            FunctionKind::Add => "add".to_owned(),
            FunctionKind::Import => "import".to_owned(),
            FunctionKind::Export => "export".to_owned(),
            FunctionKind::Fill(number) => format!("fill{number}"),
            FunctionKind::Zero => "zero".to_owned(),
        }
    }
}

/// The contents of a box.
pub(super) fn unbox(b: &mut Builder<'_>, boxed: Value) -> Value {
    let ctx = b.context();
    let contents = BoxType::cast(&ctx, b.ty(boxed)).map(|boxed| boxed.contents(&ctx));
    Unbox::build(b, boxed, contents.unwrap_or(Type::NONE)).result(b.body())
}

/// A box with a tensor.
pub(super) fn rebox(b: &mut Builder<'_>, tensor: Value) -> Value {
    let ctx = b.context();
    let ty: Type = BoxType::get(&ctx, b.ty(tensor)).into();
    MakeBox::build(b, tensor, ty).result(b.body())
}

impl Objects<'_> {
    /// The argument and result types of a function.
    fn signature_of(&self, kind: FunctionKind, ty: Type) -> (Vec<Type>, Type) {
        let tangent = || self.space(ty).map_or(ty, |space| space.tangent);
        match kind {
            FunctionKind::Add => (vec![ty, ty], ty),
            FunctionKind::Import => (vec![ty], tangent()),
            FunctionKind::Export => (vec![ty, tangent()], ty),
            FunctionKind::Fill(_) | FunctionKind::Zero => (vec![ty], ty),
        }
    }

    /// Calls a function, which is created if it is new.
    pub(super) fn call(
        &self,
        b: &mut Builder<'_>,
        kind: FunctionKind,
        ty: Type,
        operands: &[Value],
    ) -> Value {
        let ctx = self.ctx;
        let known = self.state.borrow().functions.get(&(kind, ty)).copied();
        let name = known.unwrap_or_else(|| {
            let mut state = self.state.borrow_mut();
            let base = match Cell::cast(ctx, ty) {
                Some(cell) => cell.name(ctx).root(ctx).as_str(ctx).to_owned(),
                None => minoan_ir::text::print_type(ctx, ty).trim_start_matches("!data.").to_owned(),
            };
            let name = state.symbols.fresh(ctx, &format!("{base}.{}", kind.suffix()));
            state.functions.insert((kind, ty), name);
            state.undefined.push_back((kind, ty, name));
            name
        });
        let (_, result) = self.signature_of(kind, ty);
        let Some(functions) = self.functions else { return operands[0] };
        let call = b.create(functions.call(ctx, name.as_str(ctx), operands, &[result]));
        b.body().op(call).result(0)
    }

    /// Creates a function at the insertion point.
    pub(super) fn define(
        &self,
        b: &mut Builder<'_>,
        functions: &dyn FunctionMaterializer,
        kind: FunctionKind,
        ty: Type,
        name: Name,
    ) -> Op {
        let (inputs, result) = self.signature_of(kind, ty);
        let op = functions.declare(b, name.as_str(self.ctx), &inputs, &[result]);
        b.region(op, 0, &inputs, |b, args| {
            let value = match kind {
                FunctionKind::Add => self.add_body(b, args[0], args[1]),
                FunctionKind::Import => self.import_body(b, args[0]),
                FunctionKind::Export => self.export_body(b, args[0], args[1]),
                FunctionKind::Fill(number) => self.fill_body(b, args[0], number),
                FunctionKind::Zero => self.zero_body(b, args[0]),
            };
            b.create(functions.return_op(self.ctx, &[value]));
        });
        op
    }

    fn add_body(&self, b: &mut Builder<'_>, x: Value, y: Value) -> Value {
        let ty = b.ty(x);
        let Some(space) = self.space_of_tangent(ty) else { return x };
        let parts: Vec<&Part> = space.parts.iter().flatten().collect();
        let mut cases = vec![space.zero.clone()];
        cases.extend(parts.iter().map(|part| part.case.clone()));
        let sum = switch(b, x, &cases, Coverage::Exhaustive, &[ty], |b, at, left| {
            if at == 0 {
                return vec![y];
            }
            let case = &cases[at];
            switch(b, y, &[space.zero.clone(), case.clone()], Coverage::Exhaustive, &[ty], |b, at, right| {
                if at == 0 {
                    return vec![x];
                }
                let pairs: Vec<(Value, Value)> = left.iter().copied().zip(right.iter().copied()).collect();
                let sums: Vec<Value> = pairs
                    .into_iter()
                    .map(|(x, y)| {
                        if BoxType::cast(self.ctx, b.ty(x)).is_none() {
                            return self.sum_of(b, x, y);
                        }
                        let (x, y) = (unbox(b, x), unbox(b, y));
                        let sum = self.sum_of(b, x, y);
                        rebox(b, sum)
                    })
                    .collect();
                vec![make(b, case, &sums, ty)]
            })
        });
        sum[0]
    }

    /// The constructors of a data type.
    fn cases_of(&self, ty: Type) -> Vec<Case> {
        let ctx = self.ctx;
        let state = self.state.borrow();
        let ctors = Cell::cast(ctx, ty).and_then(|cell| state.kinds.ctors.get(&cell.name(ctx).root(ctx)));
        let ctors = ctors.into_iter().flatten().enumerate();
        ctors.map(|(at, ctor)| (ctor.name.clone(), at as i64, ctor.fields.clone())).collect()
    }

    fn import_body(&self, b: &mut Builder<'_>, value: Value) -> Value {
        let ty = b.ty(value);
        let Some(space) = self.space(ty) else { return value };
        let cases = self.cases_of(ty);
        if cases.is_empty() {
            let part = space.parts[0].as_ref().expect("a box has a tangent");
            return make(b, &part.case, &[value], space.tangent);
        }
        let found = switch(b, value, &cases, Coverage::Exhaustive, &[space.tangent], |b, at, fields| {
            let Some(part) = &space.parts[at] else {
                return vec![make(b, &space.zero, &[], space.tangent)];
            };
            let fields: Vec<Value> = part
                .fields
                .iter()
                .zip(&part.case.2)
                .map(|(&at, &tangent)| match self.space(b.ty(fields[at])) {
                    Some(space) => self.call(b, FunctionKind::Import, space.of, &[fields[at]]),
                    None if b.ty(fields[at]) == tangent => fields[at],
                    None => self.zero_of(b, tangent),
                })
                .collect();
            vec![make(b, &part.case, &fields, space.tangent)]
        });
        found[0]
    }

    /// Creates the fields of a tangent of a value of this constructor; they are zero if the tangent is zero.
    pub(super) fn fields_of(
        &self,
        b: &mut Builder<'_>,
        space: &Space,
        part: &Part,
        tangent: Value,
    ) -> Vec<Value> {
        let cases = [space.zero.clone(), part.case.clone()];
        switch(b, tangent, &cases, Coverage::Exhaustive, &part.case.2, |b, at, fields| match at {
            0 => part.case.2.iter().map(|&ty| self.zero_of(b, ty)).collect(),
            _ => fields.to_vec(),
        })
    }

    /// Creates the tensor that a tangent of a box contains, with the extents of `like` if it is zero.
    pub(super) fn contents_of(
        &self,
        b: &mut Builder<'_>,
        space: &Space,
        tangent: Value,
        like: Value,
    ) -> Value {
        let ty = b.ty(like);
        let part = space.parts[0].as_ref().expect("a box has a tangent");
        let cases = [space.zero.clone(), part.case.clone()];
        let found = switch(b, tangent, &cases, Coverage::Exhaustive, &[ty], |b, at, fields| match at {
            0 => vec![match <dyn TangentSpace>::of(self.ctx, ty) {
                Some((space, _)) => space.zero_like(b, like),
                None => like,
            }],
            _ => vec![unbox(b, fields[0])],
        });
        found[0]
    }

    /// Creates the tangent of a box from the tangent of its tensor.
    pub(super) fn boxed(&self, b: &mut Builder<'_>, space: &Space, tensor: Value) -> Value {
        let part = space.parts[0].as_ref().expect("a box has a tangent");
        let boxed = rebox(b, tensor);
        make(b, &part.case, &[boxed], space.tangent)
    }

    fn export_body(&self, b: &mut Builder<'_>, primal: Value, tangent: Value) -> Value {
        let ty = b.ty(primal);
        let Some(space) = self.space(ty) else { return primal };
        let cases = self.cases_of(ty);
        if cases.is_empty() {
            let like = unbox(b, primal);
            let contents = self.contents_of(b, &space, tangent, like);
            return rebox(b, contents);
        }
        let found = switch(b, primal, &cases, Coverage::Exhaustive, &[ty], |b, at, fields| {
            let mut fields = fields.to_vec();
            let active: &[usize] = space.parts[at].as_ref().map_or(&[], |part| &part.fields);
            for field in (0..fields.len()).filter(|field| !active.contains(field)) {
                fields[field] = self.with_zeros(b, fields[field]);
            }
            if let Some(part) = &space.parts[at] {
                let tangents = self.fields_of(b, &space, part, tangent);
                for (&field, tangent) in part.fields.iter().zip(tangents) {
                    let own = fields[field];
                    fields[field] = match self.space(b.ty(own)) {
                        Some(space) => self.call(b, FunctionKind::Export, space.of, &[own, tangent]),
                        None if b.ty(own) == b.ty(tangent) => tangent,
                        None => own,
                    };
                }
            }
            vec![make(b, &cases[at], &fields, ty)]
        });
        found[0]
    }

    /// A value without a tangent whose numbers are zero; closures and references are kept.
    fn with_zeros(&self, b: &mut Builder<'_>, value: Value) -> Value {
        let ty = b.ty(value);
        if BoxType::cast(self.ctx, ty).is_some() || !self.cases_of(ty).is_empty() {
            return self.call(b, FunctionKind::Zero, ty, &[value]);
        }
        let zero = <dyn DiffOps>::any(self.ctx).and_then(|ops| ops.filled_like(b, value, 0));
        zero.unwrap_or(value)
    }

    fn zero_body(&self, b: &mut Builder<'_>, value: Value) -> Value {
        let ty = b.ty(value);
        let cases = self.cases_of(ty);
        if cases.is_empty() {
            let contents = unbox(b, value);
            let contents = self.with_zeros(b, contents);
            return rebox(b, contents);
        }
        let found = switch(b, value, &cases, Coverage::Exhaustive, &[ty], |b, at, fields| {
            let fields: Vec<Value> = fields.iter().map(|&field| self.with_zeros(b, field)).collect();
            vec![make(b, &cases[at], &fields, ty)]
        });
        found[0]
    }

    fn fill_body(&self, b: &mut Builder<'_>, value: Value, number: i64) -> Value {
        let ty = b.ty(value);
        let filled = |b: &mut Builder<'_>, value: Value| {
            let found = <dyn DiffOps>::any(self.ctx).and_then(|ops| ops.filled_like(b, value, number));
            found.unwrap_or(value)
        };
        let cases = self.cases_of(ty);
        if cases.is_empty() {
            let contents = unbox(b, value);
            let contents = filled(b, contents);
            return rebox(b, contents);
        }
        let found = switch(b, value, &cases, Coverage::Exhaustive, &[ty], |b, at, fields| {
            let fields: Vec<Value> = fields
                .iter()
                .map(|&field| match self.space(b.ty(field)) {
                    Some(space) => self.call(b, FunctionKind::Fill(number), space.of, &[field]),
                    None if is_float_number(self.ctx, b.ty(field)) => filled(b, field),
                    None => field,
                })
                .collect();
            vec![make(b, &cases[at], &fields, ty)]
        });
        found[0]
    }
}
