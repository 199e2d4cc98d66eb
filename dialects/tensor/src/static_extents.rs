//! Canonicalization by static extents: moves casts that only erase extents after the operations that use them.

use crate::shapes::slice_fits;
use crate::{Cast, CollapseShape, Empty, ExtractSlice, Insert, InsertSlice, Pad};
use minoan_ir::{Context, DYNAMIC, Op, OpDef, OpRef, OpState, Type, Value};
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};
use minoan_services::{ShapeInference, meet_shapes};

pub(crate) fn add(patterns: &mut PatternSet) {
    patterns
        .on("tensor-insert-cast", |op: Insert, rewriter| into_user(op.op(), rewriter))
        .on("tensor-insert-slice-cast", |op: InsertSlice, rewriter| {
            let view = rewriter.op(op.op());
            let dest = cast_source(view, view.operand(1)).ok_or(NO_CAST)?;
            if !slice_fits(view, 2, rewriter.ty(dest)) {
                return Err(NoMatch::because("the slice would be out of bounds"));
            }
            let mut operands: Vec<Value> = view.operands().collect();
            operands[1] = dest;
            with_operands(rewriter, op.op(), operands)
        })
        .on("tensor-pad-cast", |op: Pad, rewriter| into_user(op.op(), rewriter))
        .on("tensor-collapse-cast", |op: CollapseShape, rewriter| into_user(op.op(), rewriter))
        .on("tensor-extract-slice-cast", |op: ExtractSlice, rewriter| {
            let view = rewriter.op(op.op());
            let source = cast_source(view, view.operand(0)).ok_or(NO_CAST)?;
            if !slice_fits(view, 1, rewriter.ty(source)) {
                return Err(NoMatch::because("the slice would be out of bounds"));
            }
            rewriter.set_operand(op.op(), 0, source);
            Ok(Matched)
        })
        .on("tensor-empty-cast", empty_cast);
}

const NO_CAST: NoMatch = NoMatch::SILENT;

/// Whether type `a` is strictly more static than type `b` of equal rank: it has each static extent of `b`.
pub fn is_more_static(ctx: &Context, a: Type, b: Type) -> bool {
    let (Some(left), Some(right)) = (a.shape(ctx), b.shape(ctx)) else { return false };
    let covers = |(left, right): (&i64, &i64)| left == right || *right == DYNAMIC;
    a != b
        && left.len() == right.len()
        && left.iter().zip(right).all(covers)
        && b.with_shape(ctx, left) == Some(a)
}

/// The source of a cast that erases static extents.
pub fn cast_source(op: OpRef<'_>, value: Value) -> Option<Value> {
    let (body, ctx) = (op.body(), op.context());
    let source = body.op(body.defining_op(value)?).cast::<Cast>()?.source(body);
    is_more_static(ctx, body.ty(source), body.ty(value)).then_some(source)
}

/// Replaces the operands of an operation by the sources of their casts.
fn into_user(op: Op, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let view = rewriter.op(op);
    let operands = view.operands().map(|value| cast_source(view, value).unwrap_or(value)).collect();
    with_operands(rewriter, op, operands)
}

/// Replaces an operation by one on other operands with possibly more static types and with the result types that
/// shape inference returns for them. Casts convert operands to the types that the operation requires, and results to
/// the old types.
///
/// # Errors
/// The types do not change, or the operation cannot have the new ones.
pub fn with_operands(rewriter: &mut Rewriter<'_>, op: Op, operands: Vec<Value>) -> Result<Matched, NoMatch> {
    let (view, ctx) = (rewriter.op(op), rewriter.context().clone());
    let types: Vec<Type> = operands.iter().map(|&value| rewriter.ty(value)).collect();
    let service = ctx.service::<dyn ShapeInference>(view.kind());
    let inferred =
        service.and_then(|service| service.infer(view, &types)).filter(|inferred| inferred.in_place);
    let inferred = inferred.ok_or(NoMatch::because("no types follow from those of the operands"))?;
    if view.operand_types().eq(inferred.operands.iter().copied()) {
        return Err(NoMatch::because("the types of the operands are known"));
    }
    let old: Vec<Type> = view.result_types().collect();
    let state = OpState::new(view.kind()).props(view.props()).attrs(view.attrs());
    let regions: Vec<_> = view.own_regions().collect();
    let mut wanted = Vec::with_capacity(operands.len());
    for (value, ty) in operands.into_iter().zip(inferred.operands) {
        wanted.push(cast_to(rewriter, value, ty));
    }
    let new = rewriter.create(state.operands(&wanted).results(&inferred.results).regions(regions.len()));
    for (at, from) in regions.into_iter().enumerate() {
        let to = rewriter.op(new).region(at);
        rewriter.move_blocks(from, to);
    }
    let results: Vec<Value> = rewriter.op(new).results().collect();
    let results: Vec<Value> =
        results.into_iter().zip(old).map(|(value, ty)| cast_to(rewriter, value, ty)).collect();
    rewriter.replace(op, &results);
    Ok(Matched)
}

/// Casts a value to a type, unless it has that type.
pub fn cast_to(rewriter: &mut Rewriter<'_>, value: Value, ty: Type) -> Value {
    if rewriter.ty(value) == ty {
        return value;
    }
    let cast = Cast::build(&mut rewriter.builder(), value, ty);
    cast.dest(rewriter.body())
}

/// Creates a `tensor.empty` with the extents of its cast.
fn empty_cast(op: Cast, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (body, ctx) = (rewriter.body(), rewriter.context().clone());
    let (source, wanted) = (op.source(body), body.ty(op.dest(body)));
    let empty = body.defining_op(source).and_then(|def| Empty::cast(body, def));
    let empty = empty.ok_or(NoMatch::because("it casts no tensor.empty"))?;
    let from = body.ty(source);
    if !is_more_static(&ctx, wanted, from) || meet_shapes(&ctx, from, wanted) != Some(wanted) {
        return Err(NoMatch::because("the cast adds no extents"));
    }
    let view = body.op(empty.op());
    let extents = from.shape(&ctx).unwrap_or(&[]).iter().zip(wanted.shape(&ctx).unwrap_or(&[]));
    let open = extents.filter(|(from, _)| **from == DYNAMIC);
    let sizes: Vec<Value> =
        view.operands().zip(open).filter(|(_, (_, to))| **to == DYNAMIC).map(|(size, _)| size).collect();
    let state = OpState::new(view.kind()).operands(&sizes).results(&[wanted]).attrs(view.attrs());
    rewriter.replace_by(op.op(), state.props(view.props()));
    Ok(Matched)
}
