//! Folds of the memref operations for known operands or operand definitions.

use crate::folding::{before_cast, is_whole, same_type, slice_of, source_of, undo, with_operand};
use crate::ops::cast_fits;
use crate::*;
use minoan_ir::{Attr, DYNAMIC, OpDef, OpRef, Value};
use minoan_services::{Change, Folded};

pub(crate) fn fold_copy(op: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    match without_cast(op, 0) {
        Folded::Unchanged => without_cast(op, 1),
        folded => folded,
    }
}

pub(crate) fn fold_memory_space_cast(op: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    match source_of::<MemorySpaceCast>(op, op.operand(0)) {
        Some(source) => Change::new().operands([source]).into(),
        None => Folded::Unchanged,
    }
}

pub(crate) fn fold_transpose(op: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    let dims = Transpose::from_op_unchecked(op.id()).dims(op.body());
    let identity = dims.is_some_and(|dims| dims.iter().enumerate().all(|(at, &dim)| at == dim));
    Some(op.operand(0)).filter(|_| identity && same_type(op)).into()
}

pub(crate) fn fold_collapse(op: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    undo::<ExpandShape>(op).into()
}

pub(crate) fn fold_expand(op: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    undo::<CollapseShape>(op).into()
}

/// Replaces operand `at` by the source of its cast.
pub(crate) fn without_cast(op: OpRef<'_>, at: usize) -> Folded {
    before_cast::<Cast>(op, op.operand(at)).map_or(Folded::Unchanged, |source| with_operand(op, at, source))
}

pub(crate) fn fold_cast(op: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    if same_type(op) {
        return Folded::one(op.operand(0));
    }
    let (body, ctx) = (op.body(), op.context());
    let source = before_cast::<Cast>(op, op.operand(0));
    match source.filter(|&source| cast_fits(ctx, body.ty(source), body.ty(op.result(0)))) {
        Some(source) => Change::new().operands([source]).into(),
        None => Folded::Unchanged,
    }
}

pub(crate) fn fold_dim(op: OpRef<'_>, operands: &[Option<Attr>]) -> Folded {
    let (body, ctx) = (op.body(), op.context());
    let index = operands[1].and_then(|attr| attr.as_i64(ctx)).and_then(|index| usize::try_from(index).ok());
    let Some((index, shape)) = index.zip(body.ty(op.operand(0)).shape(ctx)) else { return Folded::Unchanged };
    match shape.get(index) {
        Some(&DYNAMIC) => {}
        Some(&extent) => return Folded::one(Attr::index_value(ctx, extent)),
        None => return Folded::Unchanged,
    }
    if let Some(size) = size_of(op, index, shape) {
        return Folded::one(size);
    }
    without_cast(op, 0)
}

/// The operand that determines a dynamic extent of an allocation.
fn size_of(op: OpRef<'_>, index: usize, shape: &[i64]) -> Option<Value> {
    let body = op.body();
    let def = body.op(body.defining_op(op.operand(0))?);
    let before = shape[..index].iter().filter(|&&extent| extent == DYNAMIC).count();
    let sizes = if def.is::<Alloc>() || def.is::<Alloca>() {
        def.operand_group(0)
    } else if def.is::<View>() {
        def.operand_group(2)
    } else if let Some(part) = SubView::cast(body, def.id()) {
        let kept: Vec<usize> = part
            .dropped(body)?
            .into_iter()
            .enumerate()
            .filter(|&(_, dropped)| !dropped)
            .map(|(at, _)| at)
            .collect();
        let [_, (numbers, values), _] = slice_of(def, 1);
        let at = *kept.get(index)?;
        let before = numbers[..at].iter().filter(|&&number| number == DYNAMIC).count();
        return Some(values).filter(|_| numbers[at] == DYNAMIC)?.get(before).copied();
    } else {
        return None;
    };
    sizes.get(before).copied()
}

/// The operand, if the result has the same, fully static type.
pub(crate) fn same_static(op: OpRef<'_>) -> Option<Value> {
    let (ctx, ty) = (op.context(), op.body().ty(op.operand(0)));
    let layout = minoan_ir::strided::Strided::of(ctx, ty)?;
    let open = ty.shape(ctx)?.iter().chain(&layout.strides).chain([&layout.offset]);
    (same_type(op) && open.copied().all(|number| number != DYNAMIC)).then(|| op.operand(0))
}

pub(crate) fn fold_subview(op: OpRef<'_>) -> Option<Value> {
    let ctx = op.context();
    let shape = op.body().ty(op.operand(0)).shape(ctx)?;
    // A subview of the whole buffer may have another layout type.
    same_static(op)
        .or_else(|| Some(op.operand(0)).filter(|_| same_type(op) && is_whole(&slice_of(op, 1), shape)))
}

pub(crate) fn fold_reinterpret(op: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    let source =
        source_of::<ReinterpretCast>(op, op.operand(0)).or_else(|| source_of::<Cast>(op, op.operand(0)));
    if let Some(source) = source {
        return Change::new().operands([source].into_iter().chain(op.operands().skip(1))).into();
    }
    let starts_at_zero = slices::numbers(op, "static_offsets").first() == Some(&0);
    same_static(op).filter(|_| starts_at_zero).into()
}
