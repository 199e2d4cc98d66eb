//! Allocations with a layout as views of allocations without one, as a named set of patterns that is applied before lowering.
//!
//! MLIR's conversion lowers allocations with the identity layout only.

use crate::{Alloc, Alloca, Cast, ReinterpretCast};
use minoan_ir::strided::Strided;
use minoan_ir::{Builder, Context, DYNAMIC, Op, OpDef, Type, TypeData, Value};
use minoan_rewrite::{Matched, NamedPatterns, NoMatch, PatternSet, PatternStage, Rewriter};

pub(crate) const SET: NamedPatterns = NamedPatterns {
    name: "memref-expand-layouts",
    description: "express allocations with a strided layout by allocations without one, and views",
    stage: PatternStage::BeforeLowering,
    add: |patterns: &mut PatternSet| {
        patterns
            .on("memref-alloc-layout", |op: Alloc, rewriter| {
                let body = rewriter.body();
                let (sizes, alignment) = (op.dynamic_sizes(body), op.alignment(body));
                expand_dense(op.op(), rewriter, |b, ty| {
                    Alloc::build(b, &sizes, &[], alignment, ty).memref(b.body())
                })
            })
            .on("memref-alloca-layout", |op: Alloca, rewriter| {
                let body = rewriter.body();
                let (sizes, alignment) = (op.dynamic_sizes(body), op.alignment(body));
                let dense = expand_dense(op.op(), rewriter, |b, ty| {
                    Alloca::build(b, &sizes, &[], alignment, ty).memref(b.body())
                });
                dense.or_else(|_| {
                    expand_sparse(op.op(), rewriter, |b, ty| {
                        Alloca::build(b, &[], &[], alignment, ty).memref(b.body())
                    })
                })
            });
    },
};

/// The number of elements from the base to the last one; `None` if it is not known or too large.
fn span(shape: &[i64], layout: &Strided) -> Option<i64> {
    if shape.contains(&0) {
        return Some(0);
    }
    shape.iter().zip(&layout.strides).try_fold(layout.offset.checked_add(1)?, |span, (&extent, &stride)| {
        (stride >= 0).then_some(span)?.checked_add(extent.checked_sub(1)?.checked_mul(stride)?)
    })
}

/// The extents and the layout of an allocation whose type has another layout than the identity.
fn layout(ctx: &Context, ty: Type) -> Result<(&[i64], Strided), NoMatch> {
    let TypeData::MemRef { shape, layout: Some(layout), .. } = ty.data(ctx) else {
        return Err(NoMatch::because("it has no layout"));
    };
    if layout.as_affine_map(ctx).is_some_and(|map| map.is_identity()) {
        return Err(NoMatch::because("it has the identity layout"));
    }
    let strided = Strided::of(ctx, ty).ok_or_else(|| NoMatch::because("the layout is not strided"))?;
    Ok((shape, strided))
}

/// Replaces an allocation whose layout states the strides of the identity by an allocation without a layout, and a cast.
fn expand_dense(
    op: Op,
    rewriter: &mut Rewriter<'_>,
    allocate: impl FnOnce(&mut Builder<'_>, Type) -> Value,
) -> Result<Matched, NoMatch> {
    let ctx: Context = rewriter.context().clone();
    let ty = rewriter.ty(rewriter.op(op).result(0));
    let (shape, strided) = layout(&ctx, ty)?;
    if strided != Strided::contiguous(shape) {
        return Err(NoMatch::because("the elements are not dense"));
    }
    let mut b = rewriter.builder();
    let memory = allocate(&mut b, ty.with_layout(&ctx, shape, None));
    let view = Cast::build(&mut b, memory, ty).dest(b.body());
    rewriter.replace(op, &[view]);
    Ok(Matched)
}

/// Replaces an allocation on the stack by one of a single dimension, and a view. One on the heap is freed by its only value, which
/// is no view.
fn expand_sparse(
    op: Op,
    rewriter: &mut Rewriter<'_>,
    allocate: impl FnOnce(&mut Builder<'_>, Type) -> Value,
) -> Result<Matched, NoMatch> {
    let ctx: Context = rewriter.context().clone();
    let ty = rewriter.ty(rewriter.op(op).result(0));
    let (shape, strided) = layout(&ctx, ty)?;
    let is_static =
        !shape.contains(&DYNAMIC) && strided.offset != DYNAMIC && !strided.strides.contains(&DYNAMIC);
    let span = span(shape, &strided).filter(|_| is_static);
    let span = span.ok_or_else(|| NoMatch::because("extents, offset or strides are dynamic"))?;
    let mut b = rewriter.builder();
    let memory = allocate(&mut b, ty.with_layout(&ctx, &[span], None));
    let (offset, strides) = ([strided.offset], strided.strides);
    let view = ReinterpretCast::build(&mut b, memory, &[], &[], &[], offset, shape, strides, ty);
    let view = view.result(b.body());
    rewriter.replace(op, &[view]);
    Ok(Matched)
}
