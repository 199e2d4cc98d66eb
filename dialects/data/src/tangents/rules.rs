//! The derivatives of operations on objects.

use super::{Objects, Part, Space, make};
use crate::ops::{BoxExtent, Fail, Make, MakeBox, Nothing, Project, RefNew, RefRead, RefWrite, Tag, Unbox};
use crate::{Coverage, switch};
use minoan_arith as arith;
use minoan_ir::{Builder, OpDef, OpRef, Type, Value};
use minoan_services::{TangentCx, TransposeCx};
use std::rc::Rc;

type Outcome = Option<Result<(), String>>;

fn number(op: OpRef<'_>, name: &str) -> Option<usize> {
    usize::try_from(op.attr_named(name)?.as_i64(op.context())?).ok()
}

/// The constructor of tangents for the tag of an operation.
fn part_of<'s>(space: &'s Space, op: OpRef<'_>) -> Option<&'s Part> {
    space.parts.get(number(op, "tag")?)?.as_ref()
}

/// The field of tangents that `data.project` reads.
fn place_of(part: &Part, op: OpRef<'_>) -> Option<usize> {
    let index = number(op, "index")?;
    part.fields.iter().position(|&field| field == index)
}

impl Objects<'_> {
    pub(super) fn tangent_of_op(&self, cx: &mut TangentCx<'_, '_>) -> Outcome {
        let op = cx.b.body().op(cx.op);
        let count = op.n_operands();
        if op.is::<Tag>() || op.is::<BoxExtent>() || op.is::<Fail>() || op.is::<Nothing>() {
            return Some(Ok(()));
        }
        let of = |index: usize| self.space(op.operand_types().nth(index)?);
        let result = || self.space(op.result_types().next()?);
        if op.is::<Make>() {
            if let Some((space, fields)) = result().and_then(|space| {
                let fields = part_of(&space, op)?.fields.clone();
                Some((space, fields))
            }) && (0..count).any(|at| cx.d(at).is_some())
            {
                let part = part_of(&space, cx.b.body().op(cx.op))?;
                let tangents: Vec<Value> = fields
                    .iter()
                    .zip(&part.case.2)
                    .map(|(&at, &ty)| cx.d(at).unwrap_or_else(|| self.zero_of(cx.b, ty)))
                    .collect();
                let tangent = make(cx.b, &part.case, &tangents, space.tangent);
                cx.set(0, tangent);
            }
        } else if op.is::<Project>() {
            let space = of(0);
            if let (Some(space), Some(tangent)) = (space, cx.d(0))
                && let Some(part) = part_of(&space, op)
                && let Some(place) = place_of(part, op)
            {
                let field = self.field_of(cx.b, &space, part, place, tangent);
                cx.set(0, field);
            }
        } else if op.is::<MakeBox>() {
            if let (Some(space), Some(tangent)) = (result(), cx.d(0)) {
                let boxed = self.boxed(cx.b, &space, tangent);
                cx.set(0, boxed);
            }
        } else if op.is::<Unbox>() {
            if let (Some(space), Some(tangent)) = (of(0), cx.d(0)) {
                let like = cx.result(0);
                let contents = self.contents_of(cx.b, &space, tangent, like);
                cx.set(0, contents);
            }
        } else if op.is::<arith::Select>() {
            let space = result()?;
            if cx.d(1).is_some() || cx.d(2).is_some() {
                let [yes, no] =
                    [1, 2].map(|at| cx.d(at).unwrap_or_else(|| self.zero_of(cx.b, space.tangent)));
                let condition = cx.primal(0);
                let chosen = arith::select(cx.b, condition, yes, no);
                cx.set(0, chosen);
            }
        } else if op.is::<RefNew>() || op.is::<RefRead>() || op.is::<RefWrite>() {
            return Some(self.tangent_of_reference(cx));
        } else {
            return None;
        }
        Some(Ok(()))
    }

    /// The reference to tangents is created, read and written like the reference.
    fn tangent_of_reference(&self, cx: &mut TangentCx<'_, '_>) -> Result<(), String> {
        let op = cx.b.body().op(cx.op);
        let types: Vec<Type> = op.operand_types().collect();
        let results: Vec<Type> = op.result_types().collect();
        let (is_new, is_read) = (op.is::<RefNew>(), op.is::<RefRead>());
        let first = usize::from(!is_new);
        let mut contents = Vec::new();
        for (at, &ty) in types.iter().enumerate().skip(first) {
            if let Some(tangent) = self.tangent_type_of(ty) {
                contents.push(cx.d(at).unwrap_or_else(|| self.zero_of(cx.b, tangent)));
            }
        }
        if is_new {
            if let Some(ty) = self.tangent_type_of(results[0]) {
                let made = RefNew::build(cx.b, &contents, ty).result(cx.b.body());
                cx.set(0, made);
            }
            return Ok(());
        }
        let Some(reference) = cx.d(0) else { return Ok(()) };
        if !is_read {
            RefWrite::build(cx.b, reference, &contents);
            return Ok(());
        }
        let active: Vec<(usize, Type)> = results
            .iter()
            .enumerate()
            .filter_map(|(at, &ty)| Some((at, self.tangent_type_of(ty)?)))
            .collect();
        let types: Vec<Type> = active.iter().map(|&(_, ty)| ty).collect();
        let read = RefRead::build(cx.b, reference, &types).op();
        for (from, &(at, _)) in active.iter().enumerate() {
            let value = cx.b.body().op(read).result(from);
            cx.set(at, value);
        }
        Ok(())
    }

    /// Creates a field of a tangent.
    fn field_of(
        &self,
        b: &mut Builder<'_>,
        space: &Space,
        part: &Part,
        place: usize,
        tangent: Value,
    ) -> Value {
        let ty = part.case.2[place];
        let cases = [space.zero.clone(), part.case.clone()];
        let found = switch(b, tangent, &cases, Coverage::Exhaustive, &[ty], |b, at, fields| match at {
            0 => vec![self.zero_of(b, ty)],
            _ => vec![fields[place]],
        });
        found[0]
    }

    pub(super) fn pullback_of_op(&self, cx: &mut TransposeCx<'_, '_>) -> Outcome {
        let op = cx.b.body().op(cx.op);
        if op.is::<Tag>() || op.is::<BoxExtent>() || op.is::<Fail>() || op.is::<Nothing>() {
            return Some(Ok(()));
        }
        let of = |index: usize| self.space(op.operand_types().nth(index)?);
        let result = || self.space(op.result_types().next()?);
        if op.is::<Make>() {
            let (Some(space), Some(ct)) = (result(), cx.ct(0)) else { return Some(Ok(())) };
            if let Some(part) = part_of(&space, op)
                && part.fields.iter().any(|&field| cx.is_linear(field))
            {
                let cotangents = self.fields_of(cx.b, &space, part, ct);
                for (&field, cotangent) in part.fields.iter().zip(cotangents) {
                    cx.add(field, cotangent);
                }
            }
        } else if op.is::<Project>() {
            let space = of(0);
            if let (Some(space), Some(ct)) = (space, cx.ct(0))
                && let Some(part) = part_of(&space, op)
                && let Some(place) = place_of(part, op)
            {
                cx.update(0, &mut |b, old| self.insert(b, &space, part, place, old, ct));
            }
        } else if op.is::<MakeBox>() {
            if let (Some(space), Some(ct)) = (result(), cx.ct(0)) {
                let like = cx.operand(0);
                let contents = self.contents_of(cx.b, &space, ct, like);
                cx.add(0, contents);
            }
        } else if op.is::<Unbox>() {
            if let (Some(space), Some(ct)) = (of(0), cx.ct(0)) {
                let boxed = self.boxed(cx.b, &space, ct);
                cx.add(0, boxed);
            }
        } else if op.is::<arith::Select>() {
            let space = result()?;
            let Some(ct) = cx.ct(0) else { return Some(Ok(())) };
            let condition = cx.operand(0);
            for (operand, is_first) in [(1, true), (2, false)] {
                if cx.is_linear(operand) {
                    let zero = make(cx.b, &space.zero, &[], space.tangent);
                    let [yes, no] = if is_first { [ct, zero] } else { [zero, ct] };
                    let part = arith::select(cx.b, condition, yes, no);
                    cx.add(operand, part);
                }
            }
        } else if op.is::<RefNew>() || op.is::<RefRead>() || op.is::<RefWrite>() {
            return Some(Err("has no derivative in reverse mode".to_owned()));
        } else {
            return None;
        }
        Some(Ok(()))
    }

    /// Adds to a field of a tangent.
    fn insert(
        &self,
        b: &mut Builder<'_>,
        space: &Rc<Space>,
        part: &Part,
        place: usize,
        old: Value,
        addend: Value,
    ) -> Value {
        let single = |b: &mut Builder<'_>| {
            let fields: Vec<Value> = part
                .case
                .2
                .iter()
                .enumerate()
                .map(|(at, &ty)| if at == place { addend } else { self.zero_of(b, ty) })
                .collect();
            make(b, &part.case, &fields, space.tangent)
        };
        if Self::is_zero(b, space, old) {
            return single(b);
        }
        let sum = |b: &mut Builder<'_>, fields: &[Value]| {
            let mut fields = fields.to_vec();
            fields[place] = self.sum_of(b, addend, fields[place]);
            make(b, &part.case, &fields, space.tangent)
        };
        // The fields of an object that `data.make` creates are used directly, without a match.
        let made = b.body().defining_op(old).map(|op| b.body().op(op)).filter(|op| op.is::<Make>());
        if let Some(made) = made {
            let fields: Vec<Value> = made.operands().collect();
            return sum(b, &fields);
        }
        let cases = [space.zero.clone(), part.case.clone()];
        let found =
            switch(b, old, &cases, Coverage::Exhaustive, &[space.tangent], |b, at, fields| match at {
                0 => vec![single(b)],
                _ => vec![sum(b, fields)],
            });
        found[0]
    }
}
