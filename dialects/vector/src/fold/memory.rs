//! Folds of loads, stores and transfers.

use super::{defining, with_prop};
use crate::TransferRead;
use crate::rules::operand;
use crate::transfer::Transfer;
use minoan_ir::affine::AffineExpr;
use minoan_ir::{Attr, OpRef, TypeData, Value};
use minoan_memref::Cast;
use minoan_services::{Change, Folded};

pub(crate) fn transfer_read(op: OpRef<'_>, known: &[Option<Attr>]) -> Folded {
    match in_bounds(op, known) {
        Some(change) => change.into(),
        None => without_cast(op, 0),
    }
}

pub(crate) fn transfer_write(op: OpRef<'_>, known: &[Option<Attr>]) -> Folded {
    match in_bounds(op, known) {
        Some(change) => change.into(),
        None => without_cast(op, 1),
    }
}

/// Replaces a base by the source of a layout-preserving memref cast.
pub(crate) fn without_cast(op: OpRef<'_>, base: usize) -> Folded {
    let ctx = op.context();
    let Some(cast) = defining::<Cast>(op, op.operand(base)) else { return Folded::Unchanged };
    match operand(cast, 0).data(ctx) {
        TypeData::MemRef { layout: None, .. } => {
            let mut operands: Vec<Value> = op.operands().collect();
            operands[base] = cast.operand(0);
            Change::new().operands(operands).into()
        }
        _ => Folded::Unchanged,
    }
}

/// Marks further dimensions that are known to be in bounds.
fn in_bounds(op: OpRef<'_>, known: &[Option<Attr>]) -> Option<Change> {
    let (ctx, transfer) = (op.context(), Transfer::of(op)?);
    let indices = known.get(op.operand_range(if op.is::<TransferRead>() { 1 } else { 2 }))?;
    let (extents, lanes) = (transfer.base.shape(ctx)?, transfer.vector.shape(ctx)?);
    let fits = |result: usize, dim: usize| {
        let index = indices.get(dim).copied().flatten().and_then(|index| index.as_i64(ctx));
        let end = index.filter(|&index| index >= 0).and_then(|index| index.checked_add(lanes[result]));
        end.is_some_and(|end| end <= extents[dim])
    };
    let mut inside = transfer.in_bounds.clone();
    for (result, expr) in transfer.map.results.iter().enumerate() {
        if let AffineExpr::Dim(dim) = expr {
            inside[result] = inside[result] || fits(result, *dim as usize);
        }
    }
    // Replicated elements are in bounds if the others are.
    let repeats = |result: usize| matches!(transfer.map.results[result], AffineExpr::Constant(_));
    if (0..inside.len()).all(|result| inside[result] || repeats(result)) {
        inside.fill(true);
    }
    if inside == transfer.in_bounds {
        return None;
    }
    let inside: Vec<Attr> = inside.into_iter().map(Attr::bool).collect();
    Some(Change::new().props(with_prop(op, "in_bounds", Attr::array(ctx, &inside))))
}
