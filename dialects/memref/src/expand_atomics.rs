//! Atomic updates without an instruction as updates by a region, as a named set of patterns that is applied before lowering.
//!
//! LLVM's `atomicrmw` has no products, and updates only integers whose width is a power of two of at least 8. An update by a
//! region becomes a loop that compares and exchanges.

use crate::{AtomicRMW, AtomicYield, GenericAtomicRMW};
use minoan_arith::AtomicKind;
use minoan_ir::{Context, OpDef, OpState, Type};
use minoan_rewrite::{Matched, NamedPatterns, NoMatch, PatternSet, PatternStage, Rewriter};

pub(crate) const SET: NamedPatterns = NamedPatterns {
    name: "memref-expand-atomics",
    description: "express atomic updates that have no instruction by memref.generic_atomic_rmw",
    stage: PatternStage::BeforeLowering,
    add: |patterns: &mut PatternSet| {
        patterns.on("memref-expand-atomic", expand);
    },
};

/// Whether processors have an instruction, or LLVM a loop, for a kind of update.
fn has_instruction(ctx: &Context, kind: AtomicKind, element: Type) -> bool {
    let is_product = matches!(kind, AtomicKind::MulF | AtomicKind::MulI);
    !is_product && element.integer_width(ctx).is_none_or(|width| width >= 8 && width.is_power_of_two())
}

fn expand(op: AtomicRMW, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let ctx = rewriter.context().clone();
    let (kind, value, element) = (op.kind(body), op.value(body), body.ty(op.result(body)));
    if has_instruction(&ctx, kind, element) {
        return Err(NoMatch::because("the update has an instruction"));
    }
    let (view, memref, indices) = (body.op(op.op()), op.memref(body), op.indices(body));
    let (loc, attrs) = (view.loc(), view.attrs());
    let state = OpState::new(ctx.kind_of::<GenericAtomicRMW>()).operands(&[memref]).operands(&indices);
    let mut b = rewriter.builder().with_loc(loc);
    let update = b.create(state.results(&[element]).attrs(attrs).regions(1));
    let (block, outside) = b.enter(update, 0, &[element]);
    let old = b.body().block(block).arg(0);
    let new = match kind.operation() {
        None => value,
        Some(name) => {
            let combine = OpState::named(&ctx, name).operands(&[old, value]).results(&[element]);
            let combined = b.create(combine);
            b.body().op(combined).result(0)
        }
    };
    AtomicYield::build(&mut b, new);
    b.set_insertion_point(outside);
    let result = b.body().op(update).result(0);
    rewriter.replace(op.op(), &[result]);
    Ok(Matched)
}
