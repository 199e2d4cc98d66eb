//! Allocations with a layout as views of allocations without one, as a named set of patterns that is applied before lowering.
//!
//! MLIR's conversion lowers allocations with the identity layout only.

use crate::{Alloc, Alloca, Cast, Dealloc, ReinterpretCast};
use minoan_ir::strided::Strided;
use minoan_ir::{Builder, Context, DYNAMIC, Op, OpDef, Type, TypeData, Value};
use minoan_rewrite::{Matched, NamedPatterns, NoMatch, PatternSet, PatternStage, Rewriter};
use minoan_services::{AssertionOps, IndexOps, SIZE_OVERFLOWS, constant_of};

pub(crate) const SET: NamedPatterns = NamedPatterns {
    name: "memref-expand-layouts",
    description: "express allocations with a strided layout by allocations without one, and views",
    stage: PatternStage::BeforeLowering,
    add: |patterns: &mut PatternSet| {
        patterns
            .on("memref-alloc-layout", |op: Alloc, rewriter| {
                let body = rewriter.body();
                let alignment = op.alignment(body);
                let (sizes, symbols) = (op.dynamic_sizes(body), op.symbol_operands(body));
                let allocate = |b: &mut Builder<'_>, sizes: &[Value], ty: Type| {
                    Alloc::build(b, sizes, &[], alignment, ty).memref(b.body())
                };
                let dense = expand_dense(op.op(), rewriter, |b, ty| allocate(b, &sizes, ty));
                dense.or_else(|_| expand_sparse(op.op(), rewriter, &sizes, &symbols, allocate))
            })
            .on("memref-alloca-layout", |op: Alloca, rewriter| {
                let body = rewriter.body();
                let alignment = op.alignment(body);
                let (sizes, symbols) = (op.dynamic_sizes(body), op.symbol_operands(body));
                let allocate = |b: &mut Builder<'_>, sizes: &[Value], ty: Type| {
                    Alloca::build(b, sizes, &[], alignment, ty).memref(b.body())
                };
                let dense = expand_dense(op.op(), rewriter, |b, ty| allocate(b, &sizes, ty));
                dense.or_else(|_| expand_sparse(op.op(), rewriter, &sizes, &symbols, allocate))
            });
    },
};

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

/// Whether the number of elements from the base to the last one, as far as it is known, does not overflow.
fn fits(shape: &[i64], layout: &Strided) -> bool {
    let known = |number: i64, otherwise: i64| if number == DYNAMIC { otherwise } else { number };
    let mut dims = shape.iter().zip(&layout.strides);
    let last = dims.try_fold(known(layout.offset, 0), |last, (&extent, &stride)| {
        last.checked_add(known(extent, 1).checked_sub(1)?.checked_mul(known(stride, 0))?)
    });
    shape.contains(&0) || last.is_some_and(|last| last < i64::MAX)
}

/// Replaces an allocation by one of a single dimension, from the base to the last element, and a view. Strides are not negative. If an
/// extent, the offset or a stride is dynamic, it is asserted that the size does not overflow.
fn expand_sparse(
    op: Op,
    rewriter: &mut Rewriter<'_>,
    sizes: &[Value],
    symbols: &[Value],
    allocate: impl FnOnce(&mut Builder<'_>, &[Value], Type) -> Value,
) -> Result<Matched, NoMatch> {
    let ctx: Context = rewriter.context().clone();
    let ty = rewriter.ty(rewriter.op(op).result(0));
    let (shape, strided) = layout(&ctx, ty)?;
    let index =
        <dyn IndexOps>::any(&ctx).ok_or_else(|| NoMatch::because("no dialect has index arithmetic"))?;
    if strided.strides.iter().any(|&stride| stride < 0 && stride != DYNAMIC) {
        return Err(NoMatch::because("a stride is negative"));
    }
    let assertions =
        <dyn AssertionOps>::any(&ctx).ok_or_else(|| NoMatch::because("no dialect has assertions"))?;
    let n_dynamic = |numbers: &[i64]| numbers.iter().filter(|&&number| number == DYNAMIC).count();
    let n_symbols = n_dynamic(&[strided.offset]) + n_dynamic(&strided.strides);
    if n_dynamic(shape) != sizes.len() || n_symbols != symbols.len() {
        return Err(NoMatch::because("an extent, the offset or a stride has no operand"));
    }
    let is_dynamic = !sizes.is_empty() || !symbols.is_empty();
    if !fits(shape, &strided) {
        return Err(NoMatch::because("the number of elements overflows"));
    }
    let users: Vec<Op> = rewriter.body().uses(rewriter.op(op).result(0)).map(|user| user.op).collect();
    let mut b = rewriter.builder();
    let (mut extents, mut numbers) = (sizes.iter().copied(), symbols.iter().copied());
    let value = |b: &mut Builder<'_>, number: i64, values: &mut dyn Iterator<Item = Value>| match number {
        DYNAMIC => values.next().unwrap_or_else(|| index.index(b, 0)),
        known => index.index(b, known),
    };
    let (zero, one) = (index.index(&mut b, 0), index.index(&mut b, 1));
    let offset = value(&mut b, strided.offset, &mut numbers);
    let mut span = index.add(&mut b, offset, one);
    let limit = index.index(&mut b, i64::MAX);
    let mut conditions = Vec::new();
    if strided.offset == DYNAMIC {
        conditions.push(index.below(&mut b, offset, limit));
    }
    let mut empty = None;
    for (&extent, &known) in shape.iter().zip(&strided.strides) {
        let (size, stride) = (value(&mut b, extent, &mut extents), value(&mut b, known, &mut numbers));
        let steps = index.sub(&mut b, size, one);
        if is_dynamic {
            // `steps * stride <= limit - span`, by division, since the product may overflow.
            let room = index.sub(&mut b, limit, span);
            let divisor = index.max(&mut b, stride, one);
            let most = index.div(&mut b, room, divisor);
            let more = index.add(&mut b, most, one);
            conditions.push(index.below(&mut b, steps, more));
        }
        if known == DYNAMIC {
            conditions.push(index.below(&mut b, stride, limit));
        }
        let reach = index.mul(&mut b, steps, stride);
        span = index.add(&mut b, span, reach);
        if extent == DYNAMIC || extent == 0 {
            let is_empty = index.equal(&mut b, size, zero);
            empty = Some(empty.map_or(is_empty, |before| index.or(&mut b, before, is_empty)));
        }
    }
    if let Some(fits) = conditions.into_iter().reduce(|all, condition| index.and(&mut b, all, condition)) {
        let fits = empty.map_or(fits, |empty| index.or(&mut b, empty, fits));
        assertions.assert(&mut b, fits, SIZE_OVERFLOWS, &[]);
    }
    if let Some(empty) = empty {
        span = index.select(&mut b, empty, zero, span);
    }
    let known = constant_of(b.body(), span).and_then(|span| span.as_i64(&ctx));
    let memory = match known {
        Some(known) => allocate(&mut b, &[], ty.with_layout(&ctx, &[known], None)),
        None => allocate(&mut b, &[span], ty.with_layout(&ctx, &[DYNAMIC], None)),
    };
    let (offsets, strides) = symbols.split_at(n_dynamic(&[strided.offset]));
    let (offset, steps) = ([strided.offset], strided.strides);
    let view = ReinterpretCast::build(&mut b, memory, offsets, sizes, strides, offset, shape, steps, ty);
    let view = view.result(b.body());
    // Memory is freed by the value that was allocated. Elsewhere, a view contains the address of its allocation.
    for user in users {
        if rewriter.op(user).is::<Dealloc>() {
            rewriter.set_operand(user, 0, memory);
        }
    }
    rewriter.replace(op, &[view]);
    Ok(Matched)
}
