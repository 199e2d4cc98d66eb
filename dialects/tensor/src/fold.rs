//! Folds of the tensor operations for known operands or operand definitions.

use crate::*;
use minoan_ir::{Attr, AttrData, Context, DYNAMIC, OpRef, Value};
use minoan_memref::folding::{before_cast, is_whole, same_type, slice_of, source_of, undo, with_operand};
use minoan_memref::slices::{dropped_dims, numbers};
use minoan_services::{Alias, AliasModel, Datum, Folded};

/// The elements are unspecified.
pub(crate) fn fold_empty(_: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    Folded::Stays
}

pub(crate) fn fold_collapse(op: OpRef<'_>, operands: &[Option<Attr>]) -> Folded {
    fold_reshape(op, operands, undo::<ExpandShape>)
}

pub(crate) fn fold_expand(op: OpRef<'_>, operands: &[Option<Attr>]) -> Folded {
    fold_reshape(op, operands, undo::<CollapseShape>)
}

pub(crate) fn fold_pad(op: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    pads_nothing(op).then(|| op.operand(0)).into()
}

/// A concatenation of one tensor.
pub(crate) fn fold_concat(op: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    (op.n_operands() == 1 && same_type(op)).then(|| op.operand(0)).into()
}

/// Folds the opposite of the reshape before it, and a reshape of a constant of any size: the elements stay in their order.
fn fold_reshape(op: OpRef<'_>, operands: &[Option<Attr>], undo: fn(OpRef<'_>) -> Option<Value>) -> Folded {
    if let Some(source) = undo(op) {
        return Folded::one(source);
    }
    let (ctx, ty) = (op.context(), op.body().ty(op.result(0)));
    let is_static = ty.shape(ctx).is_some_and(|shape| !shape.contains(&DYNAMIC));
    match operands.first().copied().flatten().map(|constant| constant.data(ctx)) {
        Some(AttrData::DenseElements { data, splat, .. }) if is_static => {
            let (data, splat) = (data.clone(), *splat);
            Folded::one(ctx.intern_attr(AttrData::DenseElements { ty, data, splat }))
        }
        _ => Folded::Unchanged,
    }
}

/// Folds a splat of a constant, of any extents, to a constant with one element in memory.
pub(crate) fn fold_splat(op: OpRef<'_>, operands: &[Option<Attr>]) -> Option<Folded> {
    let (ctx, ty) = (op.context(), op.result_types().next()?);
    if ty.shape(ctx)?.contains(&DYNAMIC) {
        return None;
    }
    let constant = operands.first().copied().flatten()?;
    let element = Datum::of_attr(ctx, constant).ok()?;
    // Narrow floats are stored in wider ones, which does not preserve signaling NaNs.
    let is_exact = element.to_attr(ctx, ty.element(ctx)?) == Some(constant);
    match ty.shape(ctx)?.contains(&0) {
        true => Some(Folded::Unchanged),
        false => is_exact.then(|| element.to_splat(ctx, ty)).flatten().map(Folded::one),
    }
}

/// Folds a bitcast to its own type, or of another bitcast.
pub(crate) fn fold_bitcast(op: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    if same_type(op) {
        return Folded::one(op.operand(0));
    }
    match source_of::<BitCast>(op, op.operand(0)) {
        Some(source) if op.body().ty(source) == op.body().ty(op.result(0)) => Folded::one(source),
        Some(source) => with_operand(op, 0, source),
        None => Folded::Unchanged,
    }
}

/// Folds a cast to its own type, or of a cast that checks no additional extent.
pub(crate) fn fold_cast(op: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    if same_type(op) {
        return Folded::one(op.operand(0));
    }
    let (body, ctx) = (op.body(), op.context());
    let Some(source) = source_of::<Cast>(op, op.operand(0)) else { return Folded::Unchanged };
    let types = [source, op.operand(0), op.result(0)].map(|value| body.ty(value).shape(ctx));
    let [Some(from), Some(between), Some(to)] = types else { return Folded::Unchanged };
    let passes = |(at, &extent): (usize, &i64)| extent == DYNAMIC || from[at] == extent || to[at] == extent;
    let fits = |(&from, &to): (&i64, &i64)| from == to || from == DYNAMIC || to == DYNAMIC;
    if !between.iter().enumerate().all(passes) || !from.iter().zip(to).all(fits) {
        return Folded::Unchanged;
    }
    if body.ty(source) == body.ty(op.result(0)) {
        return Folded::one(source);
    }
    with_operand(op, 0, source)
}

pub(crate) fn fold_dim(op: OpRef<'_>, operands: &[Option<Attr>]) -> Folded {
    let (body, ctx) = (op.body(), op.context());
    let index = operands[1].and_then(|attr| attr.as_i64(ctx)).and_then(|index| usize::try_from(index).ok());
    let Some((index, extents)) = index.zip(body.ty(op.operand(0)).shape(ctx)) else {
        return Folded::Unchanged;
    };
    match extents.get(index) {
        Some(&DYNAMIC) => {}
        Some(&extent) => return Folded::one(Attr::index_value(ctx, extent)),
        None => return Folded::Unchanged,
    }
    if let Some(size) = size_of(op, index, extents) {
        return Folded::one(size);
    }
    before_cast::<Cast>(op, op.operand(0))
        .or_else(|| updated(op, op.operand(0)))
        .map_or(Folded::Unchanged, |source| with_operand(op, 0, source))
}

/// The destination of the operation that defines a value.
fn updated(op: OpRef<'_>, value: Value) -> Option<Value> {
    let def = op.body().op(op.body().defining_op(value)?);
    let result = def.results().position(|result| result == value)?;
    match op.context().service::<dyn AliasModel>(def.kind())?.alias(def, result) {
        Alias::UpdateOf(operand) => Some(def.operand(operand)),
        Alias::Fresh | Alias::ViewOf(_) | Alias::MayViewOf(_) | Alias::Static => None,
    }
}

/// The operand that determines a dynamic extent of the tensor.
fn size_of(op: OpRef<'_>, index: usize, extents: &[i64]) -> Option<Value> {
    let body = op.body();
    let def = body.op(body.defining_op(op.operand(0))?);
    let open = |extents: &[i64]| extents.iter().filter(|&&extent| extent == DYNAMIC).count();
    if def.is::<Empty>() || def.is::<Generate>() || def.is::<Splat>() {
        // The first operand of a splat is its element.
        let first = def.n_operands().checked_sub(open(extents))?;
        return Some(def.operand(first + open(&extents[..index])));
    }
    if def.is::<ExpandShape>() {
        let shape = numbers(def, "static_output_shape");
        return (shape.get(index) == Some(&DYNAMIC)).then(|| def.operand(1 + open(&shape[..index])));
    }
    def.is::<ExtractSlice>().then(|| size_of_part(def, index))?
}

/// The value of a dynamic extent of the result of a `tensor.extract_slice`.
pub(crate) fn size_of_part(op: OpRef<'_>, index: usize) -> Option<Value> {
    let [_, (sizes, values), _] = slice_of(op, 1);
    let dropped = dropped_dims(&sizes, op.result_types().next()?.shape(op.context())?)?;
    let at = dropped.iter().enumerate().filter(|(_, dropped)| !**dropped).nth(index)?.0;
    let before = sizes[..at].iter().filter(|&&size| size == DYNAMIC).count();
    (sizes[at] == DYNAMIC).then(|| values.get(before).copied())?
}

pub(crate) fn fold_extract(op: OpRef<'_>, operands: &[Option<Attr>]) -> Folded {
    if let Some(source) = before_cast::<Cast>(op, op.operand(0)) {
        return with_operand(op, 0, source);
    }
    let (body, ctx) = (op.body(), op.context());
    if let Some(known) = operands.iter().copied().collect::<Option<Vec<Attr>>>() {
        let index: Option<Vec<i64>> = known[1..].iter().map(|index| index.as_i64(ctx)).collect();
        return index.and_then(|index| Datum::element_of(ctx, known[0], &index)).into();
    }
    if let Some(element) = operands[0].and_then(|tensor| element_of_splat(ctx, tensor)) {
        return Folded::one(element);
    }
    let Some(def) = body.defining_op(op.operand(0)).map(|def| body.op(def)) else { return Folded::Unchanged };
    if def.is::<Splat>() {
        return Folded::one(def.operand(0));
    }
    if def.is::<Insert>() {
        return of_insertion(op, def, operands);
    }
    if !def.is::<FromElements>() {
        return Folded::Unchanged;
    }
    let Some(extents) = body.ty(op.operand(0)).shape(ctx) else { return Folded::Unchanged };
    let mut position = 0;
    for (&extent, index) in extents.iter().zip(&operands[1..]) {
        match index.and_then(|index| index.as_i64(ctx)) {
            Some(index) if (0..extent).contains(&index) => position = position * extent + index,
            _ => return Folded::Unchanged,
        }
    }
    usize::try_from(position).ok().and_then(|position| def.operands().nth(position)).into()
}

/// The value of all elements of a constant, as a constant.
pub fn element_of_splat(ctx: &Context, tensor: Attr) -> Option<Attr> {
    Datum::of_splat(ctx, tensor)?.to_attr(ctx, tensor.value_type(ctx)?.element(ctx)?)
}

/// Folds an extract from an insert: to the inserted element, or to an extract from the destination.
fn of_insertion(op: OpRef<'_>, insert: OpRef<'_>, operands: &[Option<Attr>]) -> Folded {
    if op.operands().skip(1).eq(insert.operands().skip(2)) {
        return Folded::one(insert.operand(0));
    }
    let known = |value: Value| minoan_services::constant_of(op.body(), value);
    let differs = |(here, there): (&Option<Attr>, Value)| match (here, known(there)) {
        (Some(here), Some(there)) => *here != there,
        _ => false,
    };
    if operands[1..].iter().zip(insert.operands().skip(2)).any(differs) {
        return with_operand(op, 0, insert.operand(1));
    }
    Folded::Unchanged
}

/// Folds a slice of the whole tensor, or of an inserted slice at the same position.
pub(crate) fn fold_extract_slice(op: OpRef<'_>) -> Option<Value> {
    let (body, ctx) = (op.body(), op.context());
    let extents = body.ty(op.operand(0)).shape(ctx)?;
    if same_type(op) && (!extents.contains(&DYNAMIC) || is_whole(&slice_of(op, 1), extents)) {
        return Some(op.operand(0));
    }
    let insert = body.op(body.defining_op(op.operand(0))?);
    let source = insert.is::<InsertSlice>().then(|| insert.operand(0))?;
    let same = body.ty(source) == body.ty(op.result(0)) && slice_of(insert, 2) == slice_of(op, 1);
    same.then_some(source)
}

/// Folds an insertion that covers the whole tensor, inserts a slice that was extracted at the same place, or overwrites a
/// previous insertion.
pub(crate) fn fold_insert_slice(op: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    let (body, ctx) = (op.body(), op.context());
    let (source, dest) = (op.operand(0), op.operand(1));
    let is_static = body.ty(dest).shape(ctx).is_some_and(|extents| !extents.contains(&DYNAMIC));
    if is_static && body.ty(source) == body.ty(dest) {
        return Folded::one(source);
    }
    let slice = slice_of(op, 2);
    let defined = |value: Value| body.defining_op(value).map(|def| body.op(def));
    let part = defined(source).filter(|part| part.is::<ExtractSlice>());
    if part.is_some_and(|part| part.operand(0) == dest && slice_of(part, 1) == slice) {
        return Folded::one(dest);
    }
    let before = defined(dest).filter(|before| before.is::<InsertSlice>());
    let covers =
        |before: &OpRef<'_>| body.ty(before.operand(0)) == body.ty(source) && slice_of(*before, 2) == slice;
    match before.filter(covers) {
        Some(before) => with_operand(op, 1, before.operand(1)),
        None => Folded::Unchanged,
    }
}

fn pads_nothing(op: OpRef<'_>) -> bool {
    let none = |name: &str| numbers(op, name).iter().all(|&number| number == 0);
    op.attr_named("nofold").is_none() && same_type(op) && none("static_low") && none("static_high")
}
